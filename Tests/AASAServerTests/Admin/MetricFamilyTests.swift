import TestSupport
import Testing

@testable import AASAServer

@Suite struct MetricFamilyTests {

    @Test func `Buckets are cumulated, and the last one counts all`() {
        var family = MetricFamily("x_seconds", .histogram, "X.")
        family.addHistogram(
            buckets: [
                (bound: 0.5, count: 2), (bound: 1, count: 0), (bound: 2, count: 3),
                (bound: .infinity, count: 4),
            ], sum: 12.5)
        let buckets = family.samples.filter { $0.suffix == "_bucket" }
        expectEqual(buckets.map(\.value), [2, 2, 5, 9])
        expectEqual(buckets.map { $0.labels.last?.value }, ["0.5", "1", "2", "+Inf"])
        #expect(buckets.allSatisfy { $0.labels.map(\.name) == ["le"] })
        let rest = family.samples.dropFirst(buckets.count)
        expectEqual(rest.map(\.suffix), ["_sum", "_count"])
        expectEqual(rest.map(\.value), [12.5, 9])
        #expect(rest.allSatisfy { $0.labels.isEmpty })
    }

    @Test func `A histogram without observations is there all the same`() {
        var family = MetricFamily("x_seconds", .histogram, "X.")
        family.addHistogram(buckets: [(bound: .infinity, count: 0)], sum: 0)
        expectEqual(family.samples.map(\.suffix), ["_bucket", "_sum", "_count"])
        #expect(family.samples.allSatisfy { $0.value == 0 })
    }

    @Test func `Samples are kept in their order, with suffix, labels and value`() {
        var one = MetricFamily("x", .gauge, "X.")
        one.add(3)
        #expect(one.samples.count == 1 && one.samples[0].labels.isEmpty)
        #expect(one.samples[0].suffix == "" && one.samples[0].value == 3)
        var several = MetricFamily("x", .gauge, "X.", labels: ["a", "b"])
        #expect(several.samples.isEmpty)
        several.add(1, "1", "one")
        several.add(2, "2", "two")
        expectEqual(several.samples.map(\.value), [1, 2])
        expectEqual(several.samples[1].labels.map(\.name), ["a", "b"])
        expectEqual(several.samples[1].labels.map(\.value), ["2", "two"])
    }

    @Test func `The table has the kind, the labels and the sentence of each metric`() {
        let overloaded = MetricFamily("aasa_overloaded", [("link", 1)])
        #expect(overloaded.kind == .gauge && overloaded.samples[0].labels[0].name == "cause")
        expectEqual(overloaded.help, "1 while overloaded, by the exhausted resource.")
        expectEqual(MetricFamily("aasa_turn_duration_seconds").kind, .histogram)
        expectEqual(MetricFamily.table["aasa_document_available"]?.labelNames, ["host"])
        #expect(MetricFamily.table.values.allSatisfy { $0.help.hasSuffix(".") })
        #expect(MetricFamily.table.values.allSatisfy { $0.samples.isEmpty })
    }
}
