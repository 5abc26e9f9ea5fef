import CLinux
import Glibc

/// A file in memory only: passed to another process, never written to disk.
package enum MemoryFile {
    /// Creates one that holds `bytes`, at offset 0. Close-on-exec; the caller closes it.
    package static func make(_ name: String, _ bytes: [UInt8]) throws(SystemError) -> Int32 {
        var file = FileDescriptor(
            owning: try Syscall.call("memfd_create") { CLinux_memfd_create(name) })
        let raw = file.raw
        var offset = 0
        while offset < bytes.count {
            offset += try Syscall.call("write") {
                bytes[offset...].withUnsafeBytes {
                    pwrite(raw, $0.baseAddress, $0.count, off_t(offset))
                }
            }
        }
        return file.release()
    }

    /// The whole content, from any offset; nil if larger than `maximum` or not readable.
    package static func bytes(of descriptor: Int32, maximum: Int) -> [UInt8]? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size <= maximum else { return nil }
        let size = Int(status.st_size)
        var offset = 0
        var bytes = [UInt8](repeating: 0, count: size)
        while offset < size {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress.map { $0 + offset }, size - offset,
                    off_t(offset))
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return nil }
            offset += count
        }
        return bytes
    }
}
