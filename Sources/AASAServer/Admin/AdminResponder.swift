import AppSiteAssociation
import HTTP

/// The answers of the admin listener. A pure function of the request and of the given state: no
/// I/O, no state of its own.
struct AdminResponder {
    private let report: StatusReport
    private let health: Health
    /// 128 random bits for the page's content security policy.
    private let nonce: () -> String

    init(report: StatusReport, nonce: @escaping () -> String = AdminResponder.randomNonce) {
        self.report = report
        self.nonce = nonce
        health = Health(report)
    }

    /// 128 bits from the system's generator.
    private static func randomNonce() -> String {
        (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 16) }.joined()
    }

    func response(to request: AuxiliaryRequest) -> AuxiliaryResponse {
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
