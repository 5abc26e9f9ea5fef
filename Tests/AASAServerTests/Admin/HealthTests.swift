import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct HealthTests {
    private let now = SampleReports.now
    private let day = SampleReports.day

    @Test func isWellWhenEverythingIsThere() {
        let health = Health(SampleReports.serving())
        expectEqual(health.level, .well)
        #expect(health.reasons.isEmpty)
        #expect(health.isReady)
    }

    @Test func isNotReadyBeforeAndAfterServing() {
        var report = SampleReports.serving()
        report.phase = .starting
        #expect(!Health(report).isReady)
        expectEqual(Health(report).level, .failing)
        report.phase = .draining
        #expect(!Health(report).isReady)
        expectEqual(Health(report).level, .attention)
    }

    @Test func namesTheHostWithoutADocument() {
        var report = SampleReports.serving()
        report.hosts[0].hasDocument = false
        report.hosts[0].facts.problem = "teams/A.json:3:7: no comma"
        let alone = Health(report)
        expectEqual(alone.level, .failing)
        expectEqual(
            alone.reasons.map(\.text), ["example.com answers 503: teams/A.json:3:7: no comma"])
        #expect(!alone.isReady, "nothing useful can be answered")

        report.hosts.append(SampleReports.serving().hosts[0])
        #expect(Health(report).isReady, "the other host is served")
    }

    @Test func asksForALookAtAnOlderDocumentAndAFailedReload() {
        var report = SampleReports.serving()
        report.hosts[0].facts.problem = "conflict"
        report.reloads.problem = "site/: unreadable"
        let health = Health(report)
        expectEqual(health.level, .attention)
        expectEqual(health.reasons.count, 2)
        #expect(health.isReady)
    }

    /// With `--acme`, and no certificate yet, no handshake succeeds.
    @Test func isReadyWhenAHostCanBeServedOverTLS() {
        var report = SampleReports.serving()
        report.hosts[0].hasCertificate = false
        let alone = Health(report)
        #expect(alone.level == .failing && !alone.isReady)
        expectEqual(
            alone.reasons.map(\.text),
            [
                "example.com has no certificate: no client can connect"
            ])
        expectEqual(alone.reasons[0].fix?.contains("fullchain.pem"), true)
        report.hosts.append(SampleReports.serving().hosts[0])
        report.hosts[1].bareAliases = ["w.example.com"]
        expectEqual(
            Health(report).reasons.last?.text,
            "w.example.com has no certificate: no client can connect")
        #expect(Health(report).isReady, "one team's broken new host takes nobody else away")
        expectEqual(Health(report).level, .failing)
    }

    @Test func namesAHostThatVanished() {
        var report = SampleReports.serving()
        report.vanished = ["b.example": 1_795_219_200]
        let health = Health(report)
        #expect(health.level == .failing && health.isReady)
        expectEqual(
            health.reasons.map(\.text),
            [
                "b.example has not been served since 2026-11-21T00:00:00Z: its folder vanished"
            ])
        expectEqual(health.reasons[0].fix?.contains("aasa reload"), true)
    }

    @Test func aStrayFolderIsAWarning() {
        var report = SampleReports.serving()
        report.strays = ["new.example"]
        let health = Health(report)
        #expect(health.level == .attention && health.isReady)
        expectEqual(
            health.reasons.map(\.text), ["new.example is not served: its folder is empty"])
    }

    @Test func comesWithTheSuggestedFix() {
        var report = SampleReports.serving()
        report.hosts[0].facts.problem = "conflict"
        report.hosts[0].facts.fix = "remove one"
        report.reloads.problem = "site/: unreadable"
        report.reloads.fix = "chmod"
        report.stateProblem = Problem(place: "state", cause: "no space", remedy: "make room")
        report.fileProblems = [Problem(place: "a.log", cause: "no", remedy: "mkdir")]
        expectEqual(
            Health(report).reasons.map(\.fix), ["remove one", "chmod", "make room", "mkdir"])
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
        expectEqual(Health(report).level, level)
        #expect(Health(report).isReady, "a client decides, refusing helps nobody")
    }

    @Test func saysHowManyWereTurnedAwayAndThatConnectionsRunOut() {
        var report = SampleReports.serving()
        report.connections.open = 9_001
        var sample = LoadSample(time: 1)
        report.load.take(sample, now: now - 2)
        sample.time = 2
        sample.traffic.shedByCause = ["age": 7]
        report.load.take(sample, now: now - 1)
        let health = Health(report)
        expectEqual(health.level, .attention)
        expectEqual(health.reasons.count, 2)
        #expect(health.reasons[0].text.contains("last minute: 7"))
    }

    @Test func tellsEveryProblemOfACertificate() {
        var report = SampleReports.serving()
        report.certificates = [SampleReports.certificate(problems: ["one", "two"])]
        let health = Health(report)
        expectEqual(health.level, .attention)
        let name = "the ECDSA P-256 certificate of example.com"
        expectEqual(health.reasons.map(\.text), ["\(name): one", "\(name): two"])
    }

    @Test func putsTheWorstFirst() {
        var report = SampleReports.serving()
        report.reloads.problem = "x"
        report.certificates = [SampleReports.certificate(ends: now - 1)]
        expectEqual(Health(report).reasons.first?.text.contains("has expired"), true)
    }
}
