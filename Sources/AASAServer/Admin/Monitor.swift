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
            let load = board.sample(
                now: now, monotonic: Double(MonotonicInstant.now().nanoseconds) / 1e9)
            if let line = teller.line(load, now: now) {
                log.log(level: line.needsAttention ? .warning : .notice, "\(line.text)")
            }
            thread.wait(within: interval)
        }
    }
}

/// When an overload is logged: at its beginning, every minute, and at its end.
struct OverloadLogger {
    private var toldAt: Int64?
    private var since: Int64 = 0

    mutating func line(_ load: LoadMonitor, now: Int64) -> (text: String, needsAttention: Bool)? {
        guard let overload = load.overload else {
            guard toldAt != nil else { return nil }
            toldAt = nil
            return (
                "the overload ended after \(now - since) s; in the last minute \(LoadMonitor.percent(load.minute.share)) of \(load.minute.decided) clients got an answer",
                false
            )
        }
        if let toldAt, now - toldAt < Monitor.repeatSeconds { return nil }
        if toldAt == nil { since = now }
        toldAt = now
        return (overload.text, true)
    }
}
