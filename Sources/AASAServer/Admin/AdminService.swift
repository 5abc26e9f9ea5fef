import HTTP

/// The admin listener's service: checks access.
struct AdminService: ResponseService {
    let answers: any AdminAnswers
    /// Whether the listener can be reached from other machines.
    let isOnNetwork: Bool
    var opensMetrics = false
    var tokenFile: AdminTokenFile?

    mutating func response(
        to request: AdminRequest, question: inout (any Sendable)?
    ) -> AdminResponder.Response? {
        let access = AdminAccess(
            isOnNetwork: isOnNetwork, token: tokenFile?.current(), opensMetrics: opensMetrics)
        return answers.response(to: request, access: access)
    }
}

/// A request to the admin listener, as far as its answer depends on it.
package struct AdminRequest {
    package let method: String
    /// As sent, with its query.
    package let target: String
    package let path: String
    package let authority: String?
    package let authorization: [UInt8]?
    /// Chooses the format of the metrics.
    package let accept: [UInt8]?
}

extension AdminRequest {
    init(_ request: RequestView) {
        method = String(decoding: request.methodName, as: UTF8.self)
        target = String(decoding: request.target, as: UTF8.self)
        path = String(decoding: request.path, as: UTF8.self)
        authority = request.authority.map { String(decoding: $0, as: UTF8.self) }
        authorization = request.authorization.map { Array($0) }
        accept = request.accept.map { Array($0) }
    }
}

extension AdminResponder.Response {
    static let badRequest = AdminResponder.Response(
        status: 400,
        fields: [Field(name: "Content-Type", value: "text/plain; charset=utf-8")],
        body: Array("The request is not valid HTTP.\n".utf8))
}
