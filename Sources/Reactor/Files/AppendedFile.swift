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
