package import Logging
package import Reactor

/// A server that does not serve yet, because it reads a large site or waits for its fleet: it ends
/// when a signal asks for it, and its admin listener reports what is missing.
package final class StartupPhase: Sendable {
    /// What the admin listener shows.
    private let board: StatusBoard
    private let admin = Lock<AdminServer?>(nil)
    private let watcher: StoppableThreads

    /// - Parameters:
    ///   - end: ends the process, whatever its threads wait for. Nothing is served yet, so that
    ///     nothing has to be finished.
    package init(
        board: StatusBoard, log: Logger,
        end: @escaping @Sendable () -> Void = { CurrentProcess.exitAtOnce(0) }
    ) throws(Problem) {
        self.board = board
        do throws(SystemError) {
            let watcher = try StoppableThreads()
            self.watcher = watcher
            try watcher.start(name: "aasa-start") {
                guard let signals = try? Signals(blocking: Signals.ending) else { return }
                let isReady = Waiting.wait(
                    [.init(watcher.wakeup.descriptor), .init(signals.descriptor)],
                    until: .distantFuture)
                guard !isReady[0], let signal = signals.next() else { return }
                let name = signal == Signals.interrupt ? "SIGINT" : "SIGTERM"
                log.notice("\(name) received before anything was served: exiting")
                end()
            }
        } catch {
            throw .limits("start", error)
        }
    }

    /// Starts to answer on the admin listener, if there is one. Its descriptor stays the caller's.
    package func answer(
        on sockets: [InheritedSocket], _ configuration: ServerConfiguration
    ) throws(Problem) {
        guard let socket = sockets.first(where: SocketActivation.isAdmin) else { return }
        let server = try AdminServer(on: socket.descriptor, board: board, configuration)
        admin.withLock { $0 = server }
    }

    /// What cannot be served was tried again, and why it is not served.
    package func failed(_ problem: Problem) {
        board.write {
            $0.reloads.problem = "\(problem)"
            $0.reloads.fix = problem.remedy
        }
    }

    /// The server serves: its admin listener answers, and its control loop reads the signals.
    package func end() {
        admin.withLock { $0 }?.leave()
        watcher.stop()
    }

    deinit { end() }
}
