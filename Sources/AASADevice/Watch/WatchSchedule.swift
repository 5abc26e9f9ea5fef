/// Which host is looked at next, and when. A value; the clock is a parameter.
///
/// Hosts keep their place in the interval, so that many of them are an even load. One that is late
/// is looked at once, and not as often as it was missed.
package struct WatchSchedule: Sendable {
    private struct Waiting: Sendable {
        let due: Int64
        let host: Int
    }

    /// By host: its next turn by the interval.
    private var turns: [Int64]
    /// Hosts that are not under way, a binary heap: the one that is due first stands first. With
    /// 10,000 hosts and 64 threads a list would be gone through a hundred times a second.
    private var waiting: [Waiting] = []
    private let interval: Int64
    /// By how much looks began too late, at most, in milliseconds: of the interval that runs and of
    /// the one before. One look alone would say "in time" whenever the luckiest host has its turn.
    private var latest: (current: Int64, before: Int64) = (0, 0)
    private var latestSince: Int64

    /// At the start hosts are taken in one after the other, at this distance or closer: the first
    /// look asks everything, about 25 requests, which 300 ms of one processor answer many times.
    private static let startDistance: Int64 = 300

    /// - Parameters:
    ///   - interval: between two looks at a host, in milliseconds.
    ///   - now: any clock in milliseconds that never goes back.
    package init(count: Int, interval: Int64, now: Int64) {
        self.interval = max(1, interval)
        let distance = min(Self.startDistance, self.interval / Int64(max(1, count)))
        turns = (0..<count).map { now + Int64($0) * distance }
        latestSince = now
        // Rising, and so a heap.
        waiting = turns.enumerated().map { Waiting(due: $0.element, host: $0.offset) }
    }

    /// By how much looks begin too late, in milliseconds: what an operator sees when the hosts are
    /// more than the time allows. What waits now counts as well.
    package func lateness(now: Int64) -> Int64 {
        let age = now - latestSince
        let began =
            age < interval
            ? max(latest.current, latest.before) : age < 2 * interval ? latest.current : 0
        return max(began, nextDue.map { now - $0 } ?? 0)
    }

    private mutating func note(late: Int64, now: Int64) {
        if now - latestSince >= interval {
            latest = (0, now - latestSince < 2 * interval ? latest.current : 0)
            latestSince = now
        }
        latest.current = max(latest.current, late)
    }

    /// The host to look at now; nil when none is due.
    package mutating func next(now: Int64) -> Int? {
        guard let first = waiting.first, first.due <= now else { return nil }
        note(late: now - first.due, now: now)
        takeFirst()
        return first.host
    }

    /// When something is due; nil when all are under way.
    package var nextDue: Int64? { waiting.first?.due }

    /// A look has ended.
    ///
    /// - Parameter soon: look again after so many milliseconds; nil: in its turn.
    package mutating func finish(_ host: Int, now: Int64, soon: Int64? = nil) {
        // The next turn that is not over.
        if turns[host] <= now {
            let missed = (now - turns[host]) / interval
            turns[host] += (missed + 1) * interval
        }
        let due = soon.map { min(now + $0, turns[host]) } ?? turns[host]
        add(Waiting(due: due, host: host))
    }

    // MARK: The heap

    private mutating func add(_ entry: Waiting) {
        waiting.append(entry)
        var index = waiting.count - 1
        while index > 0, waiting[index].due < waiting[(index - 1) / 2].due {
            waiting.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func takeFirst() {
        waiting.swapAt(0, waiting.count - 1)
        waiting.removeLast()
        var index = 0
        while let child = [2 * index + 1, 2 * index + 2].filter({ $0 < waiting.count })
            .min(by: { waiting[$0].due < waiting[$1].due }),
            waiting[child].due < waiting[index].due
        {
            waiting.swapAt(index, child)
            index = child
        }
    }
}
