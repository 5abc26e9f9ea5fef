/// What an admin listener answers with: the server's pages, or a watcher's. Called from the
/// listener's thread only.
package protocol AdminAnswers: Sendable {
    func response(to request: AuxiliaryRequest, access: AdminAccess) -> AuxiliaryResponse
}

/// The pages of a server.
struct StatusAnswers: AdminAnswers {
    let board: StatusBoard

    func response(to request: AuxiliaryRequest, access: AdminAccess) -> AuxiliaryResponse {
        AdminResponder(report: board.report(), access: access, nonce: AdminNonce.make)
            .response(to: request)
    }
}

/// Makes the nonce of the status page's Content-Security-Policy.
enum AdminNonce {
    /// 128 bits from the system's generator, in hexadecimal.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(generator.next() as UInt64, radix: 16)
            + String(generator.next() as UInt64, radix: 16)
    }
}
