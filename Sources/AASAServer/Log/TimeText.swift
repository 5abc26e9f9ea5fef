import HTTP

/// Times for people and for logs, always UTC. Own arithmetic, because `gmtime` and `strftime` need
/// time zone files, a locale and a lock.
package enum TimeText {
    /// `2026-11-21`
    package static func day(_ secondsSince1970: Int64) -> String {
        let date = CivilDate(daysSince1970: Int(floorDivide(secondsSince1970, 86_400)))
        return "\(date.year)-\(two(Int64(date.month)))-\(two(Int64(date.day)))"
    }

    /// `2026-11-21T15:04:05Z` (RFC 3339)
    package static func second(_ secondsSince1970: Int64) -> String {
        day(secondsSince1970) + "T" + clock(secondsSince1970) + "Z"
    }

    /// `2026-11-21T15:04:05.678Z`
    package static func millisecond(_ milliseconds: Int64) -> String {
        let seconds = floorDivide(milliseconds, 1000)
        let rest = String(milliseconds - seconds * 1000)
        return day(seconds) + "T" + clock(seconds) + "."
            + String(repeating: "0", count: 3 - rest.count) + rest + "Z"
    }

    private static func clock(_ seconds: Int64) -> String {
        let rest = seconds - floorDivide(seconds, 86_400) * 86_400
        return "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
    }

    private static func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value - divisor + 1) / divisor
    }
}
