import Glibc

/// The owner of one open file descriptor; it is closed when the owner goes.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The kernel's number, -1 when there is none.
    package private(set) var raw: Int32

    /// Takes ownership of `raw`.
    package init(owning raw: Int32) { self.raw = raw }

    /// No descriptor.
    package init() { raw = -1 }

    package var isOpen: Bool { raw >= 0 }

    /// Hands the number over: the caller closes it from now on.
    package mutating func release() -> Int32 {
        defer { raw = -1 }
        return raw
    }

    /// Closes now. close(2) is never repeated: on Linux the descriptor is gone even after `EINTR`,
    /// and a repetition could close one that another thread has just opened. `EIO` and `ENOSPC`
    /// concern files we have already synced or do not write.
    package mutating func close() {
        guard raw >= 0 else { return }
        let number = release()
        let result = Glibc.close(number)
        precondition(result == 0 || errno != EBADF, "closed a descriptor that is not ours")
    }

    /// Closes a number that came from ``release()``, ``duplicate(_:from:)`` or another process.
    package static func close(_ raw: Int32) { _ = Glibc.close(raw) }

    /// Another number of what `raw` names, close-on-exec, owned by the caller (fcntl(2),
    /// F_DUPFD_CLOEXEC).
    ///
    /// - Parameter lowest: the number is this one or above.
    package static func duplicate(
        _ raw: Int32, from lowest: Int32 = 3
    ) throws(SystemError) -> Int32 {
        try Syscall.call("fcntl", .fcntl) { fcntl(raw, F_DUPFD_CLOEXEC, lowest) }
    }

    deinit {
        if raw >= 0 { _ = Glibc.close(raw) }
    }
}
