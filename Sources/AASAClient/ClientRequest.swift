import HTTP
package import OpenSSL

/// One request, exactly as it will be sent: nothing is added, nothing is followed.
package struct ClientRequest: Sendable {
    /// The version to speak. HTTP/2 is offered by ALPN and has to be chosen by the server.
    package enum Version: String, Sendable, Hashable {
        case http11 = "HTTP/1.1"
        case http2 = "HTTP/2"
    }

    package enum Verification: Sendable, Hashable {
        /// The verdict is reported in ``TLSFacts/verification``, the request goes on.
        case reported
        /// The request ends with ``ClientFailure/certificate(_:)``.
        case required
    }

    /// How the connection is made and judged.
    package struct Security: Sendable, Hashable {
        /// False: plain HTTP, for a stand-in named by the user (`--cdn http://…`) and for tests.
        package var isTLS = true
        package var sendsServerName = true
        /// Offers `acme-tls/1` alone: ``HTTPClient/handshakeAsValidator(_:at:)``.
        package var playsValidator = false
        package var minimumVersion = TLSVersion.tls12
        package var maximumVersion = TLSVersion.tls13
        package var signatureAlgorithms: String?
        package var cipherList: String?
        /// Roots beside the machine's; a path to a PEM file.
        package var authorityFile: String?
        /// False: only the roots of `authorityFile` count. Tests need no others, and reading the
        /// machine's takes longer than all else they do.
        package var trustsMachine = true
        /// What the client shows when the server asks for a certificate; nil: none.
        package var certificate: ClientCertificate?
        /// What a certificate that is not right leads to. ``HTTPClient/send(_:)`` and
        /// ``HTTPClient/open(_:)`` always refuse it.
        package var verification = Verification.reported

        package init() {}
    }

    package var host: String
    package var port: UInt16 = 443
    /// Path and query, as they go on the wire.
    package var target: String
    package var method = "GET"
    /// Fields beside `Host` and `Content-Length`, in order.
    package var fields: [(name: String, value: String)] = []
    /// The content; nil sends none and no `Content-Length`. HTTP/1.1 alone.
    package var body: [UInt8]?
    package var version = Version.http11
    package var security = Security()
    package var limits = Limits()

    /// How long and how much.
    package struct Limits: Sendable, Hashable {
        /// From the start to the end of the answer, connection included.
        package var total: Duration = .seconds(30)
        /// For one address to accept the connection.
        package var connect: Duration = .seconds(10)
        /// Bytes of body that are read: 16 times what devices read (131,072), enough to tell by how
        /// much a document is too large.
        package var body = 16 * 131_072

        package init() {}
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

    /// The URL for people.
    package var url: String {
        let scheme = security.isTLS ? "https" : "http"
        let usual: UInt16 = security.isTLS ? 443 : 80
        return "\(scheme)://\(authority(usual))\(target)"
    }

    private func authority(_ usual: UInt16) -> String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == usual ? name : "\(name):\(port)"
    }

    /// The value of `Host` and `:authority`.
    package var authority: String { authority(security.isTLS ? 443 : 80) }

    /// The request as HTTP/1.1 sends it. The connection is not used again.
    var http1Bytes: [UInt8] {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: \(authority)\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        if let body { text += "Content-Length: \(body.count)\r\n" }
        return Array((text + "Connection: close\r\n\r\n").utf8) + (body ?? [])
    }

    /// Refuses what would change the shape of the message: names, values and targets that come
    /// from a configuration or from another server must not bring line ends along (RFC 9112
    /// section 11.1).
    func check() throws(ClientFailure) {
        for field in fields
        where !HTTPField.isValid(name: field.name) || !HTTPField.isValid(value: field.value) {
            throw .local("the field \(PeerText.printable(field.name)) cannot be sent")
        }
        let isPlain = (target + host).utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        guard isPlain, !host.isEmpty, HTTPField.isValid(name: method) else {
            throw .local("the URL \(PeerText.printable(url)) cannot be asked")
        }
        if body != nil, version == .http2 {
            throw .local("a request with content is sent over HTTP/1.1 alone")
        }
    }
}

/// A certificate that a client shows, told apart by its bytes.
package struct ClientCertificate: Sendable, Hashable {
    package let pair: CertificatePair

    package init(_ pair: CertificatePair) { self.pair = pair }

    package static func == (a: Self, b: Self) -> Bool { a.pair.identity == b.pair.identity }
    package func hash(into hasher: inout Hasher) { hasher.combine(pair.identity) }
}
