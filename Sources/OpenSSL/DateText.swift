/// Dates for people, without a calendar library.
package enum DateText {
    /// 0000-01-01.
    static let earliest: Int64 = -62_167_219_200
    /// 9999-12-31, the last second; RFC 5280 uses it for "no end".
    static let latest: Int64 = 253_402_300_799

    /// `2026-11-21`, UTC.
    package static func day(_ seconds: Int64) -> String {
        let (year, month, day) = civil(seconds)
        return "\(year)-\(two(month))-\(two(day))"
    }

    /// `2026-11-21T17:25:00Z`.
    package static func moment(_ seconds: Int64) -> String {
        let second = ((seconds % 86_400) + 86_400) % 86_400
        return "\(day(seconds))T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
    }

    private static func two(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// Days to year, month, day: Howard Hinnant's `civil_from_days`.
    private static func civil(_ seconds: Int64) -> (Int64, Int64, Int64) {
        // A certificate's dates lie in the years 0 to 9999; others are shown as the nearest.
        let bounded = min(max(seconds, earliest), latest)
        let days = (bounded - ((bounded % 86_400) + 86_400) % 86_400) / 86_400 + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
