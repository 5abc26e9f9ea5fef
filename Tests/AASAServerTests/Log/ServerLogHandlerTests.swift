// Covers: Problem+Log.swift
import Glibc
import Logging
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ServerLogHandlerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("log") }

    private func lines(
        _ format: LogSettings.Format, level: LogSettings.Level = .info,
        _ body: (Logger) -> Void
    ) throws -> String {
        let sink = try LogSink(path: folder.path("log"), patience: .seconds(600))
        let handler = ServerLogHandler(
            format: format, level: level, sink: sink, milliseconds: { 1_000 })
        body(Logger(label: "test") { _ in handler })
        return String(decoding: try folder.read("log"), as: UTF8.self)
    }

    @Test func textIsForPeople() throws {
        let text = try lines(.text) {
            $0.error("no", metadata: ["host": "example.com", "fix": "do it again"])
        }
        expectEqual(
            text,
            "1970-01-01T00:00:01.000Z error   no  fix=\"do it again\" host=example.com\n")
    }

    @Test func `A problem's remedy is a field of its own, where there is one`() throws {
        let problem = Problem(place: "site", cause: "gone", remedy: "put it back")
        let text = try lines(.text) { $0.error("\(problem)", metadata: problem.metadata) }
        #expect(text.hasSuffix("error   site: gone  fix=\"put it back\"\n"))
        #expect(Problem(place: "site", cause: "gone", remedy: "").metadata.isEmpty)
    }

    @Test func jsonIsForMachines() throws {
        let text = try lines(.json) {
            $0.info("a \"b\"", metadata: ["k": "v\\w", "n": .stringConvertible(7), "o": "7"])
        }
        expectEqual(
            text,
            #"{"time":"1970-01-01T00:00:01.000Z","level":"info","message":"a \"b\"","k":"v\\w","#
                + #""n":7,"o":"7"}"#
                + "\n")
    }

    @Test func belowTheLevelNothingIsWritten() throws {
        let text = try lines(.text, level: .warning) {
            $0.notice("n")
            $0.info("i")
            $0.debug("d")
        }
        #expect(text.isEmpty)
    }

    /// Forged lines, terminal escapes, turned reading direction: nothing of it gets through.
    @Test(arguments: LogSettings.Format.allCases)
    func nothingCanBeInjected(format: LogSettings.Format) throws {
        let evil = "a\n2026 error forged\r\u{1B}[31m\u{202E}\u{2028}\u{0}\u{7F}\u{9B}"
        let text = try lines(format) {
            $0.error("\(evil)", metadata: ["k": "\(evil)", "q": "\" x=\"y"])
        }
        expectEqual(text.filter { $0.isNewline }.count, 1)
        #expect(text.hasSuffix("\n"))
        for scalar in text.dropLast().unicodeScalars {
            #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value))
            #expect(scalar.value != 0x202E && scalar.value != 0x2028)
        }
    }

    /// A collector that has stopped, a `| tee` in SIGSTOP: workers and signals do not wait for it.
    @Test func aReaderThatDoesNotReadHoldsNobody() throws {
        var pipe = try Pipe()
        let sink = LogSink(stream: pipe.writing.raw, patience: .milliseconds(1))
        let handler = ServerLogHandler(
            format: .text, level: .info, sink: sink, milliseconds: { 1_000 })
        let logger = Logger(label: "test") { _ in handler }
        // Twice what a pipe holds, in lines and in one write of more than a page.
        for number in 0..<4_000 { logger.info("line \(number)") }
        expectEqual(sink.write([UInt8](repeating: 0x78, count: 10_000))?.number, EAGAIN)
        expectEqual(sink.takeLost(), 0)
        // It reads again: whole lines, and one that says how many are missing.
        let before = Pipe.read(pipe.reading.raw, limit: 1 << 16) ?? []
        logger.info("again")
        pipe.writing.close()
        let after = Pipe.read(pipe.reading.raw, limit: 1 << 20) ?? []
        let text = String(decoding: before + after, as: UTF8.self)
        #expect(text.hasPrefix("1970-01-01T00:00:01.000Z info    line 0\n"))
        #expect(
            text.contains("again\n") && text.contains("messages were lost\n"), "\(text.suffix(300))"
        )
    }
}
