package import Reactor

/// Up to which time a loop knows what its peers did, and for how long it was kept from running.
///
/// When a process is stopped, a virtual machine frozen or a core starved, deadlines pass although
/// the bytes that meet them are already in the sockets. So deadlines are judged by ``judged``: the
/// start of the last wait whose events were all handled. All that had arrived by then has been
/// read. A pause is also reported, so that it is not counted against any peer.
///
/// A value; the loop tells it the time.
package struct LoopClock: Sendable {
    /// The result of a wait for events.
    package struct Wait: Sendable, Equatable {
        /// How long it lasted, in nanoseconds: computed in every turn, where a `Duration` is too
        /// slow.
        package let slept: Int64
        /// Whether the wait was allowed to block.
        package let mayBlock: Bool
        /// How long the loop was kept from running; nil for shorter than `pauseMinimum`.
        package let pause: Duration?
    }

    /// In nanoseconds. Shorter pauses are normal on an ordinary machine, and every deadline has
    /// seconds of slack.
    package static let pauseMinimum: Int64 = 250_000_000

    private let capacity: Int
    private var waitBeganAt: MonotonicInstant
    /// In nanoseconds; `nil`: without limit.
    private var timeout: Int64?
    private var lastTurnBusy: Int64 = 0
    /// Consecutive waits that returned as many events as fit: there may be more.
    private var fullWaits = 0
    private var seriesBeganAt: MonotonicInstant
    /// A deadline up to this time has passed.
    package private(set) var judged: MonotonicInstant

    /// - Parameter capacity: the most events of one wait.
    package init(capacity: Int, now: MonotonicInstant) {
        self.capacity = capacity
        waitBeganAt = now
        seriesBeganAt = now
        judged = now
    }

    /// The loop asks for events.
    ///
    /// - Parameter timeout: how long it may wait; `nil`: without limit.
    package mutating func waitBegan(now: MonotonicInstant, timeout: Duration?) {
        waitBeganAt = now
        self.timeout = timeout?.inNanoseconds
    }

    /// The loop has got so many events, and handles them before it judges any deadline.
    package mutating func waitEnded(
        now: MonotonicInstant, eventCount: Int, openConnections: Int
    ) -> Wait {
        let mayBlock = timeout != 0
        // A wait that may block and returns no event timed out, or a signal ended it early: only
        // the next wait shows whether there are events.
        let isWhole = eventCount < capacity && (eventCount > 0 || !mayBlock)
        if fullWaits == 0 { seriesBeganAt = waitBeganAt }
        if isWhole {
            judged = waitBeganAt
            fullWaits = 0
        } else if eventCount >= capacity {
            fullWaits += 1
            // The kernel returns events in rotation: by now each connection has had its own.
            if fullWaits * capacity > openConnections + capacity {
                judged = seriesBeganAt
                fullWaits = 0
            }
        }
        let slept = now.nanoseconds - waitBeganAt.nanoseconds
        let late = timeout.map { max(0, slept - $0) } ?? 0
        let pause = late + lastTurnBusy
        return Wait(
            slept: slept, mayBlock: mayBlock,
            pause: pause >= Self.pauseMinimum ? .nanoseconds(pause) : nil)
    }

    /// The turn's work is done.
    package mutating func turnEnded(busyNanoseconds: Int64) {
        lastTurnBusy = busyNanoseconds
    }
}
