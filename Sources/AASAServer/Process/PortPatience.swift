package import Logging
package import Reactor

/// Waits for a port that an aasa holds while it shuts down. A restart script starts the new server
/// when it has told the old one to end, which may accept connections for a while (`--drain`).
package struct PortPatience: Sendable {
    /// A signal that was sent just now may not have arrived yet, and of a process that was killed
    /// the kernel may still close sockets.
    private static let signalTime: Duration = .seconds(1)
    private static let pause: Duration = .milliseconds(20)

    /// Whether a port is waited for; if not, it is enough that it will be free.
    private let waits: Bool
    private let limit: Duration
    private let isShuttingDown: @Sendable (ProcessID) -> Bool?
    private let log: Logger

    /// - Parameters:
    ///   - waits: `false` before the site is loaded: a server that shuts down has its ports for as
    ///     long as that takes, or longer.
    ///   - limit: how long a server with this configuration takes to shut down.
    ///   - isShuttingDown: nil if the process is no aasa that answers.
    init(
        waits: Bool = true, limit: Duration,
        isShuttingDown: @escaping @Sendable (ProcessID) -> Bool?, log: Logger
    ) {
        self.waits = waits
        self.limit = limit
        self.isShuttingDown = isShuttingDown
        self.log = log
    }

    /// Asks other servers by their control sockets.
    package init(_ configuration: ServerConfiguration, waits: Bool = true, log: Logger) {
        let folder = configuration.runFolder
        self.init(
            waits: waits,
            limit: TerminationStateMachine.timeMaximum(drainTime: configuration.drain),
            isShuttingDown: { Self.isShuttingDown($0, in: folder) }, log: log)
    }

    /// Whether the server with this run folder shuts down; nil if it is none, or does not answer.
    ///
    /// - Parameter process: nil where the pid file does not tell. One that ends has removed its
    ///   file, one that starts has not written it yet: neither can be asked.
    package static func isShuttingDown(_ process: ProcessID?, in runFolder: String?) -> Bool? {
        guard let runFolder, let process, !OtherProcess.isStopped(process) else { return nil }
        let folder = RunFolder(path: runFolder, isNamed: true)
        let look = ControlClient.look(in: [folder], for: process)
        return look.found.first.map { $0.phase == StatusReport.Phase.draining.rawValue }
    }

    /// Tries until the port is free.
    ///
    /// - Returns: nil if it will be free, and is not to be waited for.
    /// - Throws: the last error, once waiting is of no use.
    static func take<Result>(
        _ patience: PortPatience?, _ body: () throws(SystemError) -> Result
    ) throws(SystemError) -> Result? {
        let start = MonotonicInstant.now()
        var askAt = start
        var isWaiting = false
        while true {
            do throws(SystemError) {
                return try body()
            } catch {
                let now = MonotonicInstant.now()
                guard let patience, error.isAddressInUse, now - start < patience.limit else {
                    throw error
                }
                if now >= askAt {
                    let port = SocketAddress(parsing: error.subject)?.port ?? 0
                    let owner = PortOwner.find(port: port)
                    let isEnding =
                        owner.map { patience.isShuttingDown($0.process) == true } ?? false
                    guard isEnding || now - start < signalTime else { throw error }
                    if isEnding, !patience.waits { return nil }
                    if isEnding, !isWaiting, let owner {
                        isWaiting = true
                        patience.log.notice(
                            "\(owner) is shutting down: waiting for \(error.subject)",
                            metadata: [
                                "seconds": .stringConvertible(patience.limit.components.seconds)
                            ])
                    }
                    askAt = now + (isEnding ? .seconds(1) : .milliseconds(100))
                }
                _ = Waiting.wait([], until: now + pause)
            }
        }
    }
}
