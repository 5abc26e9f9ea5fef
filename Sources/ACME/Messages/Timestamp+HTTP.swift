import AppSiteAssociation

/// Parses the times in an authority's response headers.
extension Timestamp {
    /// Seconds since 1970 of `Sun, 22 Nov 2026 06:30:00 GMT` (RFC 9110 section 5.6.7, the current
    /// format).
    static func seconds(httpDate text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: words[2])
        else { return nil }
        let number = "\(month < 9 ? "0" : "")\(month + 1)"
        return seconds(rfc3339: "\(words[3])-\(number)-\(words[1])T\(words[4])Z").map(Int64.init)
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Retry-After`: seconds, or a date (RFC 9110 section 10.2.3). Returns the seconds to wait, at
    /// least 0; nil if it is missing or invalid.
    static func retryAfter(_ text: String?, now: Int64) -> Int64? {
        guard let text, text.utf8.count <= 29 else { return nil }
        if text.utf8.count <= 12, text.utf8.allSatisfy({ (48...57).contains($0) }) {
            return Int64(text)
        }
        return seconds(httpDate: text).map { max(0, $0 - now) }
    }
}
