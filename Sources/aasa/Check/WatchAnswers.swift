import AASAServer

/// What a watcher's listener answers, with the same access rules as the server's.
struct WatchAnswers: AdminAnswers {
    let run: WatchRun

    func response(to request: AdminRequest, access: AdminAccess) -> AdminResponder.Response {
        if let refusal = AdminResponder.refusal(of: request, access: access) { return refusal }
        switch request.path {
        case "/healthz": return AdminResponder.Response(200, text: "alive\n")
        case "/metrics":
            let format = MetricsFormat(accept: request.accept)
            return AdminResponder.Response(
                200, type: format.contentType, format.render(run.metrics()))
        default: return AdminResponder.Response(404, text: "not here: /healthz, /metrics\n")
        }
    }
}
