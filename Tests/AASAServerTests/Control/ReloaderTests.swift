// Covers: ReloadLoop.swift
import Glibc
import Logging
import Reactor
import Synchronization
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ReloaderTests {
    private let fixture: SiteFixture

    init() throws {
        fixture = try SiteFixture()
        try fixture.write("a.example/apple-app-site-association", SiteFixture.fragment)
        try fixture.certify("a.example", begins: -10, ends: 80_000)
    }

    private struct Running {
        let reloader: Reloader
        let publisher: SnapshotPublisher
        let moments: Moments
    }

    private final class Moments: Sendable {
        let count = Mutex(0)
    }

    /// - Parameter before: done between the first load and the start of the thread.
    private func start(
        watches: Bool, poll: Duration = .seconds(3600), before: () throws -> Void = {}
    ) throws -> Running {
        var loader = try fixture.loader()
        let publisher = SnapshotPublisher(try loader.load(now: SiteFixture.now).publication)
        try before()
        let reloader = try Reloader()
        let moments = Moments()
        let sink = try LogSink(path: fixture.folder.path("log"))
        let log = Logger(label: "test") { _ in
            ServerLogHandler(format: .text, level: .debug, sink: sink)
        }
        try reloader.start(
            loader: loader, publisher: publisher, pollInterval: poll, watches: watches, log: log,
            around: { _ in moments.count.withLock { $0 += 1 } })
        return Running(reloader: reloader, publisher: publisher, moments: moments)
    }

    /// A guard against hanging, not a measurement.
    private func eventually(_ condition: () -> Bool) -> Bool {
        for _ in 0..<1200 {
            if condition() { return true }
            usleep(50_000)
        }
        return condition()
    }

    private func body(_ publisher: SnapshotPublisher) -> String {
        publisher.latest.snapshot.hosts[0].association.response(userAgent: nil).response.text
    }

    private let other = "{\"appclips\":{\"apps\":[\"D3KQX62K1A.com.example.Clip\"]}}"

    @Test func anOrderReloads() throws {
        let running = try start(watches: false)
        try fixture.write("a.example/apple-app-site-association", other)
        running.reloader.reload()
        #expect(eventually { body(running.publisher) == other })
        #expect(eventually { running.reloader.tally.succeeded == 1 })
        running.reloader.stop()
        #expect(running.moments.count.withLock { $0 } == 2)
        let log = String(decoding: try fixture.folder.read("log"), as: UTF8.self)
        #expect(log.contains("cause=order"))
        #expect(log.contains("app D3KQX62K1A.com.example.Clip"))
    }

    @Test func aChangedFileIsNoticed() throws {
        let running = try start(watches: true)
        try fixture.write("new", other)
        let target = fixture.folder.path("site/a.example/apple-app-site-association")
        #expect(rename(fixture.folder.path("site/new"), target) == 0)
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

    @Test func aBrokenSiteReplacesNothingAndIsTold() throws {
        let running = try start(watches: false)
        try fixture.write("a.example/apple-app-site-association", "{")
        running.reloader.reload()
        #expect(eventually { running.reloader.tally.failed == 1 })
        #expect(body(running.publisher) == SiteFixture.fragment)
        #expect(running.reloader.tally.problem?.contains("apple-app-site-association:1:") == true)
        #expect(
            rename(fixture.folder.path("site"), fixture.folder.path("elsewhere")) == 0)
        running.reloader.reload()
        #expect(eventually { running.reloader.tally.failed == 2 })
        #expect(body(running.publisher) == SiteFixture.fragment)
        running.reloader.stop()
        let log = String(decoding: try fixture.folder.read("log"), as: UTF8.self)
        #expect(log.contains("no such folder"))
        #expect(log.contains("error   kept since "))
        #expect(log.contains("what is broken keeps its last good state"))
    }
}
