import AASAServer

extension WatchRun {
    /// What a watcher's listener answers to a request that is allowed.
    func response(to request: AuxiliaryRequest) -> AuxiliaryResponse {
        switch request.path {
        case "/healthz": return AuxiliaryResponse(200, text: "alive\n")
        case "/metrics":
            let format = MetricsFormat(accept: request.accept)
            return AuxiliaryResponse(200, type: format.contentType, format.render(metrics()))
        default: return AuxiliaryResponse(404, text: "only /healthz and /metrics are here\n")
        }
    }
}
