import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct LogSinkTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("sink") }

    /// Fills a pipe to its last byte; returns how much it holds.
    private func fill(_ writing: Int32) -> Int {
        let flags = fcntl(writing, F_GETFL)
        _ = fcntl(writing, F_SETFL, flags | O_NONBLOCK)
        defer { _ = fcntl(writing, F_SETFL, flags) }
        var held = 0
        for size in [4096, 1] {
            let bytes = [UInt8](repeating: 0x2E, count: size)
            while true {
                let count = write(writing, bytes, bytes.count)
                if count <= 0 { break }
                held += count
            }
        }
        return held
    }

    private func line(_ text: String) -> [UInt8] { Array("\(text)\n".utf8) }

    @Test func reopeningFollowsARotation() throws {
        let sink = try LogSink(path: folder.path("log"), patience: .seconds(600))
        sink.write(Array("one\n".utf8))
        expectEqual(rename(folder.path("log"), folder.path("log.1")), 0)
        sink.write(Array("two\n".utf8))
        #expect(sink.reopen() == nil)
        sink.write(Array("three\n".utf8))
        try expectEqual(folder.read("log.1"), Array("one\ntwo\n".utf8))
        try expectEqual(folder.read("log"), Array("three\n".utf8))
    }

    @Test func truncationInPlaceLeavesNoHole() throws {
        let sink = try LogSink(path: folder.path("log"), patience: .seconds(600))
        sink.write(Array("one\n".utf8))
        expectEqual(truncate(folder.path("log"), 0), 0)
        sink.write(Array("two\n".utf8))
        try expectEqual(folder.read("log"), Array("two\n".utf8))
    }

    @Test func aFileThatCannotBeWrittenIsNamed() {
        let failure = #expect(throws: Problem.self) { try LogSink(path: folder.path("no/log")) }
        expectEqual(failure?.place, folder.path("no/log"))
        expectEqual(
            failure?.remedy,
            "create the folder \(folder.path("no")) first, or name another file")
    }

    @Test func aRotationThatFailsKeepsTheOldFile() throws {
        try folder.makeFolder("logs")
        let sink = try LogSink(path: folder.path("logs/log"), patience: .seconds(600))
        expectEqual(rename(folder.path("logs"), folder.path("gone")), 0)
        let failure = sink.reopen()
        expectEqual(failure?.place, folder.path("logs/log"))
        #expect(sink.write(line("still here")) == nil)
        try expectEqual(folder.read("gone/log"), line("still here"))
        expectEqual(sink.reopenFailure, failure)
        expectEqual(failure?.cause.hasSuffix("; lines still go into the renamed file"), true)
        try folder.makeFolder("logs")
        #expect(sink.reopen() == nil)
        #expect(sink.reopenFailure == nil)
    }

    /// A disk that is full: the writer is told, and no line is torn for a reader of a stream.
    @Test func aFullDiskIsToldToTheWriter() throws {
        let sink = try LogSink(path: "/dev/full", patience: .seconds(600))
        expectEqual(sink.write(line("lost"))?.number, ENOSPC)
        // Only a stream counts: of a file, whoever writes tells.
        expectEqual(sink.takeLost(), 0)
    }

    @Test func aStreamIsNotOursToCloseNorToReopen() throws {
        var pipe = try Pipe()
        do {
            let sink = LogSink(stream: pipe.writing.raw, patience: .zero)
            #expect(sink.reopen() == nil)
            #expect(sink.path == nil)
            #expect(sink.write(line("one")) == nil)
        }
        // The sink has died, the descriptor lives.
        #expect(LogSink(stream: pipe.writing.raw, patience: .zero).write(line("two")) == nil)
        expectEqual(Pipe.read(pipe.reading.raw, limit: 100), line("one") + line("two"))
        pipe.writing.close()
    }

    /// Each lost write counts once, and is told once, when writes arrive again.
    @Test func lostWritesAreCountedUntilTheyAreTold() throws {
        let pipe = try Pipe()
        let sink = LogSink(stream: pipe.writing.raw, patience: .zero)
        expectEqual(sink.takeLost(), 0)
        let held = fill(pipe.writing.raw)
        for _ in 0..<3 { expectEqual(sink.write(line("lost"))?.number, EAGAIN) }
        expectEqual(sink.takeLost(), 0, "no reader would see it now")
        expectEqual(Pipe.read(pipe.reading.raw, limit: held)?.count, held)
        #expect(sink.write(line("again")) == nil)
        expectEqual(sink.takeLost(), 3)
        expectEqual(sink.takeLost(), 0)
        expectEqual(Pipe.read(pipe.reading.raw, limit: 100), line("again"))
    }

    /// What was written in part ends where the next line begins.
    @Test func aLineBehindATornOneIsOnItsOwn() throws {
        let pipe = try Pipe()
        let sink = LogSink(stream: pipe.writing.raw, patience: .milliseconds(1))
        let held = fill(pipe.writing.raw)
        // Room for one part of the two that a longer write has.
        expectEqual(Pipe.read(pipe.reading.raw, limit: 4096)?.count, 4096)
        let long = [UInt8](repeating: 0x78, count: 8000) + [0x0A]
        expectEqual(sink.write(long)?.number, EAGAIN)
        let before = Pipe.read(pipe.reading.raw, limit: held) ?? []
        #expect(before.suffix(4096).allSatisfy { $0 == 0x78 })
        #expect(sink.write(line("next")) == nil)
        #expect(sink.write(line("last")) == nil)
        expectEqual(
            Pipe.read(pipe.reading.raw, limit: 100), [0x0A] + line("next") + line("last"))
    }
}
