import CLinux
import Glibc

/// What we ask the kernel to tell us about a descriptor.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let read = Interest(rawValue: EPOLLIN.rawValue | EPOLLRDHUP.rawValue)
    package static let write = Interest(rawValue: EPOLLOUT.rawValue)
    /// Told once per change, not as long as the state holds. Who is told reads (or writes) until it
    /// would block.
    package static let edge = Interest(rawValue: EPOLLET.rawValue)
    /// What a connection waits for, made once: a set written as a literal in another module is
    /// built element by element each time.
    package static let edgeRead = Interest(
        rawValue: Interest.read.rawValue | Interest.edge.rawValue)
    /// The same while output waits for room.
    package static let edgeReadWrite = Interest(
        rawValue: Interest.edgeRead.rawValue | Interest.write.rawValue)
    /// What a listener waits for that several pollers share: one of them is woken, not all
    /// (epoll_ctl(2); EPOLLRDHUP is refused beside it, and means nothing to a listener).
    package static let shared = Interest(
        rawValue: EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue)
}

/// What the kernel told about a descriptor.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The peer has ended its sending direction; what it sent before is still readable.
    package static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
    package static let error = Readiness(rawValue: EPOLLERR.rawValue)

    // Whole questions, answered here: a set written as a literal in another module is built on the
    // heap, element by element, at every event.

    /// The peer has ended its direction, or both ends are gone.
    package var hasEnded: Bool {
        rawValue & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
    }

    /// A read yields bytes, the end of the stream, or the error.
    package var allowsReading: Bool { rawValue & EPOLLIN.rawValue != 0 || hasEnded }

    /// Both directions are gone: nothing that is sent will be read.
    package var isBroken: Bool { rawValue & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
}

/// One epoll(7) instance. Each registration carries a token of the caller's choice, never a
/// pointer: an event that was already queued when its descriptor was closed then names a slot
/// generation that is gone and is skipped (``SlotTable``).
package struct Poller: ~Copyable {
    private let file: FileDescriptor
    private let events: UnsafeMutablePointer<epoll_event>
    private let capacity: Int

    /// - Parameter eventsMaximum: how many events one turn takes at most; the rest waits for the
    ///   next turn.
    package init(eventsMaximum: Int = 256) throws(SystemError) {
        file = FileDescriptor(
            owning: try Syscall.call("epoll_create1", .epollCreate) {
                epoll_create1(Int32(EPOLL_CLOEXEC))
            })
        capacity = eventsMaximum
        events = .allocate(capacity: eventsMaximum)
    }

    deinit { events.deallocate() }

    /// Register this with another poller to nest them; it is readable when an event waits.
    package var descriptor: Int32 { file.raw }

    package func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_ADD, descriptor, interest, token)
    }

    package func modify(_ descriptor: Int32, _ interest: Interest, token: UInt64)
        throws(SystemError)
    {
        try control(EPOLL_CTL_MOD, descriptor, interest, token)
    }

    /// Only needed for descriptors that stay open: closing the last copy removes it.
    package func remove(_ descriptor: Int32) throws(SystemError) {
        try control(EPOLL_CTL_DEL, descriptor, [], 0)
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ interest: Interest, _ token: UInt64
    ) throws(SystemError) {
        var event = epoll_event(events: interest.rawValue, data: epoll_data(u64: token))
        _ = try Syscall.call("epoll_ctl", .epollControl) {
            epoll_ctl(file.raw, operation, descriptor, &event)
        }
    }

    /// Waits until something happens or `timeout` has passed (`nil`: for ever; rounded up to
    /// milliseconds, so that a timer is due when the call returns). A signal ends the wait early
    /// with 0 events.
    ///
    /// - Returns: how many events ``event(_:)`` can give.
    package func wait(timeout: Duration?) throws(SystemError) -> Int {
        let milliseconds: Int32
        if let timeout {
            milliseconds = Int32(
                clamping: max(0, (timeout.inNanoseconds.addingClamped(999_999)) / 1_000_000))
        } else {
            milliseconds = -1
        }
        if let number = FaultInjection.take(.epollWait) {
            if number == EINTR { return 0 }
            throw Syscall.failure("epoll_wait", number)
        }
        let count = epoll_wait(file.raw, events, Int32(capacity), milliseconds)
        if count >= 0 { return Int(count) }
        let number = errno
        if number == EINTR { return 0 }
        throw Syscall.failure("epoll_wait", number)
    }

    /// Waits as ``wait(timeout:)`` does, but to the microsecond (epoll_pwait2(2), Linux 5.11): for
    /// a load generator whose next arrival is less than a millisecond away. Without it one would be
    /// late or spin. Kernels that lack it (or forbid it) wait whole milliseconds.
    package func waitPrecisely(timeout: Duration) throws(SystemError) -> Int {
        let nanoseconds = max(0, timeout.inNanoseconds)
        var time = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        let count = epoll_pwait2(file.raw, events, Int32(capacity), &time, nil)
        if count >= 0 { return Int(count) }
        let number = errno
        if number == ENOSYS || number == EPERM { return try wait(timeout: timeout) }
        if number == EINTR { return 0 }
        throw Syscall.failure("epoll_pwait2", number)
    }

    /// The event at `index` of the last ``wait(timeout:)``.
    package func event(_ index: Int) -> (token: UInt64, readiness: Readiness) {
        (events[index].data.u64, Readiness(rawValue: events[index].events))
    }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
