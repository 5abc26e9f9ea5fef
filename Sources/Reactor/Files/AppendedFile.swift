import Glibc

/// A file that lines are appended to. One write(2) per call with O_APPEND: writes of several
/// threads and processes never interleave, and rotation works by copy and truncate as well as by
/// rename.
package enum AppendedFile {
    /// Opens or creates the file (readable for the group). The caller owns the descriptor.
    ///
    /// - Parameter owner: gets the file, if this process may give it away. Devices, pipes, and
    ///   files that have another name as well keep their owner.
    package static func open(
        _ path: String, owner: Files.Owner? = nil
    ) throws(FileError) -> Int32 {
        // O_NONBLOCK matters only for a FIFO without a reader: open must not block.
        var file = try Files.open(
            path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_NONBLOCK, mode: 0o640, "writing")
        if let owner { give(file.raw, path, to: owner) }
        return file.release()
    }

    /// A user who may write in the folder can put a link there: its target keeps its owner.
    private static func give(_ descriptor: Int32, _ path: String, to owner: Files.Owner) {
        var (opened, named) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0, lstat(path, &named) == 0,
            opened.st_dev == named.st_dev, opened.st_ino == named.st_ino,
            opened.st_mode & S_IFMT == S_IFREG, opened.st_nlink == 1
        else { return }
        _ = fchown(descriptor, owner.user, owner.group)
    }

    /// Writes to an inherited stream (stdout, stderr): a pipe, a socket, a terminal or a file.
    /// O_NONBLOCK would affect everyone who shares it, so each part is written after poll(2)
    /// reports room: a pipe then accepts PIPE_BUF bytes without blocking (pipe(7)).
    ///
    /// - Parameter patience: maximum of the whole wait for a reader.
    /// - Returns: the bytes written, and why not all; EAGAIN: no process reads.
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

    /// Of bytes that are not taken, as the disk does not answer.
    package static let unanswered = SystemError(call: "write", number: EBUSY)

    /// Bytes that cannot be written (a full disk, a closed pipe) are lost.
    ///
    /// - Returns: why not everything was written; nil on success.
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
