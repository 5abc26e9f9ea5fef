import HTTP
package import OpenSSL

/// One request exactly as it is sent: nothing is added, no redirect is followed.
package struct ClientRequest: Sendable {
    package enum Verification: Sendable, Hashable {
        /// The result is reported in ``TLSFacts/verification``, and the request continues.
        case reported
        /// The request fails with ``ClientFailure/certificate(_:)``.
        case required
    }

    /// How to connect and what to verify.
    package struct Security: Sendable, Hashable {
        /// False for plain HTTP: for a stand-in given by the user (`--cdn http://…`) and for tests.
        package var isTLS = true
        package var sendsServerName = true
        /// Offers only `acme-tls/1`: ``HTTPClient/handshakeAsValidator(_:at:)``.
        package var actsAsValidator = false
        /// The ClientHello. HTTP/2 is spoken if it is offered here and the server selects it.
        package var offer = TLSOffer()
        /// Additional roots besides the system's; a path to a PEM file.
        package var authorityFile: String?
        /// If false, only the roots of `authorityFile` are trusted. Tests need no others, and
        /// loading the system's takes longer than the rest of a test.
        package var trustsMachine = true
        /// The client certificate, if the server requests one; nil for none.
        package var certificate: ClientCertificate?
        /// See ``TLSClientSettings/acceptsCommonName``.
        package var acceptsCommonName = false
        /// What happens with an invalid certificate. ``HTTPClient/send(_:)`` and
        /// ``HTTPClient/open(_:)`` always reject it.
        package var verification = Verification.reported

        package init() { offer.protocols = [.http11] }
    }

    package var host: String
    package var port: UInt16 = 443
    /// Path and query, as sent.
    package var target: String
    package var method = "GET"
    /// Fields besides `Host` and `Content-Length`, in order.
    package var fields: [(name: String, value: String)] = []
    /// The content; nil for none and no `Content-Length`. HTTP/1.1 only.
    package var body: [UInt8]?
    package var security = Security()
    package var limits = Limits()

    /// Limits of time and size.
    package struct Limits: Sendable, Hashable {
        /// From the start to the end of the response, including the connection.
        package var total: Duration = .seconds(30)
        /// For the connection to one address; where a host has several, ``connectTime(among:)``.
        package var connect: Duration = .seconds(10)
        /// The longest patience with one of several addresses: time for a packet that was lost
        /// twice (RFC 6298: it is sent again after 1 and 3 seconds).
        package static let connectToOneOfSeveral = Duration.seconds(5)
        /// Bytes of body to read: 16 times what devices read (131,072), enough to report by how
        /// much a document is too large.
        package var body = 16 * 131_072

        package init() {}

        /// For each of so many addresses that are tried one after another. One that swallows
        /// packets leaves time for the next; a device asks them nearly at once (RFC 8305).
        func connectTime(among addresses: Int) -> Duration {
            addresses < 2
                ? connect : min(connect, total / addresses, Self.connectToOneOfSeveral)
        }
    }

    package init(host: String, port: UInt16 = 443, target: String) {
        self.host = host
        self.port = port
        self.target = target
    }

    /// A request for a URL.
    package init(_ url: ServerURL) {
        self.init(host: url.host, port: url.port, target: url.requestTarget)
        security.isTLS = url.isTLS
    }

    /// The URL for display.
    package var url: String { origin + target }

    /// The part of the URL that is not a secret: some have a key in their path.
    private var origin: String { (security.isTLS ? "https" : "http") + "://" + authority }

    private func authority(_ usual: UInt16) -> String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == usual ? name : "\(name):\(port)"
    }

    /// The value of `Host` and `:authority`.
    package var authority: String { authority(security.isTLS ? 443 : 80) }

    /// The serialized HTTP/1.1 request. The connection is not reused.
    var http1Bytes: [UInt8] {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: \(authority)\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        if let body { text += "Content-Length: \(body.count)\r\n" }
        return Array((text + "Connection: close\r\n\r\n").utf8) + (body ?? [])
    }

    /// Rejects a request that could be misparsed: names, values and targets from a configuration or
    /// another server must not contain line ends (RFC 9112 section 11.1).
    package func check() throws(ClientFailure) {
        for field in fields
        where !HTTPField.isValid(name: field.name) || !HTTPField.isValid(value: field.value) {
            throw .local(
                "the header field \(PeerText.printable(field.name)) has characters that HTTP does not allow"
            )
        }
        let isPlain = (target + host).utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        guard isPlain, !host.isEmpty, HTTPField.isValid(name: method) else {
            throw .local(
                "a URL at \(PeerText.printable(origin)) has a space or a control character, so it cannot be requested"
            )
        }
        if body != nil, security.offer.protocols.contains(.http2) {
            throw .local("a request with a body is supported over HTTP/1.1 only")
        }
    }
}

/// A client certificate, compared by its bytes.
package struct ClientCertificate: Sendable, Hashable {
    package let pair: CertificatePair

    package init(_ pair: CertificatePair) { self.pair = pair }

    package static func == (a: Self, b: Self) -> Bool { a.pair.identity == b.pair.identity }
    package func hash(into hasher: inout Hasher) { hasher.combine(pair.identity) }
}
