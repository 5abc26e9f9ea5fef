/// The admin listener's service: checks access, and passes on what is allowed.
struct AdminService: ResponseService {
    /// A server's pages, or a watcher's.
    let answers: @Sendable (AuxiliaryRequest) -> AuxiliaryResponse
    /// Whether the listener can be reached from other machines.
    let isOnNetwork: Bool
    var opensMetrics = false
    var tokenFile: AdminTokenFile?

    mutating func response(
        to request: AuxiliaryRequest, question: inout (any Sendable)?
    ) -> AuxiliaryResponse? {
        let access = AdminAccess(
            isOnNetwork: isOnNetwork, token: tokenFile?.current(), opensMetrics: opensMetrics)
        return access.refusal(of: request) ?? answers(request)
    }
}
