import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// What signals do to it is shown with the real binary (Tests/EndToEndTests/Fleet).
@Suite struct StartupPhaseTests {
    @Test func theAdminListenerSaysWhatIsMissing() throws {
        var listener = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 8)
        defer { listener.close() }
        let phase = try StartupPhase(
            version: "1", log: try FileLog().logger,
            fleet: {
                var fleet = StatusReport.Fleet(name: "web", channel: "stable", machine: "m1")
                fleet.trouble = "etcd is away"
                return fleet
            }, end: {})
        let configuration = ServerConfiguration(
            siteFolder: "s", certificateFolder: "c", listen: [])
        try phase.answer(
            on: [InheritedSocket(descriptor: listener.raw, name: "admin")], configuration)
        phase.failed(Problem(place: "certs", cause: "expired", remedy: ""))
        let answer = try Tool.run(
            "curl", ["-s", "-w", "%{http_code}", "http://\(listener.address)/readyz"])
        #expect(
            answer.stdout == """
                not ready
                starting: nothing is served yet: certs: expired
                fleet: the store does not answer: etcd is away
                503
                """, "\(answer)")
        phase.end()
        #expect(phase.status.report(now: 0).phase == .starting)
    }

    @Test func withoutAnAdminListenerItOnlyWaitsForSignals() throws {
        let hasEnded = Lock(false)
        let phase = try StartupPhase(
            version: "1", log: try FileLog().logger, fleet: { nil },
            end: { hasEnded.withLock { $0 = true } })
        let configuration = ServerConfiguration(
            siteFolder: "s", certificateFolder: "c", listen: [])
        try phase.answer(on: [], configuration)
        phase.end()
        #expect(!hasEnded.withLock { $0 })
    }
}
