/// Writes metric families in Prometheus' text format, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
package enum PrometheusText {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package static func render(_ families: [MetricFamily]) -> [UInt8] {
        var text = ""
        for family in families where !family.samples.isEmpty {
            text += "# HELP \(family.name) \(escape(family.help, quotes: false))\n"
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            for sample in family.samples {
                text += family.name + sample.suffix + labels(sample.labels)
                text += " " + number(sample.value) + "\n"
            }
        }
        return Array(text.utf8)
    }

    private static func labels(_ labels: MetricFamily.Labels) -> String {
        if labels.isEmpty { return "" }
        let pairs = labels.map { "\($0.name)=\"\(escape($0.value, quotes: true))\"" }
        return "{" + pairs.joined(separator: ",") + "}"
    }

    /// Backslash and line feed are always escaped, quotes in label values.
    private static func escape(_ text: String, quotes: Bool) -> String {
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
