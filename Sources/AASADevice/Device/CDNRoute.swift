package import AASAClient
import AppSiteAssociation

/// How a device's request to Apple's CDN is answered.
package enum CDNRoute: Sendable, Hashable {
    /// A server with the interface of Apple's CDN: the real one, or a stand-in.
    case server(host: String, port: UInt16, isTLS: Bool, base: String)
    /// Only this machine can resolve the host (`--resolve`): the CDN is simulated by requesting the
    /// document as Apple's crawler and processing the response like the CDN.
    case played

    package static let apple = CDNRoute.server(
        host: "app-site-association.cdn-apple.com", port: 443, isTLS: true, base: "")

    /// Parses `https://host[:port][/base]`.
    package init?(parsing text: String) {
        guard let url = try? ServerURL(parsing: text) else { return nil }
        var base = url.target
        while base.hasSuffix("/") { base.removeLast() }
        self = .server(host: url.host, port: url.port, isTLS: url.isTLS, base: base)
    }
}

/// Simulates Apple's CDN from the origin's response to the crawler (facts: section 1.4; the codes
/// are those observed).
package enum SimulatedCDN {
    /// The response that the CDN would give a device.
    package static func answer(_ request: ClientRequest, from origin: ClientExchange)
        -> ClientExchange
    {
        var exchange = origin
        exchange.request = request
        exchange.failure = nil
        // The device's TLS connection is to the CDN.
        exchange.tls = nil
        if let reason = failureReason(origin) {
            exchange.head = ResponseHead(
                status: 404, reason: "Not Found",
                fields: [
                    ("Content-Type", "text/plain"), ("Apple-Failure-Reason", reason),
                    ("Apple-From", origin.request.url),
                ])
            exchange.body = Array("Not Found".utf8)
        } else {
            exchange.head = ResponseHead(
                status: 200, reason: "OK",
                fields: [
                    ("Content-Type", "application/json"), ("Apple-Origin-Format", "json"),
                    ("Apple-From", origin.request.url),
                ])
        }
        return exchange
    }

    /// The CDN's failure reason; nil if the CDN would publish the document.
    package static func failureReason(_ origin: ClientExchange) -> String? {
        if let failure = origin.failure {
            if case .timeout = failure { return "SWCERR00301 Timeout" }
            return "no answer from the origin: \(failure)"
        }
        if let tls = origin.tls, !tls.verification.isGood {
            return "the origin's certificate is not accepted: \(tls.verification.text)"
        }
        guard let head = origin.head else { return "SWCERR00301 Timeout" }
        if case .failed(_, let failure) = origin.coding {
            return "the origin's answer cannot be decoded: \(failure)"
        }
        if head.status != 200 {
            return "SWCERR00101 Bad HTTP Response: \(head.status) \(head.reason)"
        }
        let source = SourceText(name: "answer", bytes: origin.body)
        if SignedDocument.looksSigned(origin.body) || (try? JSONReader.read(source)) != nil {
            return nil
        }
        return "SWCERR00401 Bad JSON content"
    }
}
