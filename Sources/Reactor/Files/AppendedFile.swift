import Glibc

/// A file that lines are added to. One write(2) per call with O_APPEND: what several threads and
/// processes write never mixes, and rotation works by copy and truncate as well as by rename.
package enum AppendedFile {
    /// Opens the file, or makes it (readable for the group). The descriptor is the caller's.
    package static func open(_ path: String) throws(FileError) -> Int32 {
        // O_NONBLOCK only matters for a FIFO without a reader: it must not hold the caller.
        var file = try Files.open(
            path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_NONBLOCK, mode: 0o640, "writing")
        return file.release()
    }

    /// Writes to a stream that somebody else made (stdout, stderr): a pipe, a socket, a terminal or
    /// a file. O_NONBLOCK would change it for all who share it, so each part is written when
    /// poll(2) says that there is room: a pipe then takes PIPE_BUF bytes without a wait (pipe(7)).
    ///
    /// - Parameter patience: how long all of it may wait for a reader together.
    /// - Returns: the bytes that are written, and why not all; EAGAIN: nobody reads.
    package static func offer(
        _ bytes: [UInt8], to descriptor: Int32, patience: Duration
    ) -> (written: Int, error: SystemError?) {
        let deadline = MonotonicInstant.now() + patience
        var offset = 0
        while offset < bytes.count {
            guard Waiting.wait([.init(descriptor, .writing)], until: deadline)[0] else {
                return (offset, SystemError(call: "write", number: EAGAIN))
            }
            let part = bytes[offset..<min(offset + Int(PIPE_BUF), bytes.count)]
            let count = part.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                offset += count
            } else if errno != EINTR && errno != EAGAIN || count == 0 {
                return (offset, SystemError(call: "write", number: count == 0 ? EIO : errno))
            } else if MonotonicInstant.now() >= deadline {
                return (offset, SystemError(call: "write", number: EAGAIN))
            }
        }
        return (offset, nil)
    }

    /// What cannot be written (a full disk, a closed pipe) is lost.
    ///
    /// - Returns: why not all of it was written; nil: it was.
    @discardableResult
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> SystemError? {
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                offset += count
            } else if errno != EINTR {
                return SystemError(call: "write", number: count == 0 ? EIO : errno)
            }
        }
        return nil
    }
}
