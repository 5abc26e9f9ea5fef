package import Reactor

/// When a worker makes key pairs ahead, and when it drops those it has.
///
/// Pairs are made while nobody waits: the loop has slept for ``pause`` and no event has come. Once
/// begun it goes on until the reserve is full, a batch at a time; then it rests until an eighth is
/// used, so that a client now and then wakes nobody up.
package struct KeyReserveSchedule: Sendable, Equatable {
    package enum Action: Sendable, Equatable {
        case nothing
        /// Make so many pairs.
        case make(Int)
        /// They are too old.
        case wipe
    }

    /// How long the loop has to have slept for nothing before a batch is made.
    static let pause: Duration = .milliseconds(1)
    /// Pairs in a batch, at 30 to 60 µs each: a client that comes meanwhile waits for half a
    /// millisecond at most. With the pause a fifth to a third of a core, 4,000 to 6,400 pairs a
    /// second.
    static let batch = 8
    /// A pair is dropped that nobody has needed for so long: who reads the memory of the process
    /// once learns keys of this time and not of all the time to come.
    static let age: Duration = .seconds(3600)
    /// A machine whose clock was set by so much may be a copy of one that went on: a snapshot of a
    /// virtual machine, restored, would use the same pairs again.
    static let clockStepSeconds: Int64 = 2

    private let capacity: Int
    private var isFilling = true
    private var isStopped = false
    /// Since when there have been pairs.
    private var filledSince: MonotonicInstant?
    /// The clock of the day less the one that counts.
    private var clockDifference: Int64?

    /// - Parameter capacity: pairs that there is room for; 0: nothing is ever made.
    package init(capacity: Int) { self.capacity = capacity }

    /// A turn of the loop begins, before anybody takes a pair.
    ///
    /// - Parameters:
    ///   - unixSeconds: the clock of the day.
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

    /// How long the loop may sleep for the reserve's sake; nil: as long as it likes.
    package func timeout(now: MonotonicInstant, count: Int) -> Duration? {
        if wants(count) { return Self.pause }
        return filledSince.map { max(.zero, $0 + Self.age - now) }
    }

    /// The loop slept and nothing came.
    package mutating func idle(now: MonotonicInstant, count: Int) -> Action {
        if let filledSince, now - filledSince >= Self.age {
            wiped()
            return .wipe
        }
        if !wants(count) { return .nothing }
        if filledSince == nil { filledSince = now }
        // A full reserve wakes the loop no more, so that it is told here that it will be full.
        isFilling = capacity - count > Self.batch
        return .make(min(Self.batch, capacity - count))
    }

    /// No more are made: OpenSSL cannot, or the server stops.
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
