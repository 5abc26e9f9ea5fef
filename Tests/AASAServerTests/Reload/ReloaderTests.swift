// Covers: ReloadLoop.swift
import Glibc
import Logging
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ReloaderTests {
    private let fixture: SiteFixture

    init() throws {
        fixture = try SiteFixture()
        try fixture.write("a.example/apple-app-site-association", SiteFixture.fragment)
        try fixture.certify("a.example", begins: -3_000, ends: 80_000)
    }

    private struct Running {
        let reloader: Reloader
        let board: StatusBoard
        var reloads: StatusReport.Reloads { board.report().reloads }
        let publisher: SnapshotPublisher
        let moments: Moments
    }

    private final class Moments: Sendable {
        let count = Lock(0)
    }

    /// - Parameter before: done between the first load and the start of the thread.
    private func start(
        watches: Bool, poll: Duration = .seconds(3600), state: String? = nil,
        restoring kept: KeptTree = KeptTree(), before: () throws -> Void = {}
    ) throws -> Running {
        var loader = try fixture.loader()
        #expect(loader.restore(kept).isEmpty)
        let (publication, report) = try loader.load(now: SiteFixture.now)
        let publisher = SnapshotPublisher(publication)
        try before()
        let board = StatusBoard(version: "1")
        let reloader = try Reloader()
        let moments = Moments()
        let sink = try LogSink(path: fixture.folder.path("log"), patience: .seconds(600))
        let log = Logger(label: "test") { _ in
            ServerLogHandler(format: .text, level: .debug, sink: sink)
        }
        try reloader.start(
            ReloadLoop(
                loader: loader, publisher: publisher, board: board, pollInterval: poll,
                watches: watches, keeper: StateKeeper(path: state), log: log,
                around: { _ in moments.count.withLock { $0 += 1 } }), first: report)
        return Running(
            reloader: reloader, board: board, publisher: publisher, moments: moments)
    }

    /// Starts, and waits for one order: the thread may start late, and takes what it finds changed
    /// by then for a change of its own.
    private func startOrdered() throws -> Running {
        let running = try start(watches: false)
        expectEqual(reply(running)?.outcome, .good)
        return running
    }

    private func body(_ publisher: SnapshotPublisher) -> String {
        publisher.latest.snapshot.hosts[0].association.response(userAgent: nil).response.text
    }

    private let other = "{\"appclips\":{\"apps\":[\"D3KQX62K1A.com.example.Clip\"]}}"

    /// A load that hangs changes nothing else that could be seen.
    @Test func whatDoesNotEndIsAProblem() {
        let start = MonotonicInstant.now()
        var reloads = StatusReport.Reloads()
        reloads.problem = "a finding"
        expectEqual(reloads.problem(at: start + .seconds(3600)), "a finding")
        reloads.busySince = start
        expectEqual(reloads.problem(at: start + .seconds(60)), "a finding")
        let problem = reloads.problem(at: start + .seconds(61))
        expectEqual(problem?.contains("check whether a disk hangs"), true)
    }

    @Test func anOrderReloads() throws {
        let running = try startOrdered()
        try fixture.write("a.example/apple-app-site-association", other)
        running.reloader.reload()
        #expect(eventually { body(running.publisher) == other })
        #expect(eventually { running.reloads.succeeded == 2 })
        running.reloader.stop()
        expectEqual(running.moments.count.withLock { $0 }, 4)
        let log = String(decoding: try fixture.folder.read("log"), as: UTF8.self)
        expectEqual(log.ranges(of: "cause=order").count, 2)
        #expect(log.contains("app D3KQX62K1A.com.example.Clip"))
    }

    /// It is no order: that would take away what was lost.
    @Test func anInstalledCertificateIsLoadedUnderItsOwnName() throws {
        let running = try startOrdered()
        let new = try fixture.certify("a.example", begins: -3_020, ends: 80_000)
        running.reloader.certificateInstalled()
        #expect(eventually { running.reloads.succeeded == 2 })
        running.reloader.stop()
        let served = running.publisher.latest.snapshot.certificates.map(\.notBefore)
        expectEqual(served, [new.leaf.summary.notBefore])
        let log = String(decoding: try fixture.folder.read("log"), as: UTF8.self)
        expectEqual(log.ranges(of: "cause=certificates").count, 1)
        expectEqual(log.ranges(of: "cause=order").count, 1)
    }

    /// The agent moves a link and has it read: the outcome is that of this very load.
    @Test func aReloadIsOverWhenItsOutcomeIsThere() throws {
        let running = try start(watches: false)
        let (publisher, reloader) = (running.publisher, running.reloader)
        var names: [String] { publisher.latest.snapshot.hosts.map(\.name) }
        defer { reloader.stop() }
        var last = publisher.latest.snapshot.generation
        for number in 1...3 {
            let app = "D3KQX62K1A.com.example\(number)"
            try fixture.write(
                "a.example/apple-app-site-association",
                "{\"webcredentials\":{\"apps\":[\"\(app)\"]}}")
            let outcome = try #require(reloader.revisionMoved())
            let generation = try outcome.load.get().generation
            #expect(generation > last)
            last = generation
            #expect(publisher.latest.snapshot.generation >= last, "it is served already")
            let host = publisher.latest.snapshot.hosts[0]
            #expect(host.association.response(userAgent: nil).response.text.contains(app))
        }
        expectEqual(
            rename(fixture.folder.path("site"), fixture.folder.path("away")), 0)
        let lost = try #require(reloader.revisionMoved())
        #expect((try? lost.load.get().hasErrors) != false)
        expectEqual(names, ["a.example"])
        try fixture.certify("b.example", begins: -3_000, ends: 80_000)
        // What the agent asks is no order of an operator: what was lost is not taken away.
        try fixture.write("b.example/apple-app-site-association", SiteFixture.fragment)
        _ = try #require(reloader.revisionMoved())
        expectEqual(names, ["a.example", "b.example"])
    }

    @Test func aChangedFileIsNoticed() throws {
        let running = try start(watches: true)
        try fixture.write("new", other)
        let target = fixture.folder.path("site/a.example/apple-app-site-association")
        expectEqual(rename(fixture.folder.path("site/new"), target), 0)
        #expect(eventually { body(running.publisher) == other })
        // A folder that is new is watched, too.
        try fixture.write("b.example/apple-app-site-association", SiteFixture.fragment)
        #expect(eventually { running.publisher.latest.snapshot.hosts.count == 2 })
        try fixture.write("b.example/apple-app-site-association", other)
        #expect(
            eventually {
                running.publisher.latest.snapshot.hosts.last?.facts.documentBytes
                    == other.utf8.count
            })
        running.reloader.stop()
    }

    @Test func pollingNoticesWhatTheKernelDoesNotTell() throws {
        let running = try start(watches: false, poll: .milliseconds(50))
        try fixture.write("a.example/apple-app-site-association", other)
        #expect(eventually { body(running.publisher) == other })
        running.reloader.stop()
    }

    /// Found by the sanitizers, which start threads late.
    @Test func aChangeBetweenTheFirstLoadAndTheThreadIsNotLost() throws {
        let running = try start(watches: false) {
            try fixture.write("a.example/apple-app-site-association", other)
        }
        #expect(eventually { body(running.publisher) == other })
        running.reloader.stop()
    }

    /// What an earlier process served, for one that finds less on disk.
    private func kept() throws -> KeptTree {
        var loader = try fixture.loader()
        _ = try loader.load(now: SiteFixture.now)
        return loader.kept
    }

    /// As after a restart: what the first load refused is told as what a reload refused.
    @Test(arguments: ["document", "certificate", "certificates"])
    func whatTheFirstLoadRefusesIsTold(what: String) throws {
        let kept = try kept()
        switch what {
        case "document": try fixture.write("a.example/apple-app-site-association", "{")
        case "certificate": try fixture.folder.write("certs/a.example/fullchain.pem", "x")
        default: expectEqual(rename(fixture.certs, fixture.certs + ".away"), 0)
        }
        let running = try start(watches: false, restoring: kept)
        let problem = try #require(running.reloads.problem)
        running.reloader.reload()
        #expect(eventually { running.reloads.failed == 1 })
        expectEqual(running.reloads.problem, problem)
        running.reloader.stop()
    }

    /// The deepest folder on the way to it is watched, however much of the way is missing.
    @Test(arguments: ["site", "certs"])
    func aFolderThatAppearsLaterIsNoticed(name: String) throws {
        let kept = try kept()
        let place = fixture.folder.path(name)
        let away = fixture.folder.path("away")
        expectEqual(rename(place, away), 0)
        expectEqual(symlink("deep/down/\(name)", place), 0)
        let running = try start(watches: true, restoring: kept)
        #expect(running.reloads.problem != nil)
        try fixture.folder.makeFolder("deep")
        try fixture.folder.makeFolder("deep/down")
        expectEqual(rename(away, fixture.folder.path("deep/down/\(name)")), 0)
        #expect(eventually { running.reloads.problem == nil })
        running.reloader.stop()
    }

    /// As after `--user` gave root up. In a process of its own, as nothing is closed to root.
    @Test func aFolderThatIsClosedEndsNoOthersWatch() async throws {
        let (open, closed) = (fixture.site, fixture.certs)
        for (path, mode) in [(fixture.folder.path, 0o755), (open, 0o777), (closed, 0o700)] {
            expectEqual(chmod(path, mode_t(mode)), 0)
        }
        await #expect(processExitsWith: .success) {
            [open = open as String, closed = closed as String] in
            if geteuid() == 0 {
                guard setuid(65_534) == 0 else { exit(2) }
            } else {
                chmod(closed, 0)
            }
            var watch = FolderWatch(
                isOn: true, roots: [open, closed], log: Logger(label: "test"))
            watch.watch([open, closed])
            try Files.create(open + "/new", with: [])
            exit(watch.wait(beside: -1, until: .now() + .seconds(30)) ? 0 : 3)
        }
        chmod(closed, 0o700)
    }

    private final class Outcome: Sendable {
        let value = Lock<ReloadOutcome?>(nil)
    }

    private func reply(_ running: Running) -> ControlReply? {
        let outcome = Outcome()
        running.reloader.reload { found in outcome.value.withLock { $0 = found } }
        #expect(eventually { outcome.value.withLock { $0 != nil } })
        return outcome.value.withLock { $0?.reply }
    }

    @Test func aReloadThatCannotKeepTheStateSaysSo() throws {
        let state = fixture.folder.path("state")
        let running = try start(watches: false, state: state)
        expectEqual(reply(running)?.outcome, .good)
        // Removed, it is made again; a file in its place is said.
        Files.removeTree(state)
        expectEqual(reply(running)?.outcome, .good)
        expectEqual(access(state + "/current/site/a.example", F_OK), 0)
        Files.removeTree(state)
        try fixture.folder.write("state", "x")
        let refused = reply(running)
        expectEqual(refused?.outcome, .findings)
        expectEqual(
            refused?.problems.first, "state: \(state): not a folder; a restart may serve less")
        expectEqual(refused?.problems.last?.hasPrefix("fix: "), true)
        running.reloader.stop()
        let log = String(decoding: try fixture.folder.read("log"), as: UTF8.self)
        #expect(log.contains("the folder was removed or replaced"))
    }

    @Test func pollingNoticesThatTheStateIsGone() throws {
        let state = fixture.folder.path("state")
        let running = try start(watches: false, poll: .milliseconds(50), state: state)
        let record = state + "/current/site/a.example"
        #expect(eventually { access(record, F_OK) == 0 })
        Files.removeTree(state)
        #expect(eventually { access(record, F_OK) == 0 })
        running.reloader.stop()
    }

    @Test func aBrokenSiteReplacesNothingAndIsTold() throws {
        let running = try start(watches: false)
        try fixture.write("a.example/apple-app-site-association", "{")
        running.reloader.reload()
        #expect(eventually { running.reloads.failed == 1 })
        expectEqual(body(running.publisher), SiteFixture.fragment)
        expectEqual(running.reloads.problem?.contains("apple-app-site-association:1:"), true)
        expectEqual(
            rename(fixture.folder.path("site"), fixture.folder.path("elsewhere")), 0)
        running.reloader.reload()
        #expect(eventually { running.reloads.failed == 2 })
        expectEqual(body(running.publisher), SiteFixture.fragment)
        running.reloader.stop()
        let log = String(decoding: try fixture.folder.read("log"), as: UTF8.self)
        #expect(log.contains("no such folder"))
        #expect(log.contains("error   serving the last good version since "))
        #expect(
            log.contains(
                "some files on disk cannot be used, and their last good versions stay in service"))
    }
}
