/// Formats numbers for people and plots, without Foundation.
package enum Decimal {
    /// `value` with `places` decimals (rounded half away from zero).
    package static func text(_ value: Double, _ places: Int = 1) -> String {
        guard value.isFinite else { return "–" }
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = (value * scale).rounded()
        guard abs(scaled) < 9e15 else { return "\(value)" }
        let whole = Int64(scaled)
        let magnitude = whole.magnitude
        let divisor = UInt64(scale)
        let fraction = String(magnitude % divisor)
        let sign = whole < 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(magnitude)" }
        let padding = String(repeating: "0", count: max(0, places - fraction.count))
        return "\(sign)\(magnitude / divisor).\(padding)\(fraction)"
    }

    /// A duration with a suitable unit: µs, ms or s.
    package static func duration(_ seconds: Double) -> String {
        if seconds < 0.001 { return "\(text(seconds * 1e6, 0)) µs" }
        if seconds < 1 { return "\(text(seconds * 1e3, 1)) ms" }
        return "\(text(seconds, 2)) s"
    }

    /// A count with separators: 1,234,567.
    package static func count(_ value: Int) -> String {
        var digits = Array(String(value.magnitude))
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: place)
            place -= 3
        }
        return (value < 0 ? "-" : "") + String(digits)
    }
}
