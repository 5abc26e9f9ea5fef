import AASAServer
import HTTP
import Testing

@Suite struct ServerStatusTests {
    private func status(_ counters: WorkerCounters, _ snapshot: Snapshot?) -> ServerStatus {
        ServerStatus(
            version: "1.0.0", started: 5, counters: ServerCounters(workers: [counters]),
            connectionsMaximum: 100, snapshot: { snapshot }, phase: { .serving },
            reloads: { StatusReport.Reloads() })
    }

    private func snapshot() -> Snapshot {
        let unavailable = PreparedResponse(status: 503, fields: [], body: [])
        let counters = HostCounters(host: "a.example")
        counters.count(.json)
        counters.count(.unavailable)
        let hosts = [
            ServedHost(
                name: "a.example", aliases: ["www.a.example"],
                association: .unavailable(unavailable), siblings: [], counters: counters,
                facts: HostFacts(problem: "broken"))
        ]
        return Snapshot(
            generation: 4, hosts: hosts, certificates: [SampleReports.certificate()],
            defaultHost: 0, notFound: PreparedResponse(status: 404, fields: [], body: []),
            unavailable: unavailable)
    }

    @Test func gathersCountersAndSnapshot() {
        let counters = WorkerCounters()
        counters.add(.answersDocument, 5)
        counters.add(.answersSibling, 2)
        counters.add(.shedEgress, 3)
        counters.add(.shedDocument, 1)
        counters.set(.connectionsOpen, 9)
        counters.closed(.leftWhileWaiting)
        let report = status(counters, snapshot()).report(now: 100)
        #expect(report.traffic.answered == 7)
        #expect(report.traffic.unavailable == 4)
        #expect(report.traffic.shed == 3)
        #expect(report.traffic.gaveUp == 1)
        #expect(report.connections.open == 9)
        #expect(report.connections.limit == 100)
        #expect(report.generation == 4)
        #expect(report.hosts.map(\.name) == ["a.example"])
        #expect(report.hosts.first?.isAvailable == false)
        #expect(report.hosts.first?.answers.json == 1)
        #expect(report.hosts.first?.answers.unavailable == 1)
        #expect(report.certificates.count == 1)
        #expect(report.traffic.residentBytes > 0)
    }

    @Test func showsAServerThatHasNoSnapshotYet() {
        let status = status(WorkerCounters(), nil)
        let report = status.report(now: 100)
        #expect(report.hosts.isEmpty)
        let health = Health(report, shedNow: 0)
        #expect(!health.isReady)
        #expect(!status.metrics(report, health).isEmpty)
    }
}
