import AASAServer
import AppSiteAssociation

/// What a watcher's listener answers: the same paths and the same access as the server's.
struct WatchAnswers: AdminAnswers {
    let run: WatchRun

    func response(to request: AdminRequest, access: AdminAccess) -> AdminResponder.Response {
        if let refusal = AdminResponder.refusal(
            method: request.method, path: request.path, authority: request.authority,
            authorization: request.authorization, access: access)
        {
            return refusal
        }
        let overview = run.overview()
        switch request.path {
        case "/":
            let nonce = AdminNonce.make()
            return AdminResponder.Response(
                200, type: "text/html; charset=utf-8", WatchPage.render(overview, nonce: nonce),
                [
                    AdminResponder.Response.Field(
                        name: "Content-Security-Policy",
                        value: StatusPage.contentSecurityPolicy(nonce: nonce))
                ])
        // Alive: the process answers.
        case "/healthz": return AdminResponder.Response(200, text: "alive\n")
        // What the hosts do is in the metrics: a watcher is ready when it can watch.
        case "/readyz":
            let reasons = overview.reasons
            let lines = [reasons.isEmpty ? "ready" : "not ready"] + reasons
            return AdminResponder.Response(
                reasons.isEmpty ? 200 : 503, text: lines.map { $0 + "\n" }.joined())
        case "/metrics":
            let format = MetricsFormat(accept: request.accept)
            return AdminResponder.Response(
                200, type: format.contentType, format.render(overview.metrics))
        case "/status.json":
            return AdminResponder.Response(
                200, type: "application/json", JSONWriter.indented(overview.json))
        default:
            return AdminResponder.Response(
                404, text: "not here: /, /healthz, /readyz, /metrics, /status.json\n")
        }
    }
}
