package import Reactor

/// The admin listener on a thread of its own: a busy or stuck status page costs the workers
/// nothing, and a storm on the public port does not hide the status page.
package final class AdminServer: Sendable {
    /// Short: only people and a scraper connect.
    package static let backlog: Int32 = 64
    /// Connections at once. A further connection replaces the one that has been silent for longest.
    static let connectionsMaximum = 32

    /// The address it is bound to, with the real port where 0 was asked for.
    package let address: SocketAddress
    private let server: AuxiliaryServer

    /// Serves on a listening socket until `stop`. The server owns the socket from here on.
    ///
    /// - Parameters:
    ///   - listener: the raw descriptor of a listening socket, bound or handed over.
    ///   - tokenFile: the token that protects all pages but the two probes. Without it, those pages
    ///     are closed on a network address.
    ///   - opensMetrics: whether the metrics need no token.
    ///   - answers: to the requests that are allowed; called from the listener's thread only.
    /// - Throws: `SystemError` when the descriptor is not a listening socket, or a thread or
    ///   descriptor cannot be had.
    package init(
        owning listener: Int32, tokenFile: AdminTokenFile? = nil, opensMetrics: Bool = false,
        answers: @escaping @Sendable (AuxiliaryRequest) -> AuxiliaryResponse
    ) throws(SystemError) {
        var adopted = try ListeningSocket(adopting: listener)
        address = adopted.address
        let service = AdminService(
            answers: answers, isOnNetwork: !adopted.address.isLoopback,
            opensMetrics: opensMetrics, tokenFile: tokenFile)
        // Only the descriptor's number crosses into the thread. The thread owns the socket again.
        server = try AuxiliaryServer(
            owning: [adopted.release()], name: "aasa-admin",
            connectionsMaximum: Self.connectionsMaximum, service: service)
    }

    /// Serves a server's pages on a duplicate of a listening socket, which stays the caller's.
    convenience init(
        on listener: Int32, board: StatusBoard, _ configuration: ServerConfiguration
    ) throws(Problem) {
        let tokenFile = try configuration.adminTokenFile.map(AdminTokenFile.init)
        do throws(SystemError) {
            try self.init(
                owning: FileDescriptor.duplicate(listener), tokenFile: tokenFile,
                opensMetrics: configuration.adminOpensMetrics
            ) { AdminResponder(report: board.report()).response(to: $0) }
        } catch {
            throw .limits("--admin", error)
        }
    }

    /// Binds `address` and serves on it.
    ///
    /// - Throws: `SystemError` about the address.
    package convenience init(
        on address: SocketAddress, tokenFile: AdminTokenFile? = nil,
        answers: @escaping @Sendable (AuxiliaryRequest) -> AuxiliaryResponse
    ) throws(SystemError) {
        var listener = try ListeningSocket(
            on: address, backlog: Self.backlog, sharesPort: false)
        try self.init(owning: listener.release(), tokenFile: tokenFile, answers: answers)
    }

    /// Leaves the address to a successor; see ``AuxiliaryServer/leave()``.
    package func leave() { server.leave() }

    /// Sends the answers that are under way, ends the thread and waits for it. Call exactly once.
    package func stop() { server.stop() }
}
