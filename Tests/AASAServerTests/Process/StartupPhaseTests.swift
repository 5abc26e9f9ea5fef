import AppSiteAssociation
import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// What signals do to it is shown with the real binary (Tests/EndToEndTests/Fleet).
@Suite struct StartupPhaseTests {
    private struct Fleet: StatusSection {
        let json = JSONValue(.null)
        let metrics: [MetricFamily] = []
        func problems(in report: StatusReport) -> [Health.Reason] {
            [Health.Reason(.attention, "fleet: etcd is away")]
        }
        func lines(now: Int64) -> [String] { [] }
    }

    @Test func theAdminListenerSaysWhatIsMissing() throws {
        var listener = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 8)
        defer { listener.close() }
        let board = StatusBoard(version: "1")
        board.write { $0.fleet = Fleet() }
        let phase = try StartupPhase(board: board, log: try FileLog().logger, end: {})
        let configuration = ServerConfiguration(
            siteFolder: "s", certificateFolder: "c", listen: [])
        try phase.answer(
            on: [InheritedSocket(descriptor: listener.raw, name: "admin")], configuration)
        phase.failed(Problem(place: "certs", cause: "expired", remedy: ""))
        let answer = try Tool.run(
            "curl", ["-s", "-w", "%{http_code}", "http://\(listener.address)/readyz"])
        expectEqual(
            answer.stdout,
            """
            not ready
            starting: nothing is served yet: certs: expired
            fleet: etcd is away
            503
            """, "\(answer)")
        phase.end()
        expectEqual(board.phase, .starting)
    }

    @Test func withoutAnAdminListenerItOnlyWaitsForSignals() throws {
        let hasEnded = Lock(false)
        let phase = try StartupPhase(
            board: StatusBoard(version: "1"), log: try FileLog().logger,
            end: { hasEnded.withLock { $0 = true } })
        let configuration = ServerConfiguration(
            siteFolder: "s", certificateFolder: "c", listen: [])
        try phase.answer(on: [], configuration)
        phase.end()
        #expect(!hasEnded.withLock { $0 })
    }
}
