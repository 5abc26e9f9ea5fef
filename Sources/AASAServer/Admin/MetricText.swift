/// What both text formats of metrics have in common.
enum MetricText {
    static func labels(_ labels: MetricFamily.Labels) -> String {
        if labels.isEmpty { return "" }
        let pairs = labels.map { "\($0.name)=\"\(escape($0.value, quotes: true))\"" }
        return "{" + pairs.joined(separator: ",") + "}"
    }

    /// Backslash and line feed are always escaped. Quotes are escaped in label values, and in
    /// OpenMetrics everywhere.
    static func escape(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Whole numbers without a decimal point (so that counters stay readable), others in the
    /// shortest form that parses to the same value.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if value == value.rounded(), abs(value) < 9e15 { return String(Int64(value)) }
        return String(value)
    }
}
