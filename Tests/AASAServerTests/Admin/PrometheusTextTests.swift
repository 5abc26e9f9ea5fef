import TestSupport
import Testing

@testable import AASAServer

@Suite struct PrometheusTextTests {
    @Test func writesHelpTypeAndSamples() {
        var family = MetricFamily("aasa_answers_total", .counter, "Answers \\ of\nall kinds.")
        family.add(3, [(name: "host", value: "a\"b\\c\nd")])
        family.add(0.25)
        let text = String(decoding: PrometheusText.render([family]), as: UTF8.self)
        #expect(
            text == """
                # HELP aasa_answers_total Answers \\\\ of\\nall kinds.
                # TYPE aasa_answers_total counter
                aasa_answers_total{host="a\\"b\\\\c\\nd"} 3
                aasa_answers_total 0.25

                """)
    }

    @Test func cumulatesHistograms() {
        var family = MetricFamily("x_seconds", .histogram, "X.")
        family.addHistogram(
            buckets: [(bound: 0.001, count: 2), (bound: 1, count: 3)], above: 1, sum: 4.5)
        let text = String(decoding: PrometheusText.render([family]), as: UTF8.self)
        #expect(
            text == """
                # HELP x_seconds X.
                # TYPE x_seconds histogram
                x_seconds_bucket{le="0.001"} 2
                x_seconds_bucket{le="1"} 5
                x_seconds_bucket{le="+Inf"} 6
                x_seconds_sum 4.5
                x_seconds_count 6

                """)
    }

    @Test func leavesOutFamiliesWithoutSamples() {
        #expect(PrometheusText.render([MetricFamily("x", .gauge, "X.")]).isEmpty)
    }

    @Test(arguments: [
        (Double.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (0, "0"), (-2, "-2"),
        (1e15, "1000000000000000"), (1e300, "1e+300"), (0.1, "0.1"),
    ])
    func writesNumbersThatPrometheusReads(_ value: Double, _ text: String) {
        var family = MetricFamily("x", .gauge, "X.")
        family.add(value)
        let rendered = String(decoding: PrometheusText.render([family]), as: UTF8.self)
        #expect(rendered.hasSuffix("\nx \(text)\n"))
    }
}
