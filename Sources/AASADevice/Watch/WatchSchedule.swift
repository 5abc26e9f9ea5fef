/// Which host is checked next, and when. A value; the clock is a parameter.
///
/// Hosts keep their phase in the interval, so that many of them are an even load. A late host is
/// checked at once, but missed checks are not repeated.
package struct WatchSchedule: Sendable {
    private struct Waiting: Sendable {
        let due: Int64
        let host: Int
    }

    /// The next regular time of each host.
    private var turns: [Int64]
    /// Hosts that are not being checked, a binary heap ordered by time. With 10,000 hosts and 64
    /// threads, a list would be scanned a hundred times a second.
    private var waiting: [Waiting] = []
    private let interval: Int64
    /// The largest delay of checks, in milliseconds, of the current interval and of the one before.
    /// The last check alone would not show a delay if its host was on time by chance.
    private var latest: (current: Int64, before: Int64) = (0, 0)
    private var latestSince: Int64

    /// Milliseconds between the first checks of hosts at the start, or less: a first check sends
    /// about 25 requests, which one processor can do many times in 300 ms.
    private static let startDistance: Int64 = 300

    /// - Parameters:
    ///   - interval: between two looks at a host, in milliseconds.
    ///   - now: any clock in milliseconds that never goes back.
    package init(count: Int, interval: Int64, now: Int64) {
        self.interval = max(1, interval)
        let distance = min(Self.startDistance, self.interval / Int64(max(1, count)))
        turns = (0..<count).map { now + Int64($0) * distance }
        latestSince = now
        // Ascending, and so a heap.
        waiting = turns.enumerated().map { Waiting(due: $0.element, host: $0.offset) }
    }

    /// The delay of checks in milliseconds: it shows the operator that there are too many hosts.
    /// Waiting hosts count, too.
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

    /// The host to check now; nil if none is due.
    package mutating func next(now: Int64) -> Int? {
        guard let first = waiting.first, first.due <= now else { return nil }
        note(late: now - first.due, now: now)
        takeFirst()
        return first.host
    }

    /// When the next check is due; nil if all hosts are being checked.
    package var nextDue: Int64? { waiting.first?.due }

    /// A check has ended.
    ///
    /// - Parameter soon: check again after this many milliseconds; nil: at the regular time.
    package mutating func finish(_ host: Int, now: Int64, soon: Int64? = nil) {
        // The next regular time in the future.
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
