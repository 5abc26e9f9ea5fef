import Glibc

/// A pipe from a child process (pipe(7)). Both ends are close-on-exec, and reading does not block.
package struct Pipe: ~Copyable {
    package var reading: FileDescriptor
    package var writing: FileDescriptor

    package init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError(call: "pipe", number: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        reading = FileDescriptor(owning: ends[0])
        writing = FileDescriptor(owning: ends[1])
    }

    /// The bytes available now, at most `limit`.
    ///
    /// - Parameter reading: the descriptor of the reading end.
    /// - Returns: nil if there are none yet; empty at end of file.
    package static func read(_ reading: Int32, limit: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = Glibc.read(reading, &bytes, bytes.count)
        return count < 0 ? nil : Array(bytes[..<count])
    }
}
