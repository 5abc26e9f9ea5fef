import Testing

// Covers: MetricText.swift
@testable import AASAServer

@Suite struct OpenMetricsTextTests {
    private func text(_ families: [MetricFamily]) -> String {
        String(decoding: OpenMetricsText.render(families), as: UTF8.self)
    }

    @Test func aCountersFamilyHasNoSuffixAndItsUnitIsTold() {
        var family = MetricFamily("x_busy_seconds_total", .counter, "Said \"so\".")
        family.add(2.5, [(name: "worker", value: "0")])
        #expect(
            text([family]) == """
                # TYPE x_busy_seconds counter
                # UNIT x_busy_seconds seconds
                # HELP x_busy_seconds Said \\"so\\".
                x_busy_seconds_total{worker="0"} 2.5
                # EOF

                """)
    }

    @Test func gaugesKeepTheirNames() {
        #expect(
            text([MetricFamily("x_total_hosts", .gauge, "X.", value: 3)]) == """
                # TYPE x_total_hosts gauge
                # HELP x_total_hosts X.
                x_total_hosts 3
                # EOF

                """)
    }

    @Test func nothingIsTheEndAlone() {
        #expect(text([]) == "# EOF\n")
        #expect(text([MetricFamily("x", .gauge, "X.")]) == "# EOF\n")
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
        ("text/plain", .prometheus), ("", .prometheus), (";,;q=,", .prometheus),
    ])
    func theFormatIsWhatIsPreferred(_ accept: String, _ format: MetricsFormat) {
        #expect(MetricsFormat(accept: Array(accept.utf8)) == format)
    }

    @Test func withoutAnAcceptFieldItIsPrometheus() {
        #expect(MetricsFormat(accept: nil) == .prometheus)
    }
}
