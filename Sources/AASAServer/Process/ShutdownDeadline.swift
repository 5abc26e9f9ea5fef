package import Logging
package import Reactor

/// Ends the process where its end hangs. When the last connection is closed, what is left is to
/// stop threads and to write the state: on a disk that does not answer each of it can take for
/// ever, and no thread reads signals any more.
package final class ShutdownDeadline: Sendable {
    /// What the end may take.
    package static let patience: Duration = .seconds(5)

    private let patience: Duration
    private let log: Logger
    private let end: @Sendable () -> Void
    private let isMet: Wakeup

    /// - Parameters:
    ///   - patience: what the end may take.
    ///   - end: ends the process, whatever its threads wait for.
    package init(
        patience: Duration = ShutdownDeadline.patience, log: Logger,
        end: @escaping @Sendable () -> Void = { CurrentProcess.exitAtOnce(3) }
    ) throws(SystemError) {
        self.patience = patience
        self.log = log
        self.end = end
        isMet = try Wakeup()
    }

    /// Begins to count.
    ///
    /// - Returns: the thread that counts; nil: there is none to be had.
    @discardableResult
    package func begin() -> WorkerThread? {
        let start = MonotonicInstant.now()
        return try? WorkerThread(name: "aasa-deadline") {
            if Waiting.wait([.init(self.isMet.descriptor)], until: start + self.patience)[0] {
                return
            }
            self.log.error(
                "exiting with work unfinished: it took longer than \(self.patience.components.seconds) s. Check whether a disk hangs."
            )
            self.end()
        }
    }

    /// The process is at its end.
    package func met() { isMet.signal() }
}
