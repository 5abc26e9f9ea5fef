/// The admin listener's service: checks access.
struct AdminService: ResponseService {
    let answers: any AdminAnswers
    /// Whether the listener can be reached from other machines.
    let isOnNetwork: Bool
    var opensMetrics = false
    var tokenFile: AdminTokenFile?

    mutating func response(
        to request: AuxiliaryRequest, question: inout (any Sendable)?
    ) -> AuxiliaryResponse? {
        let access = AdminAccess(
            isOnNetwork: isOnNetwork, token: tokenFile?.current(), opensMetrics: opensMetrics)
        return answers.response(to: request, access: access)
    }
}
