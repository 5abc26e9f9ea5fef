package import Reactor

/// When a worker makes key pairs ahead, and when it drops them.
///
/// Pairs are made while no client waits: the loop has slept for ``pause`` without an event. Once
/// begun, it continues until the reserve is full, a batch at a time. Then it waits until an eighth
/// is used, so that an occasional client does not wake the loop.
package struct KeyPoolSchedule: Sendable, Equatable {
    package enum Action: Sendable, Equatable {
        case nothing
        /// Make so many pairs.
        case make(Int)
        /// The pairs are too old.
        case wipe
    }

    /// How long the loop has to have slept without an event before a batch is made.
    static let pause: Duration = .milliseconds(1)
    /// Pairs in a batch, at 30 to 60 µs each: a client that arrives meanwhile waits for half a
    /// millisecond at most. With the pause, this takes a fifth to a third of a core and makes 4,000
    /// to 6,400 pairs a second.
    static let batch = 8
    /// Unused pairs are dropped at this age: an attacker who reads the memory of the process once
    /// learns the keys of this period, but not of the whole future.
    static let age: Duration = .seconds(3600)
    /// If the clock steps by this much, the machine may be a copy: a restored snapshot of a virtual
    /// machine would use the same pairs as the machine that continued.
    static let clockStepSeconds: Int64 = 2

    private let capacity: Int
    private var isFilling = true
    private var isStopped = false
    /// Since when there have been pairs.
    private var filledSince: MonotonicInstant?
    /// The difference between the wall clock and the monotonic clock.
    private var clockDifference: Int64?

    /// - Parameter capacity: the most pairs; 0: none are ever made.
    package init(capacity: Int) { self.capacity = capacity }

    /// A turn of the loop begins, before any handshake takes a pair.
    ///
    /// - Parameters:
    ///   - unixSeconds: the wall clock.
    /// - Returns: whether all pairs have to be wiped.
    package mutating func turnBegan(now: MonotonicInstant, unixSeconds: Int64) -> Bool {
        let difference = unixSeconds - now.wholeSeconds
        defer { clockDifference = difference }
        guard let clockDifference,
            abs(difference - clockDifference) >= Self.clockStepSeconds
        else { return false }
        wiped()
        return true
    }

    /// How long the loop may sleep because of the reserve; nil: no limit.
    package func timeout(now: MonotonicInstant, count: Int) -> Duration? {
        if wants(count) { return Self.pause }
        // Only a wait that blocks ends in ``idle(now:count:)``.
        return filledSince.map { max(Self.pause, $0 + Self.age - now) }
    }

    /// The loop slept and no event came.
    package mutating func idle(now: MonotonicInstant, count: Int) -> Action {
        if let filledSince, now - filledSince >= Self.age {
            wiped()
            return .wipe
        }
        if !wants(count) { return .nothing }
        if filledSince == nil { filledSince = now }
        // A full reserve does not wake the loop, so the end of filling is noted now.
        isFilling = capacity - count > Self.batch
        return .make(min(Self.batch, capacity - count))
    }

    /// No more pairs are made: OpenSSL cannot, or the server stops.
    package mutating func stop() {
        isFilling = false
        isStopped = true
    }

    private func wants(_ count: Int) -> Bool {
        !isStopped && count < capacity && (isFilling || count < capacity - capacity / 8)
    }

    private mutating func wiped() {
        filledSince = nil
        isFilling = true
    }
}
