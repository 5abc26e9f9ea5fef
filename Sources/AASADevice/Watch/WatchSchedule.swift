/// Which host is checked next, and when. A value; the clock is a parameter.
///
/// Hosts keep their phase in the interval, so that many of them are an even load. A late host is
/// checked at once, but missed checks are not repeated.
package struct WatchSchedule: Sendable {
    /// The next regular time of each host.
    private var turns: [Int64]
    private var isBusy: [Bool]
    private let interval: Int64

    /// Milliseconds between the first checks of hosts at the start, or less: a check sends about 25
    /// requests, which one processor can do many times in 300 ms.
    private static let startDistance: Int64 = 300

    /// - Parameters:
    ///   - interval: between two checks of a host, in milliseconds.
    ///   - now: any clock in milliseconds that never goes back.
    package init(count: Int, interval: Int64, now: Int64) {
        self.interval = max(1, interval)
        let distance = min(Self.startDistance, self.interval / Int64(max(1, count)))
        turns = (0..<count).map { now + Int64($0) * distance }
        isBusy = Array(repeating: false, count: count)
    }

    /// The waiting host that is due first.
    private var first: Int? { turns.indices.filter { !isBusy[$0] }.min { turns[$0] < turns[$1] } }

    /// When the next check is due; nil if all hosts are being checked.
    package var nextDue: Int64? { first.map { turns[$0] } }

    /// By how many milliseconds the check that is due first is late.
    package func lateness(now: Int64) -> Int64 { max(0, now - (nextDue ?? now)) }

    /// The host to check now; nil if none is due.
    package mutating func next(now: Int64) -> Int? {
        guard let first, turns[first] <= now else { return nil }
        isBusy[first] = true
        return first
    }

    /// A check has ended: the next one follows at the next regular time in the future.
    package mutating func finish(_ host: Int, now: Int64) {
        isBusy[host] = false
        if turns[host] <= now {
            turns[host] += ((now - turns[host]) / interval + 1) * interval
        }
    }
}
