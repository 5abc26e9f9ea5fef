import TestSupport
import Testing

@testable import AASAServer

@Suite struct MetricsFormatTests {
    private func text(
        _ families: [MetricFamily], as format: MetricsFormat = .openMetrics
    ) -> String {
        String(decoding: format.render(families), as: UTF8.self)
    }

    @Test func aCountersFamilyHasNoSuffixAndItsUnitIsTold() {
        var family = MetricFamily(
            "x_busy_seconds_total", .counter, "Said \"so\".", labels: ["worker"])
        family.add(2.5, "0")
        expectEqual(
            text([family]),
            """
            # TYPE x_busy_seconds counter
            # UNIT x_busy_seconds seconds
            # HELP x_busy_seconds Said \\"so\\".
            x_busy_seconds_total{worker="0"} 2.5
            # EOF

            """)
    }

    @Test func gaugesKeepTheirNames() {
        var family = MetricFamily("x_total_hosts", .gauge, "X.")
        family.add(3)
        expectEqual(
            text([family]),
            """
            # TYPE x_total_hosts gauge
            # HELP x_total_hosts X.
            x_total_hosts 3
            # EOF

            """)
    }

    @Test func nothingIsTheEndAlone() {
        expectEqual(text([]), "# EOF\n")
        expectEqual(text([MetricFamily("x", .gauge, "X.")]), "# EOF\n")
    }

    @Test(arguments: [
        ("application/openmetrics-text", MetricsFormat.openMetrics),
        (
            "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
            .openMetrics
        ),
        ("Application/OpenMetrics-Text; version=1.0.0", .openMetrics),
        ("text/plain;q=0.9, application/openmetrics-text;q=0.3", .prometheus),
        ("application/openmetrics-text;version=2.0.0", .prometheus),
        ("application/openmetrics-text;q=0", .prometheus), ("*/*", .prometheus),
        ("application/openmetrics-text;q=0.0", .prometheus),
        ("text/plain", .prometheus), ("", .prometheus), (";,;q=,", .prometheus),
    ])
    func openMetricsIsForThoseWhoAcceptIt(_ accept: String, _ format: MetricsFormat) {
        expectEqual(MetricsFormat(accept: Array(accept.utf8)), format)
    }

    @Test func withoutAnAcceptFieldItIsPrometheus() {
        expectEqual(MetricsFormat(accept: nil), .prometheus)
    }

    @Test func writesHelpTypeAndSamples() {
        var family = MetricFamily(
            "aasa_answers_total", .counter, "Answers \\ of\nall kinds.", labels: ["host"])
        family.add(3, "a\"b\\c\nd")
        family.add(0.25)
        let rendered = text([family], as: .prometheus)
        expectEqual(
            rendered,
            """
            # HELP aasa_answers_total Answers \\\\ of\\nall kinds.
            # TYPE aasa_answers_total counter
            aasa_answers_total{host="a\\"b\\\\c\\nd"} 3
            aasa_answers_total 0.25

            """)
    }

    @Test func cumulatesHistograms() {
        var family = MetricFamily("x_seconds", .histogram, "X.")
        family.addHistogram(
            buckets: [
                (bound: 0.001, count: 2), (bound: 1, count: 3), (bound: .infinity, count: 1),
            ],
            sum: 4.5)
        let rendered = text([family], as: .prometheus)
        expectEqual(
            rendered,
            """
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
        #expect(text([MetricFamily("x", .gauge, "X.")], as: .prometheus).isEmpty)
    }

    @Test(arguments: [
        (Double.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (0, "0"), (-2, "-2"),
        (1e15, "1000000000000000"), (1e300, "1e+300"), (0.1, "0.1"),
    ])
    func writesNumbersThatPrometheusReads(_ value: Double, _ text: String) {
        var family = MetricFamily("x", .gauge, "X.")
        family.add(value)
        let rendered = self.text([family], as: .prometheus)
        #expect(rendered.hasSuffix("\nx \(text)\n"))
    }
}
