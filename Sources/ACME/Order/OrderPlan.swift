package import AppSiteAssociation
package import OpenSSL

/// The parameters of an order.
package struct OrderPlan: Sendable {
    package var names: [String]
    package var keyKind: CertificateTemplate.Key = .ecdsaP256
    /// The certificate's identifier for `replaces` (RFC 9773 section 5); used if the authority
    /// offers renewal information.
    package var replaces: String?
    package var profile: String?
    package var challenge = ChallengeKind.tlsALPN01
    /// `mailto:` URLs.
    package var contact: [String] = []
    package var agreesToTerms = false
    package var externalAccount: ExternalAccount?

    package init(names: [String]) { self.names = names }
}

/// The answer to a challenge of the authority.
package struct ChallengeAnswer: Sendable, Hashable {
    package let kind: ChallengeKind
    package let name: String
    package let token: String
    package let keyAuthorization: String

    /// The digest for a TLS-ALPN-01 certificate.
    package var digest: [UInt8] { sha256(Array(keyAuthorization.utf8)) }

    package var json: JSONValue {
        .object([
            ("kind", .text(kind.rawValue)), ("name", .text(name)), ("token", .text(token)),
            ("keyAuthorization", .text(keyAuthorization)),
        ])
    }
}

extension ChallengeAnswer {
    package init?(_ value: JSONValue) {
        guard let kind = value["kind"]?.string.flatMap(ChallengeKind.init(rawValue:)),
            let name = value["name"]?.string, let token = value["token"]?.string,
            let keyAuthorization = value["keyAuthorization"]?.string
        else { return nil }
        self.init(kind: kind, name: name, token: token, keyAuthorization: keyAuthorization)
    }
}

/// An issued certificate with its key, after our checks.
package struct IssuedCertificate: Sendable {
    package let pair: CertificatePair
    /// PEM, leaf first, only certificates.
    package var chainPEM: [UInt8] { pair.chain.flatMap(\.pem) }
}

/// Why an order failed.
package struct OrderFailure: Error, Sendable, Hashable {
    package enum Cause: Sendable, Hashable {
        /// The authority is unreachable or returns server errors.
        case unreachable(String)
        /// The authority's certificate is not trusted.
        case untrusted(String)
        /// The authority rejected a request.
        case refused(ProblemDocument)
        /// The validation of a name failed.
        case validation(name: String, kind: ChallengeKind?, ProblemDocument)
        /// A response violates RFC 8555.
        case malformed(String)
        /// A time limit of ``OrderLimits`` was exceeded.
        case tooLong(String)
        /// A setting is missing or wrong; retries will not help.
        case setting(String)
        /// The issued certificate is unusable.
        case unusable(String)
        /// An error on this machine: a disk, a key. With its own remedy, if that is known.
        case local(String, remedy: String? = nil)
    }

    package let cause: Cause
    /// The authority's `Retry-After` in seconds.
    package var retryAfter: Int64?
    /// Other names that failed in the same order.
    package var failedNames: [String] = []

    package init(_ cause: Cause, retryAfter: Int64? = nil, failedNames: [String] = []) {
        self.cause = cause
        self.retryAfter = retryAfter
        self.failedNames = failedNames
    }
}

/// The limits of one attempt at an order, with their reasons.
package enum OrderLimits {
    /// Requests per attempt besides those per name: directory, nonce, account, order, finalize,
    /// certificate, some polls of the order, and as many again for retries.
    static let requestsBase = 40
    /// Per name: read the authorization, answer it, poll it, with retries.
    static let requestsPerName = 12
    static func requests(names: Int) -> Int { requestsBase + requestsPerName * names }
    /// Consecutive `badNonce` errors for one request. Pebble rejects 5 % of good nonces: six in a
    /// row happen once in 64 million.
    static let badNoncesMaximum = 6
    /// Retries of one request after no response or a 5xx, and the seconds before each. Later
    /// retries follow the back-off, which takes hours.
    static let retryDelays: [Int64] = [2, 5, 10]
    /// Maximum of seconds for a validation. Pebble sleeps up to 15, authorities answer within some
    /// seconds and give up after about 10 per try.
    static let validationSeconds: Int64 = 300
    /// Maximum of seconds for finalize.
    static let issuanceSeconds: Int64 = 300
    /// Seconds between polls without `Retry-After`.
    static let pollDelays: [Int64] = [1, 2, 3, 5, 8, 10]
    /// A larger `Retry-After` of a poll ends the attempt; the order is kept and resumed later.
    static let pollDelayMaximum: Int64 = 60
    /// How many orders in the account's list are checked for one that was lost in a crash.
    static let leftoversMaximum = 5
}
