import Glibc

/// Memory for secrets: zeroed at first, zeroed in a child process after fork(2)
/// (`MADV_WIPEONFORK`), and excluded from core dumps (`MADV_DONTDUMP`). A page takes memory only
/// after it is written.
package final class WipedMemory {
    package let bytes: UnsafeMutableRawBufferPointer

    /// - Returns: nil if the kernel lacks this (before Linux 4.14) or memory is short.
    package init?(byteCount: Int) {
        guard byteCount > 0,
            let base = mmap(
                nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            base != UnsafeMutableRawPointer(bitPattern: -1)
        else { return nil }
        // Small pages: otherwise one written page would take 2 MiB.
        _ = madvise(base, byteCount, MADV_NOHUGEPAGE)
        guard madvise(base, byteCount, MADV_WIPEONFORK) == 0,
            madvise(base, byteCount, MADV_DONTDUMP) == 0
        else {
            munmap(base, byteCount)
            return nil
        }
        bytes = UnsafeMutableRawBufferPointer(start: base, count: byteCount)
    }

    // The kernel clears pages before it reuses them.
    deinit { munmap(bytes.baseAddress, bytes.count) }
}
