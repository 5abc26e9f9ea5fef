import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// The loop on the test's own thread: told what to do at each turn, and to stop at the end.
@Suite struct ReloadLoopTests {
    private let fixture: SiteFixture
    private let log: FileLog
    private let wakeup: Wakeup
    private let file = "a.example/apple-app-site-association"
    private let other = "{\"appclips\":{\"apps\":[\"D3KQX62K1A.com.example.Clip\"]}}"

    init() throws {
        fixture = try SiteFixture()
        log = try FileLog()
        wakeup = try Wakeup()
        try fixture.write(file, SiteFixture.fragment)
        try fixture.certify("a.example", begins: -3_000, ends: 80_000)
        // No turn waits: it is woken before it begins.
        wakeup.signal()
    }

    private struct Outcome {
        var replies: [ReloadOutcome] = []
        var moments: [ReloadPhase] = []
        let report: StatusReport
        var reloads: StatusReport.Reloads { report.reloads }
        /// Whether each of the moments was told to be one of work.
        var busy: [Bool] = []
        let publisher: SnapshotPublisher
    }

    /// Runs the loop; before each turn that asks for a load one of the steps is done.
    private func run(
        keeper: StateKeeper = StateKeeper(path: nil),
        asking causes: Set<ReloadStateMachine.Cause> = [.order],
        orderedAt: () -> MonotonicInstant = { .now() }, _ steps: [() throws -> Void]
    ) throws -> Outcome {
        var loader = try fixture.loader()
        let publisher = SnapshotPublisher(try loader.load(now: SiteFixture.now).publication)
        let moments = Lock<[ReloadPhase]>([])
        let replies = Lock<[ReloadOutcome]>([])
        let busy = Lock<[Bool]>([])
        let board = StatusBoard(version: "1")
        var loop = ReloadLoop(
            loader: loader, publisher: publisher, board: board, pollInterval: .seconds(3600),
            watches: false, keeper: keeper, log: log.logger,
            around: { moment in
                moments.withLock { $0.append(moment) }
                let isBusy = board.report().reloads.busySince != nil
                busy.withLock { $0.append(isBusy) }
            })
        var rest = steps[...]
        loop.run(
            wakeup: wakeup,
            mustReload: {
                guard let step = rest.popFirst() else { return nil }
                try? step()
                let time = orderedAt()
                return causes.map { cause in
                    Reloader.Order(
                        cause: cause,
                        reply: { outcome in replies.withLock { $0.append(outcome) } }, time: time)
                }
            })
        return Outcome(
            replies: replies.withLock { $0 }, moments: moments.withLock { $0 },
            report: board.report(), busy: busy.withLock { $0 }, publisher: publisher)
    }

    private func text(_ publisher: SnapshotPublisher) -> String {
        publisher.latest.snapshot.hosts[0].association.response(userAgent: nil).response.text
    }

    @Test func anOrderIsALoadAndItsReply() throws {
        let outcome = try run([{ try fixture.write(file, other) }])
        expectEqual(outcome.moments, [.begins, .ended])
        expectEqual(outcome.busy, [true, true])
        let reports = try outcome.replies.map { try $0.load.get() }
        expectEqual(reports.map(\.generation), [2])
        expectEqual(reports[0].changes.map(\.host), ["a.example"])
        #expect(outcome.reloads.succeeded == 1 && outcome.reloads.failed == 0)
        #expect(outcome.reloads.problem == nil && outcome.reloads.busySince == nil)
        expectEqual(text(outcome.publisher), other)
        #expect(log.lines.contains { $0.hasPrefix("notice  reloaded  cause=order ") })
    }

    /// The teams come back one by one while a certificate of another host is installed, or a
    /// fleet's agent asks: no operator has said that the other team is gone.
    @Test(arguments: [ReloadStateMachine.Cause.certificates, .revision, .order])
    func onlyAnOrderTakesAwayWhatWasLost(cause: ReloadStateMachine.Cause) throws {
        let place = fixture.site + "/a.example"
        Files.remove("\(fixture.site)/\(file)")
        try fixture.write("a.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        try fixture.write(
            "a.example/teams/9JA89QQLNQ.json", "{\"appclips\":{\"apps\":[\"9JA89QQLNQ.b.Clip\"]}}")
        let outcome = try run(
            asking: [cause],
            [
                { try Files.rename(place + "/teams", to: fixture.folder.path("away")) },
                { try fixture.write("a.example/teams/D3KQX62K1A.json", SiteFixture.fragment) },
            ])
        let isTaken = cause == .order
        expectEqual(text(outcome.publisher).contains("9JA89QQLNQ"), !isTaken)
        expectEqual((outcome.reloads.problem == nil), isTaken)
        try expectEqual(outcome.replies.map { try $0.load.get().hasErrors }, [true, !isTaken])
        #expect(log.lines.contains { $0.contains("cause=\(cause.rawValue) ") })
    }

    /// It waited while the load before it found the loss.
    @Test(arguments: [false, true]) func anOrderConfirmsWhatWasReportedBeforeIt(waited: Bool) throws
    {
        try fixture.write("a.example/well-known/assetlinks.json", "[]")
        let began = MonotonicInstant.now()
        let outcome = try run(
            orderedAt: { waited ? began : .now() },
            [
                {
                    try Files.rename(
                        fixture.site + "/a.example/well-known", to: fixture.folder.path("away"))
                }, {},
            ])
        let siblings = outcome.publisher.latest.snapshot.hosts[0].siblings.map(\.name)
        expectEqual(siblings.isEmpty, !waited, "\(siblings)")
    }

    @Test func untilItIsToldToStopAndNoLonger() throws {
        let outcome = try run([])
        #expect(outcome.moments.isEmpty && outcome.replies.isEmpty)
        expectEqual(outcome.reloads, StatusReport.Reloads())
        expectEqual(outcome.publisher.latest.snapshot.generation, 1)
    }

    @Test func whatIsBrokenIsCountedUntilItIsMended() throws {
        let outcome = try run([
            { try fixture.write(file, "{") }, { try fixture.write(file, other) },
        ])
        try expectEqual(outcome.replies.map { try $0.load.get().hasErrors }, [true, false])
        #expect(outcome.reloads.succeeded == 1 && outcome.reloads.failed == 1)
        #expect(outcome.reloads.problem == nil, "all is well again")
        expectEqual(text(outcome.publisher), other)
        let broken = try run([{ try fixture.write(file, "{") }])
        expectEqual(broken.reloads.problem?.contains("apple-app-site-association:1:"), true)
        expectEqual(text(broken.publisher), other, "the last good one is served")
    }

    /// A process that ends at once has kept what it served.
    @Test func whatIsServedIsKeptAtTheStartAndAfterEachLoad() throws {
        let path = fixture.folder.path("state")
        func kept() -> String? {
            let keeper = StateKeeper(path: path)
            defer { keeper.yield() }
            let bytes = keeper.read().tree.files["site/a.example/apple-app-site-association"]
            return bytes.map { String(decoding: $0, as: UTF8.self) }
        }
        let first = StateKeeper(path: path)
        _ = try run(keeper: first, [])
        first.yield()
        expectEqual(kept(), SiteFixture.fragment)
        let second = StateKeeper(path: path)
        _ = try run(keeper: second, [{ try fixture.write(file, other) }])
        second.yield()
        expectEqual(kept(), other)
    }

    /// Removing a folder by mistake is reported, until an operator has confirmed it.
    @Test func aHostThatVanishedIsSaidUntilItIsConfirmed() throws {
        func vanished(_ causes: Set<ReloadStateMachine.Cause>, _ steps: [() throws -> Void]) throws
            -> [String]
        {
            try fixture.write("b.example/apple-app-site-association", other)
            return try run(asking: causes, steps).report.vanished.keys.sorted()
        }
        let removes = { Files.removeTree(fixture.site + "/b.example") }
        let restores = { try fixture.write("b.example/apple-app-site-association", other) }
        try expectEqual(vanished([.certificates], [removes]), ["b.example"])
        try expectEqual(vanished([.certificates], [removes, {}]), ["b.example"], "still")
        try expectEqual(vanished([.certificates], [removes, restores]), [])
        try expectEqual(vanished([.order], [removes]), [], "the operator gets a report")
    }

    @Test func aStateThatCannotBeKeptIsSaidOnce() throws {
        let path = try fixture.folder.write("file", "no folder")
        let outcome = try run(keeper: StateKeeper(path: path), [{}, {}])
        expectEqual(outcome.reloads.succeeded, 2, "it serves all the same")
        let told = log.lines.filter { $0.hasPrefix("error   state: ") }
        #expect(told.count == 1 && told[0].contains("a restart may serve less"), "\(told)")
    }
}
