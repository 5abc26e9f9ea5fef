import Glibc
import HTTP
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct StatusBridgeTests {
    private let publisher = SnapshotPublisher(
        Publication(snapshot: TestEndpoint.snapshot(), contexts: []))
    private let counters = WorkerCounters()

    private func bridge(
        keeper: StateKeeper = StateKeeper(path: nil), reloader: Reloader? = nil,
        accessLog: AccessLog? = nil
    ) throws -> StatusBridge {
        StatusBridge(
            publisher: publisher, reloader: try reloader ?? Reloader(),
            counters: ServerCounters(workers: [counters, counters]), connectionsMaximum: 42,
            keeper: keeper, monitor: try Monitor(), accessLog: accessLog, version: "1.2",
            renewals: { StatusReport.Renewals() },
            fleet: { StatusReport.Fleet(name: "f", channel: "c", machine: "m") })
    }

    @Test func aReportShowsWhatIsPublishedAtThatMoment() throws {
        let source = try bridge().source
        counters.set(.connectionsOpen, 3)
        let now = WallClock.seconds
        let report = source.report(now: now)
        #expect(report.version == "1.2" && report.workers == 2)
        #expect(report.connections.limit == 42 && report.connections.open == 6)
        #expect(report.generation == 1 && report.hosts.count == 2)
        #expect(report.started <= now && now - report.started < 3600)
        #expect(report.renewals != nil && report.fleet?.name == "f")
        #expect(report.stateProblem == nil && report.accessLogProblem == nil)
        #expect(report.reloads == StatusReport.Reloads())
        publisher.publish(
            Publication(snapshot: TestEndpoint.snapshot(generation: 2), contexts: []))
        #expect(source.report(now: now).generation == 2)
    }

    /// Also for whoever got the source before.
    @Test func aDrainIsSeenAtOnce() throws {
        let bridge = try bridge()
        let source = bridge.source
        #expect(source.phase() == .serving)
        bridge.drainBegins()
        #expect(source.phase() == .draining && bridge.source.phase() == .draining)
        #expect(!Health(source.report(now: 0), shedNow: 0).isReady)
    }

    @Test func aStateFolderThatCannotBeUsedIsSaid() throws {
        let folder = try TemporaryFolder("bridge")
        let file = try folder.write("state", "a file in its place")
        let keeper = StateKeeper(path: file)
        let source = try bridge(keeper: keeper).source
        #expect(source.report(now: 0).stateProblem == nil)
        #expect(!keeper.read().problems.isEmpty)
        #expect(source.report(now: 0).stateProblem?.contains(file) == true)
    }

    @Test func reloadsAreCountedWithTheirLastProblem() throws {
        let fixture = try SiteFixture()
        try fixture.write("a.example/apple-app-site-association", SiteFixture.fragment)
        try fixture.certify("a.example", ends: 80_000)
        var loader = try fixture.loader()
        let publisher = SnapshotPublisher(try loader.load(now: SiteFixture.now).publication)
        let reloader = try Reloader()
        let source = try bridge(reloader: reloader).source
        try reloader.start(
            loader: loader, publisher: publisher, pollInterval: .seconds(3600), watches: false,
            log: try FileLog().logger, around: { _ in })
        defer { reloader.stop() }
        /// Waits for the outcome.
        func reload() -> StatusReport.Reloads {
            let before = source.reloads()
            var after = before
            reloader.reload()
            #expect(
                eventually {
                    after = source.reloads()
                    return after.succeeded + after.failed > before.succeeded + before.failed
                })
            return after
        }
        let good = reload()
        #expect(good.succeeded == 1 && good.failed == 0 && good.problem == nil)
        try fixture.write("a.example/apple-app-site-association", "{")
        let bad = reload()
        #expect(bad.succeeded == 1 && bad.failed == 1)
        #expect(bad.problem?.contains("apple-app-site-association") == true)
        #expect(source.report(now: 0).reloads == bad)
    }
}
