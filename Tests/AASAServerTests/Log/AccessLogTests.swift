import Glibc
import Logging
import Reactor
import Synchronization
import TestSupport
import Testing

@testable import AASAServer
@testable import HTTP

@Suite struct AccessLogTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("access") }

    private final class Clock: Sendable {
        let milliseconds = Atomic<Int64>(1000)
    }

    private func make(
        _ format: LogSettings.Format = .text, rate: Int = 100, clock: Clock = Clock()
    ) throws -> AccessLog {
        try AccessLog(
            workers: 1, linesPerSecond: rate, format: format,
            sink: try LogSink(path: folder.path("log"), patience: .seconds(600)),
            milliseconds: { clock.milliseconds.load(ordering: .relaxed) })
    }

    private func answer(
        _ log: AccessLog, path: String = "/p", agent: String = "swcd", worker: Int = 0
    ) {
        let (path, agent, method) = (Array(path.utf8), Array(agent.utf8), Array("GET".utf8))
        path.withUnsafeBytes { path in
            agent.withUnsafeBytes { agent in
                method.withUnsafeBytes { method in
                    let request = RequestView(
                        method: .get, version: .http2, methodName: method, target: path,
                        path: path, authority: nil, userAgent: agent, hasBody: false,
                        wantsClose: false, fault: nil)
                    log.answered(
                        AccessEntry(
                            request: request, peer: SocketAddress(host: "192.0.2.1", port: 7),
                            host: "a.example", status: 200, bytes: 3, worker: worker))
                }
            }
        }
    }

    private var text: String {
        (try? folder.read("log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    @Test func aLineSaysWhoAskedForWhatAndGotWhat() throws {
        let log = try make()
        answer(log)
        log.flush()
        expectEqual(
            text,
            "1970-01-01T00:00:01.000Z peer=192.0.2.1:7 host=a.example method=GET path=/p "
                + "protocol=HTTP/2 status=200 bytes=3 agent=swcd\n")
    }

    @Test func jsonHasTheSameFields() throws {
        let log = try make(.json)
        answer(log)
        log.flush()
        #expect(text.hasPrefix("{\"time\":\"1970-01-01T00:00:01.000Z\",\"peer\":\"192.0.2.1:7\""))
        #expect(text.hasSuffix("\"agent\":\"swcd\"}\n"))
    }

    @Test(arguments: LogSettings.Format.allCases)
    func nothingCanBeInjected(format: LogSettings.Format) throws {
        let log = try make(format)
        answer(log, path: "/\u{2028}x y\"=", agent: "a\n1970 forged\r\u{1B}[2J status=500 \"")
        log.flush()
        expectEqual(text.utf8.filter { $0 == 10 }.count, 1)
        #expect(!text.utf8.contains(0x1B) && !text.utf8.contains(13))
        #expect(!text.unicodeScalars.contains { $0.value == 0x2028 })
    }

    @Test func aStormIsCountedNotWritten() throws {
        let clock = Clock()
        let log = try make(rate: 10, clock: clock)
        for _ in 0..<1000 { answer(log) }
        log.flush()
        var lines = text.split(separator: "\n")
        expectEqual(lines.count, 11)
        expectEqual(lines.last?.hasSuffix("notWritten=990"), true)
        clock.milliseconds.store(2000, ordering: .relaxed)
        answer(log)
        log.flush()
        lines = text.split(separator: "\n")
        expectEqual(lines.count, 12)
    }

    @Test func aWriterThatStallsCostsLinesNotMemory() throws {
        let clock = Clock()
        let log = try make(rate: 10, clock: clock)
        for second in 1...100 {
            clock.milliseconds.store(Int64(second) * 1000, ordering: .relaxed)
            for _ in 0..<10 { answer(log) }
        }
        log.flush()
        expectEqual(text.split(separator: "\n").count, 21)
        #expect(text.contains("notWritten=980"))
    }

    @Test func theThreadWritesByItselfAndAtTheEnd() throws {
        let log = try make()
        try log.start()
        answer(log)
        answer(log, worker: 7)
        log.stop()
        expectEqual(text.split(separator: "\n").count, 1)
    }

    /// A full disk: said once, counted, and over once there is room.
    @Test func lostLinesAreSaid() throws {
        let said = try LogSink(path: folder.path("said"), patience: .seconds(600))
        let logger = Logger(label: "test") { _ in
            ServerLogHandler(format: .text, level: .info, sink: said)
        }
        // A link, so that the disk can be exchanged under the same name.
        let path = folder.path("access")
        expectEqual(symlink("/dev/full", path), 0)
        let sink = try LogSink(path: path, patience: .seconds(600))
        let log = try AccessLog(
            workers: 1, linesPerSecond: 100, format: .text, sink: sink, log: logger)
        for _ in 0..<3 {
            answer(log)
            log.flush()
        }
        expectEqual(log.problem?.cause.hasSuffix(": \(path): No space left on device"), true)
        unlink(path)
        #expect(sink.reopen() == nil)
        answer(log)
        log.flush()
        #expect(log.problem == nil)
        expectEqual(log.lostLines, 3)
        expectEqual(sink.lostWrites, 3)
        let lines = String(decoding: try folder.read("said"), as: UTF8.self)
            .split(separator: "\n")
        expectEqual(lines.count, 2, "\(lines)")
        expectEqual(lines.first?.contains("lines are lost"), true)
        expectEqual(lines.last?.contains("3 lines were lost"), true)
    }
}
