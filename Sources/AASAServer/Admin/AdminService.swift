import HTTP

/// The admin listener's service: checks access, and passes on what is allowed.
struct AdminService: AuxiliaryService {
    /// A server's pages, or a watcher's.
    let answers: @Sendable (AuxiliaryRequest) -> AuxiliaryResponse
    /// Whether the listener can be reached from other machines.
    let isOnNetwork: Bool
    var opensMetrics = false
    var tokenFile: AdminTokenFile?

    mutating func answer(_ request: RequestView) -> AuxiliaryAnswer {
        let asked = AuxiliaryRequest(request)
        let access = AdminAccess(
            isOnNetwork: isOnNetwork, token: tokenFile?.current(), opensMetrics: opensMetrics)
        return (access.refusal(of: asked) ?? answers(asked)).answer(to: asked)
    }
}
