import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// A pipe that is full stands for a disk that does not answer: a write(2) into it waits.
@Suite struct FileAppenderTests {
    private static let opened = Problem(place: "log", cause: "gone", remedy: "")

    /// An appender to a pipe, and how much lies in the pipe.
    private func hanging(
        _ pipe: borrowing Pipe, patience: Duration = .zero
    ) throws -> (appender: FileAppender, held: Int) {
        let raw = try FileDescriptor.duplicate(pipe.writing.raw)
        let flags = fcntl(raw, F_GETFL)
        _ = fcntl(raw, F_SETFL, flags | O_NONBLOCK)
        let bytes = [UInt8](repeating: 0x2E, count: 4096)
        var held = 0
        while true {
            let count = write(raw, bytes, bytes.count)
            if count <= 0 { break }
            held += count
        }
        _ = fcntl(raw, F_SETFL, flags)
        let appender = try FileAppender(owning: raw, patience: patience) { () throws(Problem) in
            throw Self.opened
        }
        return (appender, held)
    }

    private func read(_ pipe: borrowing Pipe, _ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            // A guard against hanging, not a measurement.
            let isReady = Waiting.wait(
                [.init(pipe.reading.raw)], until: .now() + .seconds(600))[0]
            guard isReady, let more = Pipe.read(pipe.reading.raw, limit: count - bytes.count),
                !more.isEmpty
            else { break }
            bytes += more
        }
        return bytes
    }

    @Test func `Nobody waits for a disk that does not answer, and nothing is lost up to a bound`()
        throws
    {
        let pipe = try Pipe()
        let (appender, held) = try hanging(pipe)
        for number in 0..<3 { #expect(appender.write(Array("\(number)\n".utf8)) == nil) }
        #expect(appender.reopen("log") != nil)
        let large = [UInt8](repeating: 0x78, count: FileAppender.bytesMaximum)
        expectEqual(appender.write(large), AppendedFile.unanswered)
        // One gap, and no line in it.
        expectEqual(appender.write(Array("x\n".utf8)), AppendedFile.unanswered)
        expectEqual(appender.lost, 2)
        // It answers again.
        _ = read(pipe, held)
        expectEqual(read(pipe, 6), Array("0\n1\n2\n".utf8))
        // The reader may be ahead of the thread by one finished job.
        #expect(eventually { appender.write(Array("3\n".utf8)) == nil })
        expectEqual(read(pipe, 2), Array("3\n".utf8))
        appender.end()
    }

    @Test func `What a write and a rotation came to is told while the disk answers`() throws {
        let pipe = try Pipe()
        let (appender, held) = try hanging(pipe, patience: .seconds(600))
        _ = read(pipe, held)
        #expect(appender.write(Array("one\n".utf8)) == nil)
        expectEqual(read(pipe, 4), Array("one\n".utf8))
        expectEqual(appender.reopen("log"), Self.opened)
        #expect(appender.write(Array("two\n".utf8)) == nil)
        expectEqual(appender.lost, 0)
        appender.end()
    }

    /// Nobody has to send the signal again once the obstacle is gone.
    @Test func `A rotation that failed is tried again`() throws {
        let old = try Pipe()
        let new = try Pipe()
        let isClosed = Lock(true)
        let fresh = try FileDescriptor.duplicate(new.writing.raw)
        let appender = try FileAppender(
            owning: try FileDescriptor.duplicate(old.writing.raw), patience: .seconds(600),
            retryInterval: .milliseconds(1)
        ) { () throws(Problem) in
            if isClosed.withLock({ $0 }) { throw Self.opened }
            return fresh
        }
        #expect(appender.reopenFailure == nil)
        expectEqual(appender.reopen("log"), Self.opened)
        expectEqual(appender.reopenFailure, Self.opened)
        #expect(appender.write(Array("old\n".utf8)) == nil)
        expectEqual(appender.reopenFailure, Self.opened, "a write is no rotation")
        isClosed.withLock { $0 = false }
        #expect(eventually { appender.reopenFailure == nil })
        #expect(appender.write(Array("new\n".utf8)) == nil)
        expectEqual(read(old, 4), Array("old\n".utf8))
        expectEqual(read(new, 4), Array("new\n".utf8))
        appender.end()
    }

    @Test func `The file is closed at the end, when all is written`() throws {
        var pipe = try Pipe()
        let (appender, held) = try hanging(pipe)
        #expect(appender.write(Array("last\n".utf8)) == nil)
        appender.end()
        pipe.writing.close()
        expectEqual(read(pipe, held + 100).suffix(5), Array("last\n".utf8))
    }
}
