package import Logging
package import Reactor

/// Ends the process where its end hangs. When the last connection is closed, what is left is to
/// stop threads and to write the state: on a disk that does not answer each of it can take for
/// ever, and no thread reads signals any more.
package final class ShutdownDeadline: Sendable {
    /// What the end may take.
    package static let patience: Duration = .seconds(5)

    private let patience: Duration
    private let grace: Duration
    private let log: Logger
    private let end: @Sendable () -> Void
    private let isMet: Wakeup

    /// - Parameters:
    ///   - patience: what the end may take.
    ///   - grace: what it may take after a second signal.
    ///   - end: ends the process, whatever its threads wait for.
    package init(
        patience: Duration = ShutdownDeadline.patience, grace: Duration = .seconds(1), log: Logger,
        end: @escaping @Sendable () -> Void = { CurrentProcess.exitAtOnce(3) }
    ) throws(SystemError) {
        self.patience = patience
        self.grace = grace
        self.log = log
        self.end = end
        isMet = try Wakeup()
    }

    /// Begins to count. Signals that end a program have to be blocked in the calling thread.
    ///
    /// - Returns: the thread that counts; nil: there is none to be had.
    @discardableResult
    package func begin() -> WorkerThread? {
        let start = MonotonicInstant.now()
        return try? WorkerThread(name: "aasa-deadline") {
            guard let why = self.overdue(since: start) else { return }
            self.log.error("exiting with work unfinished: \(why). Check whether a disk hangs.")
            self.end()
        }
    }

    /// The process is at its end.
    package func met() { isMet.signal() }

    /// Why it waits no longer; nil: it need not.
    private func overdue(since start: MonotonicInstant) -> String? {
        if Waiting.wait([.init(isMet.descriptor)], until: start + min(grace, patience))[0] {
            return nil
        }
        // One of its own: that of the control loop may be closed by now.
        if let signals = try? Signals(blocking: Signals.ending) {
            let isReady = Waiting.wait(
                [.init(isMet.descriptor), .init(signals.descriptor)], until: start + patience)
            if isReady[0] { return nil }
            if signals.next() != nil { return "a second signal arrived" }
        }
        return "it took longer than \(patience.components.seconds) s"
    }
}
