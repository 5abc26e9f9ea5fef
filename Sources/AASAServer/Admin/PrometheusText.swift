/// Writes metric families in Prometheus' text format, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
package enum PrometheusText {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package static func render(_ families: [MetricFamily]) -> [UInt8] {
        var text = ""
        for family in families where !family.samples.isEmpty {
            text += "# HELP \(family.name) \(MetricText.escape(family.help, quotes: false))\n"
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            for sample in family.samples {
                text += family.name + sample.suffix + MetricText.labels(sample.labels)
                text += " " + MetricText.number(sample.value) + "\n"
            }
        }
        return Array(text.utf8)
    }
}
