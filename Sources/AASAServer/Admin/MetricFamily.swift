/// A metric with all its samples, as Prometheus' data model has it.
package struct MetricFamily: Sendable {
    package enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    /// Label names with their values, in the order they are written.
    package typealias Labels = [(name: String, value: String)]

    package struct Sample: Sendable {
        /// Appended to the family's name: `_bucket`, `_sum`, `_count`, or nothing.
        package let suffix: String
        package let labels: Labels
        package let value: Double
    }

    /// By the conventions: `aasa_` first, base unit and `_total` last
    /// (https://prometheus.io/docs/practices/naming/).
    package let name: String
    /// One sentence for a reader in a metrics browser.
    package let help: String
    package let kind: Kind
    package private(set) var samples: [Sample] = []

    package init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// A family with one sample and no labels.
    package init(_ name: String, _ kind: Kind, _ help: String, value: Double) {
        self.init(name, kind, help)
        add(value)
    }

    /// A family with a sample for each value of one label.
    package init(
        _ name: String, _ kind: Kind, _ help: String, by label: String,
        _ values: [(label: String, value: Double)]
    ) {
        self.init(name, kind, help)
        for sample in values { add(sample.value, [(name: label, value: sample.label)]) }
    }

    package mutating func add(_ value: Double, _ labels: Labels = []) {
        samples.append(Sample(suffix: "", labels: labels, value: value))
    }

    /// Adds a histogram.
    ///
    /// - Parameters:
    ///   - buckets: upper bounds, ascending, with the number of observations in each bucket (not
    ///     cumulated); `above` counts the observations above the last bound.
    ///   - sum: of all observations, in the unit of the family's name.
    package mutating func addHistogram(
        buckets: [(bound: Double, count: UInt64)], above: UInt64, sum: Double, _ labels: Labels = []
    ) {
        var total: UInt64 = 0
        for bucket in buckets {
            total &+= bucket.count
            let labels = labels + [(name: "le", value: MetricsFormat.number(bucket.bound))]
            samples.append(Sample(suffix: "_bucket", labels: labels, value: Double(total)))
        }
        total &+= above
        samples.append(
            Sample(
                suffix: "_bucket", labels: labels + [(name: "le", value: "+Inf")],
                value: Double(total)))
        samples.append(Sample(suffix: "_sum", labels: labels, value: sum))
        samples.append(Sample(suffix: "_count", labels: labels, value: Double(total)))
    }
}
