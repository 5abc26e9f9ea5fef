import AASAServer

/// What a watcher's listener answers, with the same access rules as the server's.
struct WatchAnswers: AdminAnswers {
    let run: WatchRun

    func response(to request: AuxiliaryRequest, access: AdminAccess) -> AuxiliaryResponse {
        if let refusal = AdminResponder.refusal(of: request, access: access) { return refusal }
        switch request.path {
        case "/healthz": return AuxiliaryResponse(200, text: "alive\n")
        case "/metrics":
            let format = MetricsFormat(accept: request.accept)
            return AuxiliaryResponse(
                200, type: format.contentType, format.render(run.metrics()))
        default: return AuxiliaryResponse(404, text: "only /healthz and /metrics are here\n")
        }
    }
}
