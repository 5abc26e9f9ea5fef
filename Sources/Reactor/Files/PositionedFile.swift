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
        let status = try Files.status(of: file.raw, path)
        guard status.kind == .file else { throw FileError("reading", path, .notRegular) }
        self.path = path
        size = status.size
        self.file = file
    }

    /// The bytes at an offset; fewer at the end of the file.
    package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = try Files.call("reading", path, "pread", .read) {
                bytes.withUnsafeMutableBytes {
                    pread(
                        file.raw, $0.baseAddress.map { $0 + filled }, count - filled,
                        offset + filled)
                }
            }
            if read == 0 { break }
            filled += read
        }
        bytes.removeLast(count - filled)
        return bytes
    }
}
