package import Reactor

/// Which member of the cluster is asked next, and when. A failure switches to the next member at
/// once. When all have failed, there is a pause, which doubles up to a bound, with jitter, so that
/// a thousand machines do not return in step.
///
/// A value: no clock, no sockets.
package struct MemberRing: Sendable {
    /// The first pause after a whole round of failures.
    package static let pauseMinimum: Duration = .milliseconds(200)
    /// A recovered cluster is noticed within this time: the 30 s to converge allow for it.
    package static let pauseMaximum: Duration = .seconds(8)

    package let count: Int
    /// The next member to ask.
    package private(set) var current: Int
    private var failures = 0
    private var random: SplitMix
    /// No requests before this time; nil: no pause.
    package private(set) var pauseEnds: MonotonicInstant?

    /// - Parameters:
    ///   - count: number of members, at least 1.
    ///   - seed: different on every machine, to distribute them over the members.
    package init(count: Int, seed: UInt64) {
        self.count = max(1, count)
        random = SplitMix(seed: seed)
        current = Int.random(in: 0..<self.count, using: &random)
    }

    package mutating func failed(now: MonotonicInstant) {
        failures += 1
        current = (current + 1) % count
        guard failures % count == 0 else { return }
        let doublings = min(failures / count - 1, 10)
        let whole = min(
            Self.pauseMinimum.inNanoseconds << Int64(doublings), Self.pauseMaximum.inNanoseconds)
        // Between half and all of the pause.
        pauseEnds = now.advanced(
            byNanoseconds: Int64.random(in: whole / 2...whole, using: &random))
    }

    package mutating func succeeded() {
        failures = 0
        pauseEnds = nil
    }
}

extension SplitMix {
    /// A duration reduced by up to a quarter, so that machines do not ask in step.
    mutating func shortened(_ duration: Duration) -> Duration {
        let whole = duration.inNanoseconds
        return .nanoseconds(Int64.random(in: (whole - whole / 4)...whole, using: &self))
    }
}
