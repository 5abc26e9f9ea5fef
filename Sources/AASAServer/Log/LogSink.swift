package import Reactor

/// The target of finished log lines: a file that can be rotated, or stderr. One `write(2)` per line
/// with O_APPEND: lines of several threads never mix, and copy-truncate rotation works as well as
/// rename and reopen (SIGUSR1).
package final class LogSink: Sendable {
    /// nil: stdout or stderr.
    package let path: String?
    /// nil: a stream.
    private let file: FileAppender?
    private let stream: Lock<Stream>

    /// A stream, and what it has come to: its reader may stop.
    private struct Stream {
        /// Not this sink's to close.
        var descriptor: Int32 = -1
        /// A write may wait so long for the reader.
        var patience = Duration.zero
        /// The last write waited in vain: the next one hardly waits.
        var isStalled = false
        /// A line was written in part: what comes next begins a line of its own.
        var isTorn = false
        /// Writes that were lost since the start.
        var lost: UInt64 = 0

        mutating func offer(_ bytes: [UInt8]) -> SystemError? {
            let text = isTorn ? [0x0A] + bytes : bytes
            let (written, error) = AppendedFile.offer(
                text, to: descriptor, patience: isStalled ? patience / 50 : patience)
            isStalled = error != nil
            if written > 0 { isTorn = text[written - 1] != 0x0A }
            if error != nil { lost += 1 }
            return error
        }
    }

    /// Writes that were lost since the start; of a log that writes line by line, its lines.
    package var lostWrites: UInt64 { file?.lost ?? stream.withLock { $0.lost } }

    /// Writes to stderr. All threads do, also workers: one that waits 50 ms, once, is not noticed.
    package static let standardError = LogSink(
        stream: StandardStream.error.rawValue, patience: .milliseconds(50))

    /// Writes to stdout, where containers expect access logs.
    package static let standardOutput = LogSink(
        stream: StandardStream.output.rawValue, patience: .seconds(1))

    /// Writes to a stream that is not this sink's to close; tests give a pipe.
    package init(stream: Int32, patience: Duration) {
        path = nil
        file = nil
        self.stream = Lock(Stream(descriptor: stream, patience: patience))
    }

    /// Appends to the file at `path`, which is created if it is missing.
    ///
    /// - Parameters:
    ///   - owner: the user that this process becomes, who opens the file anew after a rotation and
    ///     at an upgrade.
    ///   - patience: how long a write may wait for the disk; once only, until the disk answers.
    package init(
        path: String, owner: Files.Owner? = nil, patience: Duration = .seconds(1)
    ) throws(Problem) {
        let descriptor = try Self.open(path, owner)
        do throws(SystemError) {
            file = try FileAppender(owning: descriptor, patience: patience) {
                () throws(Problem) in try Self.openAgain(path)
            }
        } catch {
            FileDescriptor.close(descriptor)
            throw .limits(path, error)
        }
        self.path = path
        stream = Lock(Stream())
    }

    deinit { file?.end() }

    private static func open(_ path: String, _ owner: Files.Owner?) throws(Problem) -> Int32 {
        try Problem.explaining(try AppendedFile.open(path, owner: owner)) {
            Problem(cannotWrite: path, $0)
        }
    }

    private static func openAgain(_ path: String) throws(Problem) -> Int32 {
        try Problem.explaining(try open(path, nil)) { (error: Problem) in
            Problem(.notReopened, at: path, error.cause, error.remedy)
        }
    }

    /// Why the file that was renamed is still written; nil: it is not.
    package var reopenFailure: Problem? { file?.reopenFailure }

    /// Reopens the path after a rotation; if that fails, the old file stays in use, and the path is
    /// tried again until it opens.
    ///
    /// - Returns: why it is not reopened; nil: it is, or there is nothing to reopen.
    package func reopen() -> Problem? { file?.reopen(path ?? "") }

    /// Writes whole lines. A full disk, one that does not answer, a closed pipe or a reader that
    /// does not read loses them: logging never stops the server.
    ///
    /// - Returns: why not all of it was written; nil: all was, or will be once the disk answers.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> SystemError? {
        if let file { return file.write(bytes) }
        return stream.withLock { $0.offer(bytes) }
    }
}
