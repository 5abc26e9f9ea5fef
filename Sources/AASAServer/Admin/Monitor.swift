import Logging
import Reactor

/// Samples the server once a second, on its own thread, even if no client asks. Writes the
/// history and the verdict on the load to the status, and logs when the verdict changes.
enum Monitor {
    static let interval: Duration = .seconds(1)
    /// A lasting overload is logged again after so many seconds.
    static let repeatSeconds: Int64 = 60

    /// Runs on a thread until it has to stop.
    static func run(_ thread: StoppableThreads, _ board: StatusBoard, _ log: Logger) {
        var teller = OverloadLogger()
        while !thread.isStopping {
            let now = WallClock.seconds
            if let line = teller.line(board.sample(now: now), now: now) {
                log.log(level: line.needsAttention ? .warning : .notice, "\(line.text)")
            }
            thread.wait(within: interval)
        }
    }
}

/// When an overload is logged: at its beginning, every minute, and at its end.
struct OverloadLogger {
    /// When the overload was told last, and when it was first.
    private var told: (last: Int64, first: Int64)?

    mutating func line(_ load: LoadMonitor, now: Int64) -> (text: String, needsAttention: Bool)? {
        if let overload = load.overload {
            if let told, now - told.last < Monitor.repeatSeconds { return nil }
            told = (now, told?.first ?? now)
            return (overload.text, true)
        }
        guard let since = told?.first else { return nil }
        told = nil
        return (
            "the overload ended after \(now - since) s; in the last minute \(LoadMonitor.percent(load.minute.share)) of \(load.minute.decided) clients got an answer",
            false
        )
    }
}
