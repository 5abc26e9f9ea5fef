import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct SiteMetricsTests {
    private let now = SampleReports.now

    /// The samples of a family by the values of their labels.
    private func samples(_ name: String, _ families: [MetricFamily]) -> [[String]: Double] {
        let found = families.first { $0.name == name }?.samples ?? []
        return Dictionary(
            found.map { ($0.labels.map(\.value), $0.value) }, uniquingKeysWith: { $0 + $1 })
    }

    private func report(_ change: (inout StatusReport) -> Void = { _ in }) -> StatusReport {
        var report = SampleReports.serving()
        change(&report)
        return report
    }

    private func value(
        _ name: String, _ change: (inout StatusReport) -> Void = { _ in }
    ) -> Double? {
        samples(name, ServerMetrics.site(report(change)))[[]]
    }

    @Test func aHostIsTaggedWithItsName() {
        let families = ServerMetrics.site(
            report {
                $0.hosts[0].answers[.json] = 1
                $0.hosts[0].answers[.signed] = 2
                $0.hosts[0].answers[.sibling] = 3
                $0.hosts[0].answers[.notFound] = 4
                $0.hosts[0].answers[.unavailable] = 5
                var second = $0.hosts[0]
                second.name = "b.example"
                second.hasDocument = false
                second.facts.keptSince = now - 9
                second.answers = [:]
                $0.hosts.append(second)
            })
        let answers = samples("aasa_host_answers_total", families)
        for (form, count) in [
            ("json", 1.0), ("signed", 2), ("sibling", 3), ("not_found", 4), ("unavailable", 5),
        ] {
            expectEqual(answers[["example.com", form]], count)
            expectEqual(answers[["b.example", form]], 0)
        }
        expectEqual(
            samples("aasa_document_available", families),
            [["example.com"]: 1, ["b.example"]: 0])
        // No sample: it serves what is on disk.
        expectEqual(
            samples("aasa_document_kept_since_timestamp_seconds", families),
            [["b.example"]: Double(now - 9)])
        expectEqual(samples("aasa_document_apps", families)[["example.com"]], 2)
        expectEqual(samples("aasa_document_bytes", families)[["example.com"]], 812)
    }

    @Test func aCertificateIsTaggedWithItsKey() {
        let families = ServerMetrics.site(report())
        let ends = now + 80 * SampleReports.day
        expectEqual(
            samples("aasa_certificate_not_after_timestamp_seconds", families),
            [["example.com", "ECDSA P-256"]: Double(ends)])
        let left = samples("aasa_certificate_life_left_ratio", families).values.first ?? 0
        #expect(abs(left - 80.0 / 90) < 1e-9)
    }

    /// One figure to alarm by, whatever is not served as it stands on disk.
    @Test func aBrokenSiteIsOneWhateverIsBroken() {
        expectEqual(value("aasa_site_broken"), 0)
        expectEqual(value("aasa_site_broken") { $0.reloads.problem = "x" }, 1)
        expectEqual(value("aasa_site_broken") { $0.hosts[0].facts.keptSince = now }, 1)
        expectEqual(value("aasa_site_broken") { $0.hosts[0].hasDocument = false }, 1)
        expectEqual(value("aasa_state_writable"), 1)
        let full = Problem(place: "state", cause: "full", remedy: "make room")
        expectEqual(value("aasa_state_writable") { $0.stateProblem = full }, 0)
        expectEqual(value("aasa_snapshot_generation"), 3)
        let reloads = samples(
            "aasa_reloads_total",
            ServerMetrics.site(
                report {
                    $0.reloads.succeeded = 4
                    $0.reloads.failed = 2
                }))
        expectEqual(reloads, [["ok"]: 4, ["failed"]: 2])
    }

    @Test func anOverloadIsToldByItsCause() {
        var life = Life()
        life.calm(30)
        let calm = samples("aasa_overloaded", ServerMetrics.load(life.watch))
        expectEqual(calm.count, LoadMonitor.Cause.allCases.count)
        #expect(calm.values.allSatisfy { $0 == 0 })
        life.storm(20)
        let families = ServerMetrics.load(life.watch)
        let storm = samples("aasa_overloaded", families)
        #expect(storm[["processor"]] == 1 && storm.values.reduce(0, +) == 1)
        let share = samples("aasa_answered_ratio", families)
        expectEqual(share[["10s"]], life.watch.lately.share)
        expectEqual(share[["1m"]], life.watch.minute.share)
        #expect(life.watch.lately.share < life.watch.minute.share, "else they could be mixed up")
    }

    @Test func theProcessIsToldAsPrometheusClientsDo() {
        let serving = report {
            $0.traffic.processorSeconds = 1.5
            $0.traffic.residentBytes = 4096
            $0.traffic.shedByCause = ["age": 7]
        }
        func process(_ report: StatusReport, _ name: String) -> Double? {
            samples(name, ServerMetrics.process(report, Health(report)))[[]]
        }
        expectEqual(process(serving, "process_cpu_seconds_total"), 1.5)
        expectEqual(process(serving, "process_resident_memory_bytes"), 4096)
        expectEqual(process(serving, "process_start_time_seconds"), Double(serving.started))
        expectEqual(process(serving, "aasa_shed_total"), 7)
        expectEqual(process(serving, "aasa_connections_limit"), 10_000)
        expectEqual(process(serving, "aasa_ready"), 1)
        expectEqual(process(serving, "aasa_health_level"), 0)
        let starting = report { $0.phase = .starting }
        expectEqual(process(starting, "aasa_ready"), 0)
        expectEqual(process(starting, "aasa_health_level"), 3)
        let build = samples(
            "aasa_build_info", ServerMetrics.process(serving, Health(serving)))
        expectEqual(build, [["1.0.0"]: 1])
    }
}
