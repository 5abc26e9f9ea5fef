package import Reactor
import Synchronization

/// The target of finished log lines: a file that can be rotated, or stderr. One `write(2)` per line
/// with O_APPEND: lines of several threads never mix, and copy-truncate rotation works as well as
/// rename and reopen (SIGUSR1).
package final class LogSink: Sendable {
    /// nil: stdout or stderr.
    package let path: String?
    /// How long a write to a stream may wait for whoever reads it.
    private let patience: Duration
    private let descriptor: Lock<Int32>
    private let stream = Lock(Stream())

    /// What a stream has come to whose reader may stop.
    private struct Stream {
        /// The last write waited in vain: the next one hardly waits.
        var isStalled = false
        /// A line was written in part: what comes next begins a line of its own.
        var isTorn = false
        /// Writes that were lost, and not told of since.
        var lost = 0
    }

    private let allLost = Atomic<UInt64>(0)

    /// Writes that were lost since the start; of a log that writes line by line, its lines.
    package var lostWrites: UInt64 { allLost.load(ordering: .relaxed) }

    /// Writes to stderr. All threads do, also workers: one that waits 50 ms, once, is not noticed.
    package static let standardError = LogSink(
        path: nil, descriptor: StandardStream.error.rawValue, patience: .milliseconds(50))

    /// Writes to stdout, where containers expect access logs.
    package static let standardOutput = LogSink(
        path: nil, descriptor: StandardStream.output.rawValue, patience: .seconds(1))

    /// Writes to a stream that is not this sink's to close; tests give a pipe.
    package convenience init(stream: Int32, patience: Duration) {
        self.init(path: nil, descriptor: stream, patience: patience)
    }

    private init(path: String?, descriptor: Int32, patience: Duration) {
        self.path = path
        self.patience = patience
        self.descriptor = Lock(descriptor)
    }

    /// Appends to the file at `path`, which is created if it is missing.
    package convenience init(path: String) throws(Problem) {
        self.init(path: path, descriptor: try Self.open(path), patience: .zero)
    }

    deinit {
        let last = descriptor.withLock { $0 }
        if path != nil { FileDescriptor.close(last) }
    }

    private static func open(_ path: String) throws(Problem) -> Int32 {
        do throws(FileError) {
            return try AppendedFile.open(path)
        } catch {
            throw Problem(
                place: path, cause: "cannot be written: \(error.cause)",
                remedy: error.remedyForWriting())
        }
    }

    /// Reopens the path after a rotation; if that fails, the old file stays in use.
    package func reopen() throws(Problem) {
        guard let path else { return }
        let fresh = try Self.open(path)
        let old = descriptor.withLock { descriptor in
            defer { descriptor = fresh }
            return descriptor
        }
        FileDescriptor.close(old)
    }

    /// Writes whole lines. A full disk, a closed pipe or a reader that does not read loses them:
    /// logging never stops the server.
    ///
    /// - Returns: why not all of it was written; nil: all was.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> SystemError? {
        let error = descriptor.withLock { descriptor -> SystemError? in
            if path != nil { return AppendedFile.write(bytes, to: descriptor) }
            return stream.withLock { offer(bytes, to: descriptor, &$0) }
        }
        if error != nil { allLost.wrappingAdd(1, ordering: .relaxed) }
        return error
    }

    private func offer(
        _ bytes: [UInt8], to descriptor: Int32, _ stream: inout Stream
    ) -> SystemError? {
        let text = stream.isTorn ? [0x0A] + bytes : bytes
        let (written, error) = AppendedFile.offer(
            text, to: descriptor, patience: stream.isStalled ? patience / 50 : patience)
        stream.isStalled = error != nil
        if written > 0 { stream.isTorn = text[written - 1] != 0x0A }
        if error != nil { stream.lost += 1 }
        return error
    }

    /// How many writes were lost since the last call, once writes arrive again; else 0.
    package func takeLost() -> Int {
        stream.withLock { stream in
            if stream.isStalled { return 0 }
            defer { stream.lost = 0 }
            return stream.lost
        }
    }
}
