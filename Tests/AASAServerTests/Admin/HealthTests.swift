import AASAServer
import Testing

@Suite struct HealthTests {
    private let now = SampleReports.now
    private let day = SampleReports.day

    @Test func isWellWhenEverythingIsThere() {
        let health = Health(SampleReports.serving(), shedNow: 0)
        #expect(health.level == .well)
        #expect(health.reasons.isEmpty)
        #expect(health.isReady)
    }

    @Test func isNotReadyBeforeAndAfterServing() {
        var report = SampleReports.serving()
        report.phase = .starting
        #expect(!Health(report, shedNow: 0).isReady)
        #expect(Health(report, shedNow: 0).level == .failing)
        report.phase = .draining
        #expect(!Health(report, shedNow: 0).isReady)
        #expect(Health(report, shedNow: 0).level == .attention)
    }

    @Test func namesTheHostWithoutADocument() {
        var report = SampleReports.serving()
        report.hosts[0].isAvailable = false
        report.hosts[0].facts.problem = "teams/A.json:3:7: no comma"
        let alone = Health(report, shedNow: 0)
        #expect(alone.level == .failing)
        #expect(alone.reasons == ["example.com answers 503: teams/A.json:3:7: no comma"])
        #expect(!alone.isReady, "nothing useful can be answered")

        report.hosts.append(SampleReports.serving().hosts[0])
        #expect(Health(report, shedNow: 0).isReady, "the other host is served")
    }

    @Test func asksForALookAtAnOlderDocumentAndAFailedReload() {
        var report = SampleReports.serving()
        report.hosts[0].facts.problem = "conflict"
        report.reloads.problem = "site/: unreadable"
        let health = Health(report, shedNow: 0)
        #expect(health.level == .attention)
        #expect(health.reasons.count == 2)
        #expect(health.isReady)
    }

    private static let lives: [(Int64, Health.Level)] = [
        (80, .well), (23, .well), (22, .attention), (12, .attention), (11, .failing),
        (0, .failing), (-1, .failing),
    ]

    @Test(arguments: lives)
    func judgesACertificateByItsShareOfLife(daysLeft: Int64, level: Health.Level) {
        var report = SampleReports.serving()
        let ends = now + daysLeft * day
        report.certificates = [SampleReports.certificate(begins: ends - 90 * day, ends: ends)]
        #expect(Health(report, shedNow: 0).level == level)
        #expect(Health(report, shedNow: 0).isReady, "a client decides, refusing helps nobody")
    }

    @Test func saysHowManyWereTurnedAwayAndThatConnectionsRunOut() {
        var report = SampleReports.serving()
        report.connections.open = 9_001
        let health = Health(report, shedNow: 7)
        #expect(health.level == .attention)
        #expect(health.reasons.count == 2)
        #expect(health.reasons[0].contains("7 clients"))
    }

    @Test func tellsEveryProblemOfACertificate() {
        var report = SampleReports.serving()
        report.certificates = [SampleReports.certificate(problems: ["one", "two"])]
        let health = Health(report, shedNow: 0)
        #expect(health.level == .attention)
        let name = "the ECDSA P-256 certificate of example.com"
        #expect(health.reasons == ["\(name): one", "\(name): two"])
    }

    @Test func namesTheAliasThatNoCertificateCoversYet() {
        var report = SampleReports.serving()
        report.certificates = [SampleReports.certificate()]
        var entry = StatusReport.Renewals.Entry(
            host: "example.com", key: "ecdsa", state: "waiting", note: "its time has come")
        entry.names = ["example.com"]
        func reasons() -> [String] {
            var renewals = StatusReport.Renewals()
            renewals.entries = [entry]
            report.renewals = renewals
            return Health(report, shedNow: 0).reasons
        }
        #expect(reasons().isEmpty)
        entry.names.append("w.example.org")
        #expect(reasons() == ["example.com waits for a certificate that covers w.example.org"])
        report.certificates = []
        #expect(reasons() == ["example.com waits for its certificate"])
        entry.state = "good"
        #expect(reasons().isEmpty)
    }

    @Test func putsTheWorstFirst() {
        var report = SampleReports.serving()
        report.reloads.problem = "x"
        report.certificates = [SampleReports.certificate(ends: now - 1)]
        #expect(Health(report, shedNow: 0).reasons.first?.contains("has ended") == true)
    }
}
