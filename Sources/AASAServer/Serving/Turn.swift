import Reactor

/// The turn of a worker's loop that is running, as all its parts have to know it.
final class Turn {
    /// Its time: read once, after the wait.
    private(set) var now: MonotonicInstant
    private(set) var number: UInt64 = 0
    /// More was ready than one turn takes, or the last one took long: requests may have waited.
    private(set) var isLate = false
    private var lastWasLong = false

    init(now: MonotonicInstant) { self.now = now }

    /// - Parameter isFull: the kernel had as many events as a turn takes, or more.
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
