import Glibc

/// An open regular file that is read by offset: a part of it costs no more memory than the part.
package final class PositionedFile: Sendable {
    private let file: FileDescriptor
    package let path: String
    /// When the file was opened.
    package let size: Int

    /// Opens a file; links are followed. A FIFO, a device or a folder is rejected.
    package init(_ path: String) throws(FileError) {
        let file = try Files.open(path, Files.readingFlags, "reading")
        var status = stat()
        guard fstat(file.raw, &status) == 0 else {
            throw FileError("reading", path, .system(errno))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileError("reading", path, .notRegular)
        }
        self.path = path
        size = Int(status.st_size)
        self.file = file
    }

    /// The bytes at an offset; fewer at the end of the file.
    package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read: Int
            do throws(SystemError) {
                read = try bytes.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
                    try Syscall.call("pread", .read) {
                        pread(
                            file.raw, buffer.baseAddress.map { $0 + filled }, count - filled,
                            offset + filled)
                    }
                }
            } catch {
                throw FileError("reading", path, error)
            }
            if read == 0 { break }
            filled += read
        }
        bytes.removeLast(count - filled)
        return bytes
    }
}
