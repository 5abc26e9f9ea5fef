import OpenSSL

/// Times of log lines, always UTC.
package enum TimeText {
    /// `2026-11-21T15:04:05.678Z`
    package static func millisecond(_ milliseconds: Int64) -> String {
        let rest = (milliseconds % 1000 + 1000) % 1000
        let second = DateText.moment((milliseconds - rest) / 1000).dropLast()
        return "\(second).\(String(rest + 1000).dropFirst())Z"
    }
}
