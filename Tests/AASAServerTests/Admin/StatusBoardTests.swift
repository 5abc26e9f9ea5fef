// Covers: StatusSection.swift
import AppSiteAssociation
import Glibc
import HTTP
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct StatusBoardTests {
    private let publisher = SnapshotPublisher(
        Publication(snapshot: TestEndpoint.snapshot(), contexts: []))
    private let counters = WorkerCounters()

    private func board(_ change: (inout StatusBoard.Sources) -> Void = { _ in }) -> StatusBoard {
        let board = StatusBoard(version: "1.2", started: 5)
        var sources = StatusBoard.Sources()
        sources.publisher = publisher
        sources.counters = ServerCounters(workers: [counters, counters])
        sources.connectionsMaximum = 42
        change(&sources)
        board.read(sources)
        return board
    }

    @Test func gathersCountersAndSnapshot() {
        counters.add(.answersDocument, 5)
        counters.add(.answersSibling, 2)
        counters.add(.shedEgress, 3)
        counters.add(.shedDocument, 1)
        counters.set(.connectionsOpen, 9)
        counters.closed(.leftWhileWaiting)
        let board = board {
            $0.counters = ServerCounters(workers: [counters])
            $0.publisher = SnapshotPublisher(
                Publication(snapshot: ServedSnapshot.make(isAvailable: false), contexts: []))
        }
        let report = board.report(now: 100)
        expectEqual(report.traffic.answered, 7)
        expectEqual(report.traffic.unavailable, 4)
        expectEqual(report.traffic.shed, 3)
        expectEqual(report.traffic.gaveUp, 1)
        expectEqual(report.connections.open, 9)
        expectEqual(report.connections.limit, 42)
        expectEqual(report.generation, 4)
        expectEqual(report.hosts.map(\.name), ["a.example"])
        expectEqual(report.hosts.first?.hasDocument, false)
        expectEqual(report.hosts.first?.answers[.json], 1)
        expectEqual(report.hosts.first?.answers[.unavailable], 1)
        expectEqual(report.certificates.count, 1)
        #expect(report.traffic.residentBytes > 0)
    }

    @Test func showsAServerThatHasNoSnapshotYet() {
        let report = StatusBoard(version: "1").report(now: 100)
        #expect(report.hosts.isEmpty && report.phase == .starting)
        let health = Health(report)
        #expect(!health.isReady)
        #expect(!ServerMetrics.all(report, health).isEmpty)
    }

    @Test func aReportShowsWhatIsPublishedAtThatMoment() {
        let board = board()
        counters.set(.connectionsOpen, 3)
        let report = board.report(now: 100)
        #expect(report.version == "1.2" && report.workers == 2)
        #expect(report.now == 100 && report.started == 5)
        #expect(report.connections.limit == 42 && report.connections.open == 6)
        #expect(report.generation == 1 && report.hosts.count == 2)
        #expect(report.stateProblem == nil && report.fileProblems.isEmpty)
        expectEqual(report.reloads, StatusReport.Reloads())
        publisher.publish(
            Publication(snapshot: TestEndpoint.snapshot(generation: 2), contexts: []))
        expectEqual(board.report(now: 100).generation, 2)
    }

    /// The certificate of its folder, one that covers it, or a front that ends TLS.
    @Test func aHostWithoutACertificateIsNotServed() {
        func report(
            folder: String = "elsewhere", names: [String], isPlain: Bool = false
        ) -> StatusReport {
            let snapshot = ServedSnapshot.make(folder: folder, names: names)
            let board = board {
                $0.hasPlainListener = isPlain
                $0.publisher = SnapshotPublisher(Publication(snapshot: snapshot, contexts: []))
            }
            board.write { $0.phase = .serving }
            return board.report()
        }
        #expect(report(names: ["a.example"]).hosts[0].isAvailable)
        #expect(report(names: ["*.example"]).hosts[0].isAvailable)
        #expect(report(folder: "a.example", names: ["b.example"]).hosts[0].isAvailable)
        #expect(report(names: [], isPlain: true).hosts[0].isAvailable)
        #expect(report(names: [], isPlain: true).hosts[0].bareAliases.isEmpty)
        expectEqual(report(names: ["a.example"]).hosts[0].bareAliases, ["www.a.example"])
        #expect(report(names: ["a.example", "WWW.a.example"]).hosts[0].bareAliases.isEmpty)
        let without = report(names: ["b.example", "*.a.example"])
        #expect(!without.hosts[0].isAvailable && without.hosts[0].hasDocument)
        #expect(!Health(without).isReady)
        let available = ServerMetrics.site(without).first { $0.name == "aasa_document_available" }
        expectEqual(available?.samples.map(\.value), [0])
    }

    /// A part of its own, and how it is shown.
    private struct Part: StatusSection {
        let name: String
        var json: JSONValue { .text(name) }
        var metrics: [MetricFamily] { [MetricFamily("aasa_\(name)", 1)] }
        func problems(in report: StatusReport) -> [Health.Reason] {
            [Health.Reason(.attention, "\(name) of \(report.version)")]
        }
        func lines(now: Int64) -> [String] { ["\(name) at \(now)"] }
    }

    @Test func aPartsSectionIsShownEverywhere() {
        let board = board()
        board.write { $0.phase = .serving }
        let before = ServerMetrics.all(board.report(now: 7), Health(board.report(now: 7)))
        board.write {
            $0.renewals = Part(name: "renewals")
            $0.fleet = Part(name: "fleet")
        }
        let report = board.report(now: 7)
        let health = Health(report)
        let texts = health.reasons.map(\.text)
        #expect(texts.contains("renewals of 1.2") && texts.contains("fleet of 1.2"))
        let lines = StatusText.lines(report, health)
        #expect(lines.contains("renewals at 7") && lines.contains("fleet at 7"))
        let document = StatusJSON.document(report, health)
        expectEqual(document["renewals"]?.string, "renewals")
        expectEqual(document["fleet"]?.string, "fleet")
        let metrics = ServerMetrics.all(report, health).map(\.name)
        #expect(metrics.count == before.count + 2 && metrics.contains("aasa_fleet"))
    }

    /// A server without a fleet says so, and leaves the key out for nobody.
    @Test func aPartThatIsNotThereIsNull() {
        let report = board().report(now: 7)
        let document = StatusJSON.document(report, Health(report))
        for name in ["renewals", "fleet"] {
            guard case .null? = document[name]?.kind else {
                Issue.record("\(name)")
                continue
            }
        }
    }

    @Test func aDrainIsSeenAtOnce() {
        let board = board()
        board.write { $0.phase = .serving }
        expectEqual(board.phase, .serving)
        board.write { $0.phase = .draining }
        #expect(board.phase == .draining && board.report(now: 0).phase == .draining)
        #expect(!Health(board.report(now: 0)).isReady)
    }

    @Test func aStateFolderThatCannotBeUsedIsSaid() throws {
        let folder = try TemporaryFolder("board")
        let file = try folder.write("state", "a file in its place")
        let keeper = StateKeeper(path: file)
        let board = board { $0.keeper = keeper }
        #expect(board.report(now: 0).stateProblem == nil)
        #expect(!keeper.read().problems.isEmpty)
        expectEqual(board.report(now: 0).stateProblem?.description.contains(file), true)
    }

    @Test func aLoadThatDoesNotEndIsAProblem() {
        let board = board()
        let start = MonotonicInstant.now() + .seconds(-3600)
        board.write {
            $0.reloads.problem = "broken"
            $0.reloads.busySince = start
        }
        expectEqual(board.report().reloads.problem?.contains("has taken more than a minute"), true)
        board.write { $0.reloads.busySince = nil }
        expectEqual(board.report().reloads.problem, "broken")
    }

    @Test func reloadsAreCountedWithTheirLastProblem() throws {
        let fixture = try SiteFixture()
        try fixture.write("a.example/apple-app-site-association", SiteFixture.fragment)
        try fixture.certify("a.example", begins: -3_000, ends: 80_000)
        var loader = try fixture.loader()
        let publisher = SnapshotPublisher(try loader.load(now: SiteFixture.now).publication)
        let board = board()
        let reloader = try Reloader()
        try reloader.start(
            ReloadLoop(
                loader: loader, publisher: publisher, board: board, pollInterval: .seconds(3600),
                watches: false, keeper: StateKeeper(path: nil), log: try FileLog().logger,
                around: { _ in }))
        defer { reloader.stop() }
        /// Waits for the outcome.
        func reload() -> StatusReport.Reloads {
            let before = board.report().reloads
            var after = before
            reloader.reload()
            #expect(
                eventually {
                    after = board.report().reloads
                    return after.succeeded + after.failed > before.succeeded + before.failed
                })
            return after
        }
        let good = reload()
        #expect(good.succeeded == 1 && good.failed == 0 && good.problem == nil)
        try fixture.write("a.example/apple-app-site-association", "{")
        let bad = reload()
        #expect(bad.succeeded == 1 && bad.failed == 1)
        expectEqual(bad.problem?.contains("apple-app-site-association"), true)
    }
}
