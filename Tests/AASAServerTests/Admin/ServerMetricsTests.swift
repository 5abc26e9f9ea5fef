import TestSupport
import Testing

// Covers: SiteMetrics.swift
@testable import AASAServer

@Suite struct ServerMetricsTests {
    private func families() -> [MetricFamily] {
        let first = WorkerCounters()
        let second = WorkerCounters()
        first.add(.answersDocument, 3)
        second.add(.answersDocument, 4)
        second.add(.busyNanoseconds, 1_500_000_000)
        second.closed(.slowReader)
        first.record(.answerTime, nanoseconds: 3000)
        var report = SampleReports.serving()
        report.lostMessages = 5
        report.lostAccessLines = 70
        return ServerMetrics.traffic(ServerCounters(workers: [first, second]))
            + ServerMetrics.site(report)
            + ServerMetrics.process(report, Health(report))
    }

    private func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        families().first { $0.name == name }?.samples.first { sample in
            labels.allSatisfy { wanted in
                sample.labels.contains { $0.name == wanted.key && $0.value == wanted.value }
            }
        }?.value
    }

    @Test func addsUpTheWorkers() {
        expectEqual(value("aasa_answers_total", ["kind": "document"]), 7)
        expectEqual(value("aasa_connections_closed_total", ["reason": "slow_reader"]), 1)
        expectEqual(value("aasa_loop_busy_seconds_total", ["worker": "1"]), 1.5)
        expectEqual(value("aasa_document_bytes", ["host": "example.com"]), 812)
        expectEqual(value("aasa_ready"), 1)
        expectEqual(value("aasa_log_lines_lost_total", ["log": "messages"]), 5)
        expectEqual(value("aasa_log_lines_lost_total", ["log": "access"]), 70)
    }

    /// The sum over the states is the number of connections, also where the gauges of a moment
    /// contradict each other.
    @Test(arguments: [
        (
            [10, 2, 3, 1],
            ["waiting": 2, "handshaking": 2, "handshaking_silent": 1, "established": 5]
        ),
        (
            [0, 0, 0, 0],
            ["waiting": 0, "handshaking": 0, "handshaking_silent": 0, "established": 0]
        ),
        (
            [4, 3, 3, 9],
            ["waiting": 3, "handshaking": 0, "handshaking_silent": 3, "established": 0]
        ),
    ])
    func eachConnectionIsInOneState(_ gauges: [Int], _ states: [String: Double]) {
        let worker = WorkerCounters()
        let counters: [Counter] = [
            .connectionsOpen, .connectionsWaiting, .handshakesInFlight, .handshakesSilent,
        ]
        for (counter, value) in zip(counters, gauges) { worker.set(counter, value) }
        let families = ServerMetrics.traffic(ServerCounters(workers: [worker]))
        let samples = families.first { $0.name == "aasa_connections" }?.samples ?? []
        let found = samples.map { ($0.labels.map(\.value).joined(), $0.value) }
        expectEqual(Dictionary(uniqueKeysWithValues: found), states)
    }

    @Test func hasDistinctNamesAndSamples() {
        let families = families()
        expectEqual(Set(families.map(\.name)).count, families.count)
        for family in families {
            let keys = family.samples.map { sample in
                sample.suffix
                    + sample.labels.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
            }
            expectEqual(Set(keys).count, keys.count, "\(family.name) repeats a sample")
        }
    }

    @Test func followsTheNamingConventions() {
        for family in families() {
            expectEqual(
                family.name.hasSuffix("_total"), (family.kind == .counter),
                "\(family.name) is a \(family.kind)")
            #expect(family.help.hasSuffix("."), "\(family.name): a sentence")
            if family.kind == .histogram { #expect(family.name.hasSuffix("_seconds")) }
        }
    }

    @Test func showsEveryCounterAndReason() {
        let traffic = ServerMetrics.traffic(ServerCounters(workers: [WorkerCounters()]))
        let samples = traffic.filter { $0.kind != .histogram }.reduce(0) { $0 + $1.samples.count }
        expectEqual(samples, Counter.allCases.count + CloseReason.allCases.count)
    }

    @Test func writesOneSampleForTwoCertificatesOfOneKind() {
        var report = SampleReports.serving()
        report.certificates += report.certificates
        let ends = ServerMetrics.site(report).first {
            $0.name == "aasa_certificate_not_after_timestamp_seconds"
        }
        expectEqual(ends?.samples.count, 1)
    }
}
