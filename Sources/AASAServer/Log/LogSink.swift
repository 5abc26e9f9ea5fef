package import Reactor

/// The target of finished log lines: a file that can be rotated, or stderr. One `write(2)` per line
/// with O_APPEND: lines of several threads never mix, and copy-truncate rotation works as well as
/// rename and reopen (SIGUSR1).
package final class LogSink: Sendable {
    /// nil: stdout or stderr.
    package let path: String?
    private let descriptor: Lock<Int32>

    /// Writes to stderr.
    package static let standardError = LogSink(path: nil, descriptor: StandardStream.error.rawValue)

    /// Writes to stdout, where containers expect access logs.
    package static let standardOutput = LogSink(
        path: nil, descriptor: StandardStream.output.rawValue)

    private init(path: String?, descriptor: Int32) {
        self.path = path
        self.descriptor = Lock(descriptor)
    }

    /// Appends to the file at `path`, which is created if it is missing.
    package convenience init(path: String) throws(Problem) {
        self.init(path: path, descriptor: try Self.open(path))
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
                remedy: "let user \(CurrentProcess.user) write there, or name another file")
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

    /// Writes whole lines. A full disk or a closed pipe loses them: logging never stops the server.
    ///
    /// - Returns: why not all of it was written; nil: all was.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> SystemError? {
        descriptor.withLock { AppendedFile.write(bytes, to: $0) }
    }
}
