/// The two text formats of metrics: Prometheus' own, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/), and OpenMetrics 1.0.0
/// (https://prometheus.io/docs/specs/om/open_metrics_spec/). No exemplars: none of our numbers
/// belongs to a single request that could be looked up.
package enum MetricsFormat: Sendable, Equatable {
    case prometheus, openMetrics

    /// The format that an Accept field prefers (RFC 9110 section 12.5.1). Prometheus' own format,
    /// unless the field asks for OpenMetrics 1.
    package init(accept: [UInt8]?) {
        let field = String(decoding: accept ?? [], as: UTF8.self).lowercased()
        let ranges = field.split(separator: ",").map { $0.split { "; \t".contains($0) } }
        func quality(_ isMeant: ([Substring]) -> Bool) -> Double {
            ranges.filter(isMeant).map { range in
                range.last { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            }.max() ?? 0
        }
        let openMetrics = quality {
            $0.first == "application/openmetrics-text"
                && $0.allSatisfy { !$0.hasPrefix("version=") || $0 == "version=1.0.0" }
        }
        let text = quality { $0.first == "text/plain" || $0.first == "text/*" }
        self = openMetrics > 0 && openMetrics >= text ? .openMetrics : .prometheus
    }

    package var contentType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// Omits families without samples.
    package func render(_ families: [MetricFamily]) -> [UInt8] {
        var text = ""
        for family in families where !family.samples.isEmpty {
            text += head(of: family)
            for sample in family.samples {
                text += family.name + sample.suffix + Self.labels(sample.labels)
                text += " " + Self.number(sample.value) + "\n"
            }
        }
        if self == .openMetrics { text += "# EOF\n" }
        return Array(text.utf8)
    }

    /// Units that the name of a family may end with in OpenMetrics.
    private static let units = ["seconds", "bytes", "ratio"]

    private func head(of family: MetricFamily) -> String {
        switch self {
        case .prometheus:
            return "# HELP \(family.name) \(Self.escape(family.help, quotes: false))\n"
                + "# TYPE \(family.name) \(family.kind.rawValue)\n"
        case .openMetrics:
            let name = Self.openMetricsName(of: family)
            let unit = Self.units.first { name.hasSuffix("_" + $0) }
            return "# TYPE \(name) \(family.kind.rawValue)\n"
                + (unit.map { "# UNIT \(name) \($0)\n" } ?? "")
                + "# HELP \(name) \(Self.escape(family.help, quotes: true))\n"
        }
    }

    /// The family of a counter is named without the suffix `_total` of its samples.
    private static func openMetricsName(of family: MetricFamily) -> String {
        let suffix = "_total"
        guard family.kind == .counter, family.name.hasSuffix(suffix) else { return family.name }
        return String(family.name.dropLast(suffix.count))
    }

    private static func labels(_ labels: [(name: String, value: String)]) -> String {
        if labels.isEmpty { return "" }
        let pairs = labels.map { "\($0.name)=\"\(escape($0.value, quotes: true))\"" }
        return "{" + pairs.joined(separator: ",") + "}"
    }

    /// Backslash and line feed are always escaped. Quotes are escaped in label values, and in
    /// OpenMetrics everywhere.
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
