import Glibc
import Logging
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct MonitorTests {
    /// Two looks, a second apart, make a point of the history, and nothing of it is logged.
    @Test func aServerIsLookedAtUnasked() throws {
        let folder = try TemporaryFolder("monitor")
        let sink = try LogSink(path: folder.path("log"), patience: .seconds(600))
        let log = Logger(label: "test") { _ in
            ServerLogHandler(format: .text, level: .info, sink: sink)
        }
        let counters = WorkerCounters()
        counters.set(.connectionsOpen, 7)
        counters.set(.connectionsWaiting, 3)
        counters.add(.connectionsAccepted, 5)
        let board = StatusBoard(version: "1")
        var sources = StatusBoard.Sources()
        sources.counters = ServerCounters(workers: [counters])
        sources.connectionsMaximum = 10
        board.read(sources)
        let monitor = try StoppableThreads()
        try monitor.start(name: "monitor") { Monitor.run(monitor, board, log) }
        #expect(eventually { !board.report().load.points.isEmpty })
        monitor.stop()
        let report = board.report()
        let point = try #require(report.load.points.first)
        #expect(point.last.connections.open == 7 && point.last.connections.waiting == 3)
        // What had happened before the first look is not of this second.
        expectEqual(point.rate(\.traffic.accepted), 0)
        // Those who wait and are never taken are an overload at the third look.
        if report.load.points.count > 1 { return }
        #expect(report.load.overload == nil)
        #expect(try folder.read("log").isEmpty)
    }

    @Test func theLogIsToldOnceAMinuteAndAtTheEnd() throws {
        var life = Life()
        var teller = OverloadLogger()
        var told: [(second: Int64, text: String, needsAttention: Bool)] = []
        func tell(_ life: Life) {
            guard let line = teller.line(life.watch, now: life.second) else { return }
            told.append((life.second, line.text, line.needsAttention))
        }
        life.calm(20)
        tell(life)
        #expect(told.isEmpty)
        for _ in 0..<90 {
            life.storm(1)
            tell(life)
        }
        expectEqual(told.count, 2)
        #expect(
            told.allSatisfy { $0.needsAttention && $0.text.hasPrefix("overload (processor): ") })
        expectEqual(told[1].second - told[0].second, Monitor.repeatSeconds)
        for _ in 0..<60 {
            life.calm(1)
            tell(life)
        }
        expectEqual(told.count, 3)
        let end = try #require(told.last)
        #expect(!end.needsAttention)
        let lasted = end.second - told[0].second
        #expect(end.text.hasPrefix("the overload ended after \(lasted) s; in the last minute "))
        // The next one is told at once, and counts from its own beginning.
        for _ in 0..<5 {
            life.storm(1)
            tell(life)
        }
        #expect(told.count == 4 && told.last?.needsAttention == true)
        let second = try #require(told.last).second
        for _ in 0..<60 {
            life.calm(1)
            tell(life)
        }
        let over = try #require(told.last)
        #expect(over.text.hasPrefix("the overload ended after \(over.second - second) s;"))
    }
}
