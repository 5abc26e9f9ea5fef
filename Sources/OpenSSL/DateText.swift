internal import COpenSSL

/// Formats certificate dates, with OpenSSL's calendar.
package enum DateText {
    /// 0000-01-01.
    static let earliest: Int64 = -62_167_219_200
    /// 9999-12-31, the last second; RFC 5280 uses it for "no expiration".
    static let latest: Int64 = 253_402_300_799

    /// `2026-11-21`, UTC.
    package static func day(_ seconds: Int64) -> String { String(moment(seconds).prefix(10)) }

    /// `2026-11-21T17:25:00Z`.
    package static func moment(_ seconds: Int64) -> String {
        // Dates outside the years 0 to 9999 are shown as the nearest.
        guard let time = ASN1_GENERALIZEDTIME_set(nil, Int(min(max(seconds, earliest), latest)))
        else { return "?" }
        defer { ASN1_GENERALIZEDTIME_free(time) }
        // "20261121172500Z" (X.690 section 11.7).
        var text = octets(of: time) ?? []
        for (offset, mark) in zip([4, 7, 10, 13, 16], "--T::".utf8) {
            text.insert(mark, at: offset)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
