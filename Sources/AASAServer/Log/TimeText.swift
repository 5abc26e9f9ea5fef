/// Times for people and for logs, always UTC. Own arithmetic: no time zone files, no locale, no
/// lock on the way (`gmtime` and `strftime` have all three).
package enum TimeText {
    /// `2026-11-21`
    package static func day(_ secondsSince1970: Int64) -> String {
        let (year, month, day) = civil(days: floorDivide(secondsSince1970, 86_400))
        return "\(year)-\(two(month))-\(two(day))"
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

    /// Days since 1970-01-01 → the proleptic Gregorian date (Howard Hinnant, "chrono-compatible
    /// low-level date algorithms": years begin in March, so the leap day comes last).
    private static func civil(days: Int64) -> (Int64, Int64, Int64) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
