/// Writes metric families in the text format of OpenMetrics 1.0.0
/// (https://prometheus.io/docs/specs/om/open_metrics_spec/). No exemplars: none of our numbers
/// belongs to a single request that could be looked up.
package enum OpenMetricsText {
    package static let contentType =
        "application/openmetrics-text; version=1.0.0; charset=utf-8"

    /// Units that a family's name may end with.
    private static let units = ["seconds", "bytes", "ratio"]

    package static func render(_ families: [MetricFamily]) -> [UInt8] {
        var text = ""
        for family in families where !family.samples.isEmpty {
            let name = name(family)
            text += "# TYPE \(name) \(family.kind.rawValue)\n"
            if let unit = units.first(where: { name.hasSuffix("_" + $0) }) {
                text += "# UNIT \(name) \(unit)\n"
            }
            text += "# HELP \(name) \(MetricText.escape(family.help, quotes: true))\n"
            for sample in family.samples {
                text += family.name + sample.suffix + MetricText.labels(sample.labels)
                text += " " + MetricText.number(sample.value) + "\n"
            }
        }
        return Array((text + "# EOF\n").utf8)
    }

    /// The family of a counter is named without the suffix `_total` of its samples.
    private static func name(_ family: MetricFamily) -> String {
        let suffix = "_total"
        guard family.kind == .counter, family.name.hasSuffix(suffix) else { return family.name }
        return String(family.name.dropLast(suffix.count))
    }
}

/// The two text formats of metrics.
package enum MetricsFormat: Sendable, Equatable {
    case prometheus, openMetrics

    /// The format that an Accept field prefers (RFC 9110 section 12.5.1). Prometheus' own format,
    /// unless the field asks for OpenMetrics 1.
    package init(accept: [UInt8]?) {
        var best = (openMetrics: 0.0, text: 0.0)
        let field = String(decoding: accept ?? [], as: UTF8.self).lowercased()
        for range in field.split(separator: ",") {
            let parts = range.split(separator: ";").map(\.trimmedBlanks)
            guard let type = parts.first else { continue }
            var quality = 1.0
            var version = ""
            for parameter in parts.dropFirst() {
                if parameter.hasPrefix("q=") { quality = Double(parameter.dropFirst(2)) ?? 0 }
                if parameter.hasPrefix("version=") { version = String(parameter.dropFirst(8)) }
            }
            switch type {
            case "application/openmetrics-text" where version.isEmpty || version == "1.0.0":
                best.openMetrics = max(best.openMetrics, quality)
            case "text/plain", "text/*": best.text = max(best.text, quality)
            default: break
            }
        }
        self = best.openMetrics > 0 && best.openMetrics >= best.text ? .openMetrics : .prometheus
    }

    package var contentType: String {
        switch self {
        case .prometheus: PrometheusText.contentType
        case .openMetrics: OpenMetricsText.contentType
        }
    }

    package func render(_ families: [MetricFamily]) -> [UInt8] {
        switch self {
        case .prometheus: PrometheusText.render(families)
        case .openMetrics: OpenMetricsText.render(families)
        }
    }
}

extension Substring {
    fileprivate var trimmedBlanks: Substring {
        var rest = drop { $0 == " " || $0 == "\t" }
        while let last = rest.last, last == " " || last == "\t" { rest = rest.dropLast() }
        return rest
    }
}
