package import AppSiteAssociation

/// An order object (RFC 8555 section 7.1.3).
package struct OrderResource: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable {
        case pending, ready, processing, valid, invalid
    }

    package let status: Status
    package let names: [String]
    package let authorizations: [String]
    package let finalize: String
    package let certificate: String?
    package let error: ProblemDocument?

    /// Public authorities issue certificates with at most 100 names.
    static let authorizationsMaximum = 100

    package init(_ value: JSONValue, origin: String) throws(InvalidResponse) {
        guard let text = value["status"]?.string, let status = Status(rawValue: text) else {
            throw InvalidResponse("the order has no known status")
        }
        self.status = status
        names = (value["identifiers"]?.array ?? []).compactMap { $0["value"]?.string }
        guard let list = value["authorizations"]?.array,
            list.count <= Self.authorizationsMaximum
        else { throw InvalidResponse("the order has no list of authorizations") }
        var authorizations: [String] = []
        for entry in list {
            guard let url = entry.string else {
                throw InvalidResponse("an authorization of the order is not a URL")
            }
            authorizations.append(try Resource.check(url, "an authorization", origin))
        }
        self.authorizations = authorizations
        finalize = try Resource.url(value, "finalize", in: "the order", of: origin)
        certificate =
            value["certificate"] == nil
            ? nil : try Resource.url(value, "certificate", in: "the order", of: origin)
        error = value["error"].flatMap { $0.members == nil ? nil : ProblemDocument($0) }
    }
}

/// An authorization for one name (RFC 8555 section 7.1.4).
package struct Authorization: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable {
        case pending, valid, invalid, deactivated, expired, revoked
    }

    package let status: Status
    package let name: String
    package let challenges: [ChallengeResource]

    package init(_ value: JSONValue, origin: String) throws(InvalidResponse) {
        guard let text = value["status"]?.string, let status = Status(rawValue: text) else {
            throw InvalidResponse("an authorization has no known status")
        }
        guard let name = value["identifier"]?["value"]?.string else {
            throw InvalidResponse("an authorization has no name")
        }
        self.status = status
        self.name = AuthorityText.clean(name, 253).lowercased()
        var challenges: [ChallengeResource] = []
        // Challenges of unknown types are skipped, whatever their content.
        for entry in (value["challenges"]?.array ?? []).prefix(20) {
            if let challenge = try ChallengeResource(entry, origin: origin) {
                challenges.append(challenge)
            }
        }
        self.challenges = challenges
    }

    /// Why it is not valid: the error of the failed challenge.
    package var problem: ProblemDocument? { challenges.compactMap(\.error).first }
}

/// The challenge types.
package enum ChallengeKind: String, Sendable, Hashable, CaseIterable {
    /// Over TLS on port 443 (RFC 8737).
    case tlsALPN01 = "tls-alpn-01"
    /// Over plain HTTP on port 80 (RFC 8555 section 8.3).
    case http01 = "http-01"
}

/// A challenge that is offered for a name.
package struct ChallengeResource: Sendable, Hashable {
    package let kind: ChallengeKind
    package let url: String
    package let token: String
    package let status: String
    package let error: ProblemDocument?

    /// Nil for an unsupported type.
    package init?(_ value: JSONValue, origin: String) throws(InvalidResponse) {
        guard let kind = value["type"]?.string.flatMap(ChallengeKind.init(rawValue:)) else {
            return nil
        }
        self.kind = kind
        url = try Resource.url(value, "url", in: "a challenge", of: origin)
        // The token becomes part of a path: only characters of Base64 for URLs are allowed (RFC
        // 8555 section 8.3).
        guard let token = value["token"]?.string, (16...256).contains(token.utf8.count),
            AuthorityText.isBase64ForURL(token)
        else { throw InvalidResponse("a challenge has no usable token") }
        self.token = token
        status = value["status"]?.string ?? ""
        error = value["error"].flatMap { $0.members == nil ? nil : ProblemDocument($0) }
    }
}
