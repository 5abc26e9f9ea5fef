import AppSiteAssociation
import HTTP

/// The answers of the admin listener. A pure function of the request and of the given state: no
/// I/O, no state of its own.
package struct AdminResponder {
    package struct Response: Sendable, Equatable {
        package let status: Int
        package let fields: [Field]
        package let body: [UInt8]

        package struct Field: Sendable, Equatable {
            package let name: String
            package let value: String

            package init(name: String, value: String) {
                self.name = name
                self.value = value
            }
        }

        package func value(of name: String) -> String? { fields.first { $0.name == name }?.value }
    }

    package let report: StatusReport
    package let health: Health
    /// 128 random bits for the page's content security policy.
    package let nonce: () -> String
    package let access: AdminAccess

    package init(
        report: StatusReport, access: AdminAccess = .local, nonce: @escaping () -> String
    ) {
        self.access = access
        self.report = report
        self.nonce = nonce
        health = Health(report)
    }

    package func response(to request: AdminRequest) -> Response {
        if let refusal = Self.refusal(of: request, access: access) { return refusal }
        switch request.path {
        case "/": return page()
        // Liveness: the process answers. `/readyz` says whether it should get traffic.
        case "/healthz": return text(200, lines(health.level.rawValue))
        case "/readyz":
            return text(health.isReady ? 200 : 503, lines(health.isReady ? "ready" : "not ready"))
        case "/metrics":
            let format = MetricsFormat(accept: request.accept)
            return answer(200, format.contentType, format.render(ServerMetrics.all(report, health)))
        case "/status.json":
            return answer(200, "application/json", StatusJSON.render(report, health))
        default: return text(404, "Pages: /, /healthz, /readyz, /metrics, /status.json\n")
        }
    }

    /// The answer to a request that is refused; nil when the request is allowed.
    package static func refusal(of request: AdminRequest, access: AdminAccess) -> Response? {
        switch access.verdict(path: request.path, authorization: request.authorization) {
        case .allowed: break
        case .asksForToken:
            return Response(
                401, text: "A token is required. Send: Authorization: Bearer TOKEN\n",
                [Response.Field(name: "WWW-Authenticate", value: "Bearer realm=\"aasa\"")])
        case .closed:
            return Response(
                403,
                text: "Closed on a network address. To open it, use --admin-token-file.\n")
        }
        guard access.trustsEveryName || isOurs(request.authority) else {
            return Response(
                403,
                text: "Not served as \(request.authority ?? ""). Use an IP address or localhost.\n")
        }
        guard request.method == "GET" || request.method == "HEAD" else {
            return Response(
                405, text: "Only GET and HEAD are allowed.\n",
                [Response.Field(name: "Allow", value: "GET, HEAD")])
        }
        return nil
    }

    /// A page of another site can make a browser send requests here under a name of that site (DNS
    /// rebinding). An address or localhost cannot be rebound, so every other name is refused.
    static func isOurs(_ authority: String?) -> Bool {
        guard let authority, !authority.isEmpty else { return true }
        if authority.hasPrefix("[") { return true }
        let host = authority.prefix { $0 != ":" }
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        return host.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
    }

    private func lines(_ verdict: String) -> String {
        ([verdict] + health.reasons.map(\.text)).map { InertText.piece($0) + "\n" }.joined()
    }

    private func page() -> Response {
        let nonce = nonce()
        return answer(
            200, "text/html; charset=utf-8", StatusPage.render(nonce: nonce),
            [
                Response.Field(
                    name: "Content-Security-Policy",
                    value: StatusPage.contentSecurityPolicy(nonce: nonce))
            ])
    }

    private func text(_ status: Int, _ text: String) -> Response { Response(status, text: text) }

    private func answer(
        _ status: Int, _ type: String, _ body: [UInt8], _ more: [Response.Field] = []
    ) -> Response {
        Response(status, type: type, body, more)
    }
}

extension AdminResponder.Response {
    /// An answer with the fields that all our pages have.
    package init(_ status: Int, type: String, _ body: [UInt8], _ more: [Field] = []) {
        var fields = [Field(name: "Content-Type", value: type)] + more
        for (name, value) in [
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ] { fields.append(Field(name: name, value: value)) }
        self.init(status: status, fields: fields, body: body)
    }

    package init(_ status: Int, text: String, _ more: [Field] = []) {
        self.init(status, type: "text/plain; charset=utf-8", Array(text.utf8), more)
    }

    /// The message as it is sent (RFC 9112); the connection ends after it.
    ///
    /// - Parameter headOnly: for HEAD: the body is omitted, but Content-Length still gives its
    ///   length.
    package func serialized(headOnly: Bool) -> [UInt8] {
        HTTP1ResponseWriter.message(
            status: status, fields: fields.map { HTTPField(name: $0.name, value: $0.value) },
            body: body, headOnly: headOnly)
    }
}
