package import Reactor

/// Which member of the cluster is asked next, and when: every failure goes on to the next member at
/// once; when all have failed, the pause doubles up to a bound, with jitter, so that a thousand
/// machines do not come back in step.
///
/// A value: no clock, no sockets.
package struct MemberRing: Sendable {
    /// The first pause after a whole round of failures.
    package static let pauseMinimum: Duration = .milliseconds(200)
    /// A cluster that comes back is seen within this: 30 s to converge allow for it.
    package static let pauseMaximum: Duration = .seconds(8)

    package let count: Int
    /// The member to ask.
    package private(set) var current: Int
    private var failures = 0
    private var random: Jitter
    /// Before this nobody is asked; nil: at once.
    package private(set) var pauseEnds: MonotonicInstant?

    /// - Parameters:
    ///   - count: members, at least 1.
    ///   - seed: another one on every machine, so that they spread over the members.
    package init(count: Int, seed: UInt64) {
        self.count = max(1, count)
        random = Jitter(seed: seed)
        current = Int(random.next() % UInt64(max(1, count)))
    }

    package mutating func failed(now: MonotonicInstant) {
        failures += 1
        current = (current + 1) % count
        guard failures % count == 0 else { return }
        let doublings = min(failures / count - 1, 10)
        let whole = min(
            Self.pauseMinimum.inNanoseconds << Int64(doublings), Self.pauseMaximum.inNanoseconds)
        // Between half and the whole.
        pauseEnds = now.advanced(byNanoseconds: random.between(whole / 2, whole))
    }

    package mutating func succeeded() {
        failures = 0
        pauseEnds = nil
    }
}

/// Numbers that differ from machine to machine; not for secrets.
package struct Jitter: Sendable {
    private var random: SplitMix

    package init(seed: UInt64) { random = SplitMix(seed: seed) }

    package mutating func next() -> UInt64 { random.next() }

    package mutating func between(_ low: Int64, _ high: Int64) -> Int64 {
        high <= low ? low : low + Int64(next() % UInt64(high - low + 1))
    }

    /// A duration up to a quarter shorter.
    package mutating func shortened(_ duration: Duration) -> Duration {
        let whole = duration.inNanoseconds
        return .nanoseconds(between(whole - whole / 4, whole))
    }
}
