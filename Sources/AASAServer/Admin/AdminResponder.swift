import AppSiteAssociation
import HTTP

/// The answers of the admin listener. A pure function of the request and of the given state: no
/// I/O, no state of its own.
package struct AdminResponder {
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

    package func response(to request: AuxiliaryRequest) -> AuxiliaryResponse {
        if let refusal = Self.refusal(of: request, access: access) { return refusal }
        switch request.path {
        case "/": return page()
        // Liveness: the process answers. `/readyz` says whether it should get traffic.
        case "/healthz": return AuxiliaryResponse(200, text: lines(health.level.rawValue))
        case "/readyz":
            return AuxiliaryResponse(
                health.isReady ? 200 : 503, text: lines(health.isReady ? "ready" : "not ready"))
        case "/metrics":
            let format = MetricsFormat(accept: request.accept)
            return AuxiliaryResponse(
                200, type: format.contentType, format.render(ServerMetrics.all(report, health)))
        case "/status.json":
            return AuxiliaryResponse(
                200, type: "application/json", StatusJSON.render(report, health))
        default:
            return AuxiliaryResponse(
                404, text: "Pages: /, /healthz, /readyz, /metrics, /status.json\n")
        }
    }

    /// The answer to a request that is refused; nil when the request is allowed.
    package static func refusal(of request: AuxiliaryRequest, access: AdminAccess)
        -> AuxiliaryResponse?
    {
        switch access.verdict(path: request.path, authorization: request.authorization) {
        case .allowed: break
        case .asksForToken:
            return AuxiliaryResponse(
                401, text: "A token is required. Send: Authorization: Bearer TOKEN\n",
                [HTTPField(name: "WWW-Authenticate", value: "Bearer realm=\"aasa\"")])
        case .closed:
            return AuxiliaryResponse(
                403,
                text: "Closed on a network address. To open it, use --admin-token-file.\n")
        }
        guard access.trustsEveryName || isOurs(request.authority) else {
            return AuxiliaryResponse(
                403,
                text: "Not served as \(request.authority ?? ""). Use an IP address or localhost.\n")
        }
        guard request.method == "GET" || request.method == "HEAD" else {
            return AuxiliaryResponse(
                405, text: "Only GET and HEAD are allowed.\n",
                [HTTPField(name: "Allow", value: "GET, HEAD")])
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

    private func page() -> AuxiliaryResponse {
        let nonce = nonce()
        return AuxiliaryResponse(
            200, type: "text/html; charset=utf-8", StatusPage.render(nonce: nonce),
            [
                HTTPField(
                    name: "Content-Security-Policy",
                    value: StatusPage.contentSecurityPolicy(nonce: nonce))
            ])
    }
}
