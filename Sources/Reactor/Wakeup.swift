import CLinux
import Glibc

/// Wakes a poller from another thread (eventfd(2)). Several signals before the loop reads them are
/// one wake-up.
package final class Wakeup: Sendable {
    /// Register this for reading with the loop's ``Poller``.
    package let descriptor: Int32

    package init() throws(SystemError) {
        descriptor = try Syscall.call("eventfd", .eventfd) {
            eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        }
    }

    deinit { close(descriptor) }

    /// Callable from any thread.
    package func signal() {
        var one: UInt64 = 1
        // EAGAIN means that the counter is full: a wake-up is pending anyway.
        _ = write(descriptor, &one, 8)
    }

    /// Clears the signal; in the loop's thread.
    package func drain() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
