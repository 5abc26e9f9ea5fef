package import Reactor

/// Up to when a loop has seen what its peers did, and for how long it was kept from running.
///
/// A process can be stopped, a virtual machine frozen, a core starved: then deadlines pass while
/// the bytes that meet them lie in the sockets. So deadlines are judged by ``judged``, the time at
/// which the last wait began whose events were all handled: whatever had arrived by then has been
/// read. And a pause is reported, so that nobody is charged for it.
///
/// A value; the loop tells it the time.
package struct LoopClock: Sendable {
    /// What a wait for events came to.
    package struct Wait: Sendable, Equatable {
        /// How long it lasted, in nanoseconds: computed in every turn, where a `Duration` costs.
        package let slept: Int64
        /// Whether it was one that may block.
        package let mayBlock: Bool
        /// How long the loop was kept from running, where that is worth mention.
        package let pause: Duration?
    }

    /// In nanoseconds. Shorter pauses are what an ordinary machine does; every deadline has seconds
    /// of slack.
    package static let pauseMinimum: Int64 = 250_000_000

    private let capacity: Int
    private var waitBeganAt: MonotonicInstant
    /// In nanoseconds; `nil`: for ever.
    private var timeout: Int64?
    private var lastTurnBusy: Int64 = 0
    /// Waits in a row that gave as many events as fit: there may be more.
    private var fullWaits = 0
    private var seriesBeganAt: MonotonicInstant
    /// Deadlines that have passed by this time are past.
    package private(set) var judged: MonotonicInstant

    /// - Parameter capacity: events that one wait can give.
    package init(capacity: Int, now: MonotonicInstant) {
        self.capacity = capacity
        waitBeganAt = now
        seriesBeganAt = now
        judged = now
    }

    /// The loop asks for events.
    ///
    /// - Parameter timeout: how long it is ready to wait; `nil`: for ever.
    package mutating func waitBegan(now: MonotonicInstant, timeout: Duration?) {
        waitBeganAt = now
        self.timeout = timeout?.inNanoseconds
    }

    /// The loop has got so many events, which it handles before it judges anybody.
    package mutating func waitEnded(
        now: MonotonicInstant, eventCount: Int, openConnections: Int
    ) -> Wait {
        let mayBlock = timeout != 0
        // No event from a wait that may block is a time-out, or a signal that ended it early: only
        // the next wait shows whether there is anything.
        let isWhole = eventCount < capacity && (eventCount > 0 || !mayBlock)
        if fullWaits == 0 { seriesBeganAt = waitBeganAt }
        if isWhole {
            judged = waitBeganAt
            fullWaits = 0
        } else if eventCount >= capacity {
            fullWaits += 1
            // The kernel gives events in turn: by now each connection has had its own.
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
