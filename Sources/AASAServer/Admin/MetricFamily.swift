import Texts

/// A metric with all its samples, as Prometheus' data model has it. The file `metrics.txt` says
/// what each metric is; code adds the samples.
package struct MetricFamily: Sendable {
    package enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    package struct Sample: Sendable {
        /// Appended to the family's name: `_bucket`, `_sum`, `_count`, or nothing.
        package let suffix: String
        /// In the order they are written.
        package let labels: [(name: String, value: String)]
        package let value: Double
    }

    package let name: String
    package let kind: Kind
    /// Of all its samples.
    let labelNames: [String]
    /// One sentence for a reader in a metrics browser.
    let help: String
    /// What the workers count of it: the value of the label, and the name of the counter.
    private(set) var sources: [(label: String, counter: String)] = []
    package private(set) var samples: [Sample] = []

    init(_ name: String, _ kind: Kind, _ help: String, labels: [String] = []) {
        self.name = name
        self.kind = kind
        self.help = help
        labelNames = labels
    }

    /// A metric of the table, still without samples.
    package init(_ name: String) { self = Self.table[name] ?? MetricFamily(name, .gauge, "") }

    /// A metric without labels.
    package init(_ name: String, _ value: Double) {
        self.init(name)
        add(value)
    }

    /// A metric with a sample for each value of its label.
    package init(_ name: String, _ values: [(label: String, value: Double)]) {
        self.init(name)
        for sample in values { add(sample.value, sample.label) }
    }

    /// Adds a sample with the values of its labels, in their order.
    package mutating func add(_ value: Double, _ labels: String...) {
        let labels = zip(labelNames, labels).map { (name: $0, value: $1) }
        samples.append(Sample(suffix: "", labels: labels, value: value))
    }

    /// Adds a histogram.
    ///
    /// - Parameters:
    ///   - buckets: upper bounds, ascending and infinite at last, with the number of observations
    ///     in each bucket (not cumulated).
    ///   - sum: of all observations, in the unit of the family's name.
    mutating func addHistogram(buckets: [(bound: Double, count: UInt64)], sum: Double) {
        var total: UInt64 = 0
        for bucket in buckets {
            total &+= bucket.count
            let bound = (name: "le", value: MetricsFormat.number(bucket.bound))
            samples.append(Sample(suffix: "_bucket", labels: [bound], value: Double(total)))
        }
        samples.append(Sample(suffix: "_sum", labels: [], value: sum))
        samples.append(Sample(suffix: "_count", labels: [], value: Double(total)))
    }

    /// The metrics of `metrics.txt`, in their order there.
    static let all: [MetricFamily] = Text.metrics.string.split(separator: "\n").compactMap { line in
        let words = line.prefix { $0 != ":" }.split(separator: " ").map(String.init)
        guard words.count > 1, let kind = Kind(rawValue: words[1]) else { return nil }
        let help = String(line.drop { $0 != ":" }.dropFirst(2))
        let labels = words.dropFirst(2).filter { !$0.contains("=") }
        var family = MetricFamily(words[0], kind, help, labels: labels)
        for word in words.dropFirst(2) where word.contains("=") {
            let label = word.prefix { $0 != "=" }
            family.sources.append((String(label), String(word.dropFirst(label.count + 1))))
        }
        return family
    }

    /// The same by their names.
    static let table = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
