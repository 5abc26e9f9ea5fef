/// Which host is looked at next, and when. A value; the clock is a parameter.
///
/// Hosts keep their place in the interval, so that many of them are an even load. One that is late
/// is looked at once, and not as often as it was missed.
package struct WatchSchedule: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        /// By the interval.
        var turn: Int64
        /// Sooner, to confirm something.
        var soon: Int64?
        var isUnderWay = false

        var due: Int64 { soon.map { min($0, turn) } ?? turn }
    }

    private var entries: [Entry]
    private let interval: Int64
    /// By how much the last look began too late, in milliseconds: what an operator sees when the
    /// hosts are more than the time allows.
    package private(set) var lateness: Int64 = 0

    /// At the start hosts are taken in one after the other, at this distance or closer: the first
    /// look asks everything, about 25 requests, which 300 ms of one processor answer many times.
    private static let startDistance: Int64 = 300

    /// - Parameters:
    ///   - interval: between two looks at a host, in milliseconds.
    ///   - now: any clock in milliseconds that never goes back.
    package init(count: Int, interval: Int64, now: Int64) {
        self.interval = max(1, interval)
        let distance = min(Self.startDistance, self.interval / Int64(max(1, count)))
        entries = (0..<count).map { Entry(turn: now + Int64($0) * distance) }
    }

    /// The host to look at now; nil when none is due.
    package mutating func next(now: Int64) -> Int? {
        var best: Int?
        for index in entries.indices
        where !entries[index].isUnderWay && entries[index].due <= now {
            if let other = best, entries[other].due <= entries[index].due { continue }
            best = index
        }
        guard let best else { return nil }
        lateness = now - entries[best].due
        entries[best].isUnderWay = true
        return best
    }

    /// When something is due; nil when all are under way.
    package var nextDue: Int64? { entries.lazy.filter { !$0.isUnderWay }.map(\.due).min() }

    /// A look has ended.
    ///
    /// - Parameter soon: look again after so many milliseconds; nil: in its turn.
    package mutating func finish(_ index: Int, now: Int64, soon: Int64? = nil) {
        entries[index].isUnderWay = false
        entries[index].soon = soon.map { now + $0 }
        // The next turn that is not over.
        if entries[index].turn <= now {
            let missed = (now - entries[index].turn) / interval
            entries[index].turn += (missed + 1) * interval
        }
    }
}
