/// Parses the time formats of authorities: RFC 3339 in JSON, and HTTP dates. The result is in
/// seconds since 1970.
package enum Timestamp {
    /// `2026-11-22T06:30:00Z`, `2026-11-22T07:30:00.5+01:00` (RFC 3339); nil for anything else.
    package static func rfc3339(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), let time = timeOfDay(bytes[11..<19])
        else { return nil }
        var rest = bytes[19...]
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst().drop { (48...57).contains($0) }
        }
        guard let offset = offset(rest), let days = days(year, month, day) else { return nil }
        return days * 86_400 + time - offset
    }

    /// `Sun, 22 Nov 2026 06:30:00 GMT` (RFC 9110 section 5.6.7, the current format).
    package static func httpDate(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", words[4].utf8.count == 8,
            let day = number(Array(words[1].utf8)[...]),
            let month = months.firstIndex(of: String(words[2])),
            let year = number(Array(words[3].utf8)[...]),
            let time = timeOfDay(Array(words[4].utf8)[...]),
            let days = days(year, Int64(month + 1), day)
        else { return nil }
        return days * 86_400 + time
    }

    /// `Retry-After`: seconds, or a date (RFC 9110 section 10.2.3). Returns the seconds to wait, at
    /// least 0; nil if it is missing or invalid.
    package static func retryAfter(_ text: String?, now: Int64) -> Int64? {
        guard let text else { return nil }
        if let seconds = number(Array(text.utf8)[...]) { return seconds }
        return httpDate(text).map { max(0, $0 - now) }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.count <= 12, digits.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 48) }
    }

    /// `06:30:00`; a leap second counts as the following second.
    private static func timeOfDay(_ text: ArraySlice<UInt8>) -> Int64? {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.count == 2 }), let hour = number(parts[0]),
            let minute = number(parts[1]), let second = number(parts[2]), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func offset(_ text: ArraySlice<UInt8>) -> Int64? {
        guard let first = text.first else { return nil }
        if first == UInt8(ascii: "Z") || first == UInt8(ascii: "z") {
            return text.count == 1 ? 0 : nil
        }
        let parts = text.dropFirst().split(
            separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard first == UInt8(ascii: "+") || first == UInt8(ascii: "-"), parts.count == 2,
            parts.allSatisfy({ $0.count == 2 }), let hours = number(parts[0]),
            let minutes = number(parts[1]), hours < 24, minutes < 60
        else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return first == UInt8(ascii: "-") ? -seconds : seconds
    }

    /// Days since 1970-01-01: Howard Hinnant's `days_from_civil`.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...lengths[Int(month) - 1]).contains(day)
        else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
