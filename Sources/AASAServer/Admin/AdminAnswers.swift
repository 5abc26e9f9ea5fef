/// What an admin listener answers with: the server's pages, or a watcher's. Called from the
/// listener's thread only.
package protocol AdminAnswers: Sendable {
    func response(to request: AuxiliaryRequest, access: AdminAccess) -> AuxiliaryResponse
}

/// The pages of a server.
struct StatusAnswers: AdminAnswers {
    let board: StatusBoard

    func response(to request: AuxiliaryRequest, access: AdminAccess) -> AuxiliaryResponse {
        AdminResponder(report: board.report(), access: access, nonce: Self.nonce)
            .response(to: request)
    }

    /// 128 bits from the system's generator, for the page's Content-Security-Policy.
    private static func nonce() -> String {
        (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 16) }.joined()
    }
}
