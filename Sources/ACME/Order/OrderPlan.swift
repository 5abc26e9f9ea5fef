package import AppSiteAssociation
package import OpenSSL

/// What is to be ordered, and how we present ourselves.
package struct OrderPlan: Sendable {
    package var names: [String]
    package var keyKind: CertificatePlan.Key = .ecdsaP256
    /// The certificate's identifier for `replaces` (RFC 9773 section 5); used where the authority
    /// offers renewal information.
    package var replaces: String?
    package var profile: String?
    /// The kinds of challenge that can be answered, in the order in which they are tried.
    package var challenges: [ChallengeKind] = [.tlsALPN01]
    /// `mailto:` URLs.
    package var contact: [String] = []
    package var agreesToTerms = false
    package var externalAccount: ExternalAccount?

    package init(names: [String]) { self.names = names }
}

/// A challenge that has to be answered when the authority asks.
package struct ChallengeAnswer: Sendable, Hashable {
    package let kind: ChallengeKind
    package let name: String
    package let token: String
    package let keyAuthorization: String

    package init(kind: ChallengeKind, name: String, token: String, keyAuthorization: String) {
        self.kind = kind
        self.name = name
        self.token = token
        self.keyAuthorization = keyAuthorization
    }

    /// What a TLS-ALPN-01 certificate holds.
    package var digest: [UInt8] { sha256(Array(keyAuthorization.utf8)) }

    package var json: JSONValue {
        .object([
            ("kind", .text(kind.rawValue)), ("name", .text(name)), ("token", .text(token)),
            ("keyAuthorization", .text(keyAuthorization)),
        ])
    }

    package init?(_ value: JSONValue) {
        guard let kind = value["kind"]?.string.flatMap(ChallengeKind.init(rawValue:)),
            let name = value["name"]?.string, let token = value["token"]?.string,
            let keyAuthorization = value["keyAuthorization"]?.string
        else { return nil }
        self.init(kind: kind, name: name, token: token, keyAuthorization: keyAuthorization)
    }
}

/// A certificate with its key, as the authority issued it and as it was checked.
package struct IssuedCertificate: Sendable {
    package let pair: CertificatePair
    /// PEM, leaf first, nothing but certificates.
    package var chainPEM: [UInt8] { pair.chain.flatMap(\.pem) }
}

/// Why an order came to nothing.
package struct OrderFailure: Error, Sendable, Hashable {
    package enum Cause: Sendable, Hashable {
        /// The authority cannot be reached or answers with errors of its own.
        case unreachable(String)
        /// The authority's certificate is not trusted.
        case untrusted(String)
        /// It refused, in its words.
        case refused(ProblemDocument)
        /// It looked and did not find what it should, by name.
        case validation(name: String, kind: ChallengeKind?, ProblemDocument)
        /// It answered something that is not RFC 8555.
        case malformed(String)
        /// It took longer than ``OrderLimits`` allow.
        case tooLong(String)
        /// The setting that is missing or wrong; no request will help.
        case setting(String)
        /// What was issued cannot be used.
        case unusable(String)
        /// This machine could not: a disk, a key.
        case local(String)
    }

    package let cause: Cause
    /// When the authority wants to be asked again: seconds from now.
    package var retryAfter: Int64?
    /// Other names that failed in the same order.
    package var failedNames: [String] = []

    package init(_ cause: Cause, retryAfter: Int64? = nil, failedNames: [String] = []) {
        self.cause = cause
        self.retryAfter = retryAfter
        self.failedNames = failedNames
    }
}

/// Every limit of one attempt at an order, with its reason.
package enum OrderLimits {
    /// Requests of one attempt beside those per name: directory, nonce, account, order, finalize,
    /// certificate, some polls of the order, and as many again for retries.
    static let requestsBase = 40
    /// Per name: read the authorization, answer it, poll it, with retries.
    static let requestsPerName = 12
    static func requests(names: Int) -> Int { requestsBase + requestsPerName * names }
    /// `badNonce` in a row for one request. Pebble refuses 5 % of good ones: six in a row happen
    /// once in 64 million.
    static let badNoncesMaximum = 6
    /// Retries of one request that had no answer or a 5xx, and the seconds before each. More is
    /// left to the back-off, which is in hours.
    static let retryDelays: [Int64] = [2, 5, 10]
    /// Seconds that a validation may take. Pebble sleeps up to 15, authorities answer within some
    /// seconds; they give up themselves after about 10 per try.
    static let validationSeconds: Int64 = 300
    /// Seconds for finalize.
    static let issuanceSeconds: Int64 = 300
    /// Seconds between polls where the authority names none.
    static let pollDelays: [Int64] = [1, 2, 3, 5, 8, 10]
    /// `Retry-After` of a poll beyond this ends the attempt; the order is kept and gone on with.
    static let pollDelayMaximum: Int64 = 60
    /// Orders of the account's list that are looked at for one that a crash left behind.
    static let leftoversMaximum = 5
}
