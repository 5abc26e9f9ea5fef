import Testing

@testable import AASAServer

@Suite struct MetricFamilyTests {

    @Test func `Buckets are cumulated, and the last one counts all`() {
        var family = MetricFamily("x_seconds", .histogram, "X.")
        family.addHistogram(
            buckets: [(bound: 0.5, count: 2), (bound: 1, count: 0), (bound: 2, count: 3)],
            above: 4, sum: 12.5, [(name: "worker", value: "1")])
        let buckets = family.samples.filter { $0.suffix == "_bucket" }
        #expect(buckets.map(\.value) == [2, 2, 5, 9])
        #expect(buckets.map { $0.labels.last?.value } == ["0.5", "1", "2", "+Inf"])
        // The own labels come first, as in every other sample of the family.
        #expect(
            buckets.allSatisfy { $0.labels.map(\.name) == ["worker", "le"] },
            "\(buckets.map(\.labels))")
        let rest = family.samples.dropFirst(buckets.count)
        #expect(rest.map(\.suffix) == ["_sum", "_count"])
        #expect(rest.map(\.value) == [12.5, 9])
        #expect(rest.allSatisfy { $0.labels.map(\.name) == ["worker"] })
    }

    @Test func `A histogram without observations is there all the same`() {
        var family = MetricFamily("x_seconds", .histogram, "X.")
        family.addHistogram(buckets: [], above: 0, sum: 0)
        #expect(family.samples.map(\.suffix) == ["_bucket", "_sum", "_count"])
        #expect(family.samples.allSatisfy { $0.value == 0 })
    }

    @Test func `Samples are kept in their order, with suffix, labels and value`() {
        let one = MetricFamily("x", .gauge, "X.", value: 3)
        #expect(one.samples.count == 1 && one.samples[0].labels.isEmpty)
        #expect(one.samples[0].suffix == "" && one.samples[0].value == 3)
        var several = MetricFamily("x", .gauge, "X.")
        #expect(several.samples.isEmpty)
        several.add(1, [(name: "a", value: "1")])
        several.add(2, [(name: "a", value: "2")])
        #expect(several.samples.map(\.value) == [1, 2])
    }
}
