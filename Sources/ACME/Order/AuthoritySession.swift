import OpenSSL

/// A request, ready to send.
package struct ServerRequest: Sendable, Hashable {
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
    }

    package let method: Method
    package let url: String
    package let body: [UInt8]

    package init(_ method: Method, _ url: String, body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.body = body
    }

    /// RFC 8555 section 6.2.
    package static let contentType = "application/jose+json"
}

/// The state of one authority between requests: its directory, unused nonces, our account. Outlives
/// single orders.
package struct AuthoritySession: Sendable {
    /// The directory's URL.
    package let url: String
    package internal(set) var directory: Directory?
    /// Seconds since 1970.
    package internal(set) var directoryReadAt: Int64 = 0
    package var account: AccountState?
    private var nonces: [String] = []

    /// Directories rarely change; new terms or profiles are noticed within a day.
    static let directoryLife: Int64 = 86_400
    /// Maximum of kept nonces. Authorities forget old ones, so the newest are used first. Each
    /// request uses one, and each response brings one.
    static let noncesMaximum = 4

    package init(url: String, account: AccountState? = nil) {
        self.url = url
        self.account = account
    }

    /// The directory, unless it must be refreshed.
    func freshDirectory(now: Int64) -> Directory? {
        now - directoryReadAt < Self.directoryLife && now >= directoryReadAt ? directory : nil
    }

    mutating func keep(nonce: String?) {
        // RFC 8555 section 6.5.1: other characters make a nonce invalid.
        guard let nonce, !nonce.isEmpty, nonce.utf8.count <= 512,
            AuthorityText.isBase64ForURL(nonce)
        else { return }
        nonces.append(nonce)
        if nonces.count > Self.noncesMaximum { nonces.removeFirst() }
    }

    mutating func takeNonce() -> String? { nonces.popLast() }

    /// After `badNonce` all kept nonces are as old as the rejected one.
    mutating func dropNonces() { nonces.removeAll() }
}
