import AASAFleet
import Foundation
import TestSupport
import Testing

@testable import AASAServer
@testable import ACME
@testable import aasa

/// The names of metrics are a promise: the table in `deploy/prometheus/METRICS.md` has every one
/// that a server can show, with its kind and its labels, and no other.
@Suite struct MetricsTableTests {
    private struct Row: Hashable, CustomStringConvertible {
        let name: String
        let kind: String
        let labels: Set<String>

        var description: String { "\(name) \(kind) \(labels.sorted())" }
    }

    /// The rows of the page's tables.
    private func page() throws -> Set<Row> {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("deploy/prometheus/METRICS.md"),
            encoding: .utf8)
        let rows = page.split(separator: "\n").compactMap { line -> Row? in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count > 4, cells[1].hasPrefix("`") else { return nil }
            let labels = cells[3].split(separator: ",").map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
            }
            return Row(
                name: cells[1].trimmingCharacters(in: CharacterSet(charactersIn: "`")),
                kind: cells[2], labels: Set(labels))
        }
        return Set(rows)
    }

    /// A server with a host of every kind, renewals and a fleet.
    private func report() -> StatusReport {
        let now: Int64 = 1_800_000_000
        var report = StatusReport(version: "1", now: now, started: now)
        report.counters = ServerCounters(workers: [WorkerCounters()])
        var host = StatusReport.Host(name: "a.example", facts: HostFacts())
        host.facts.keptSince = now
        report.hosts = [host]
        report.certificates = [
            ServedCertificate(
                folder: "a.example", file: "f", names: [], keyType: "RSA 2048", issuer: "i",
                notBefore: now, notAfter: now + 1)
        ]
        var renewals = RenewalStatus()
        renewals.entries = [
            RenewalStatus.Entry(
                folder: "a.example", isRSA: true, names: [], state: "good", note: "",
                notAfter: nil, next: now, tries: 0, lastError: nil, remedy: nil, authority: "ca")
        ]
        report.renewals = renewals
        report.fleet = FleetSection(name: "f", channel: "c", machine: "m")
        return report
    }

    @Test func thePageDescribesWhatTheProgramDoes() throws {
        let known = MetricFamily.table.values.map {
            Row(name: $0.name, kind: $0.kind.rawValue, labels: Set($0.labelNames))
        }
        expectEqual(Set(known), (try page()))
    }

    @Test func theTableHasEveryMetricAndNoOther() throws {
        let report = report()
        let served = ServerMetrics.all(report, Health(report)).map { family in
            let labels = family.samples.flatMap { $0.labels.map(\.name) }
            return Row(
                name: family.name, kind: family.kind.rawValue,
                labels: Set(labels).subtracting(["le"]))
        }
        let table = try page().filter { !$0.name.contains("_watch_") }
        #expect(table.count > 50)
        #expect(Set(served).subtracting(table).isEmpty, "not in the table")
        #expect(table.subtracting(served).isEmpty, "not served")
        for row in served where row.kind == "gauge" && row.name.contains("timestamp") {
            #expect(row.name.hasSuffix("_timestamp_seconds"))
        }
    }
}
