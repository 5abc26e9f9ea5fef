import Reactor

/// Tells all threads of a watcher to end. Once raised it stays raised.
final class WatchStop: Sendable {
    let wakeup: Wakeup

    init() throws(SystemError) { wakeup = try Wakeup() }

    func raise() { wakeup.signal() }

    var isRaised: Bool { wait(milliseconds: 0) }

    /// - Returns: whether it was raised within the time.
    func wait(milliseconds: Int64) -> Bool {
        let end = MonotonicInstant.now() + .milliseconds(max(0, milliseconds))
        return Waiting.wait([.init(wakeup.descriptor)], until: end).contains(true)
    }
}
