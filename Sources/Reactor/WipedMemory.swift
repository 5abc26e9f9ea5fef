import Glibc

/// Memory for secrets: zeros at first, a child process after fork(2) finds zeros in it
/// (`MADV_WIPEONFORK`), and a core dump leaves it out (`MADV_DONTDUMP`). Pages take memory once
/// something was written there.
package final class WipedMemory {
    package let bytes: UnsafeMutableRawBufferPointer

    /// - Returns: nil where the kernel cannot do that (before Linux 4.14), or memory is short.
    package init?(byteCount: Int) {
        guard byteCount > 0,
            let base = mmap(
                nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            base != UnsafeMutableRawPointer(bitPattern: -1)
        else { return nil }
        // Small pages: what is written takes memory, and not 2 MiB around it.
        _ = madvise(base, byteCount, MADV_NOHUGEPAGE)
        guard madvise(base, byteCount, MADV_WIPEONFORK) == 0,
            madvise(base, byteCount, MADV_DONTDUMP) == 0
        else {
            munmap(base, byteCount)
            return nil
        }
        bytes = UnsafeMutableRawBufferPointer(start: base, count: byteCount)
    }

    // The kernel gives pages to nobody else before it has cleared them.
    deinit { munmap(bytes.baseAddress, bytes.count) }
}
