import Reactor

/// The control socket of a running server: `aasa reload`, `upgrade` and `status` ask here and get
/// the outcome. Only the server's own user and root may ask.
final class ControlServer: Sendable {
    /// Enough for people and scripts; one more waits in the kernel's queue.
    static let backlog: Int32 = 16
    static let connectionsMaximum = 16

    private let path: String
    private let server: AuxiliaryServer

    /// - Parameter path: of the Unix socket, in a folder that only its owner can write to.
    init(path: String, _ service: any AuxiliaryService) throws(SystemError) {
        let address = try SocketAddress.requireUnix(path: path)
        var listener = try ListeningSocket(on: address, backlog: Self.backlog, sharesPort: false)
        try? Files.setMode(path, 0o600)
        self.path = path
        server = try AuxiliaryServer(
            owning: [listener.release()], name: "aasa-commands",
            connectionsMaximum: Self.connectionsMaximum, backlog: Self.backlog, service: service)
    }

    /// Removes the socket, answers the commands whose outcome is known, and ends.
    func stop() {
        Files.remove(path)
        server.stop()
    }
}
