import Reactor

/// The current turn of a worker's loop; all its parts share it.
final class Turn {
    /// The time of the turn: read once, after the wait.
    private(set) var now: MonotonicInstant
    private(set) var number: UInt64 = 0
    /// More events were ready than one turn takes, or the last turn was long: requests may have
    /// waited.
    private(set) var isLate = false
    private var lastWasLong = false

    init(now: MonotonicInstant) { self.now = now }

    /// - Parameter isFull: the kernel returned as many events as a turn takes; there may be more.
    func began(now: MonotonicInstant, isFull: Bool) {
        self.now = now
        number += 1
        isLate = isFull || lastWasLong
    }

    func ended(now: MonotonicInstant, wasLong: Bool) {
        self.now = now
        lastWasLong = wasLong
    }
}
