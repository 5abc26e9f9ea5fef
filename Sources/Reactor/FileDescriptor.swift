import Glibc

/// Owns one open file descriptor and closes it when destroyed.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The kernel's number, -1 when there is none.
    package private(set) var raw: Int32

    /// Takes ownership of `raw`.
    package init(owning raw: Int32) { self.raw = raw }

    /// No descriptor.
    package init() { raw = -1 }

    package var isOpen: Bool { raw >= 0 }

    /// Transfers ownership: the caller must close the number.
    package mutating func release() -> Int32 {
        defer { raw = -1 }
        return raw
    }

    /// Closes now. close(2) is never retried: on Linux the descriptor is closed even after `EINTR`,
    /// and a retry could close one that another thread has just opened. `EIO` and `ENOSPC` concern
    /// only files that are synced already or not written.
    package mutating func close() {
        guard raw >= 0 else { return }
        let number = release()
        if Self.closeSimulated(number) { return }
        let result = Glibc.close(number)
        precondition(result == 0 || errno != EBADF, "closed a descriptor that is not ours")
    }

    /// Closes a descriptor from ``release()``, ``duplicate(_:from:)`` or another process.
    package static func close(_ raw: Int32) { _ = Glibc.close(raw) }

    /// Duplicates `raw`; close-on-exec, owned by the caller (fcntl(2), F_DUPFD_CLOEXEC).
    ///
    /// - Parameter lowest: the lowest number allowed.
    package static func duplicate(
        _ raw: Int32, from lowest: Int32 = 3
    ) throws(SystemError) -> Int32 {
        try Syscall.call("fcntl", .fcntl) { fcntl(raw, F_DUPFD_CLOEXEC, lowest) }
    }

    deinit {
        if raw >= 0, !Self.closeSimulated(raw) { _ = Glibc.close(raw) }
    }

    /// - Returns: whether the descriptor was a simulated kernel's.
    @inline(__always)
    private static func closeSimulated(_ raw: Int32) -> Bool {
        guard let kernel = Kernel.simulated, raw >= Kernel.firstDescriptor else { return false }
        kernel.close(raw)
        return true
    }
}
