import CLinux
import Glibc

/// The events to request from the kernel for a descriptor.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let read = Interest(rawValue: EPOLLIN.rawValue | EPOLLRDHUP.rawValue)
    package static let write = Interest(rawValue: EPOLLOUT.rawValue)
    /// Edge-triggered: one event per change. The receiver reads (or writes) until it would block.
    package static let edge = Interest(rawValue: EPOLLET.rawValue)
    /// For a connection. A constant, because a set literal in another module is built element by
    /// element each time.
    package static let edgeRead = Interest(
        rawValue: Interest.read.rawValue | Interest.edge.rawValue)
    /// The same while output is pending.
    package static let edgeReadWrite = Interest(
        rawValue: Interest.edgeRead.rawValue | Interest.write.rawValue)
    /// For a listener that several pollers share: one of them is woken, not all (epoll_ctl(2),
    /// which forbids EPOLLRDHUP with it; a listener does not need that).
    package static let shared = Interest(
        rawValue: EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue)
}

/// The events that the kernel reported for a descriptor.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The peer closed its sending direction; data sent before is still readable.
    package static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
    package static let error = Readiness(rawValue: EPOLLERR.rawValue)

    // Combined tests, defined here: a set literal in another module is built on the heap, element
    // by element, at every event.

    /// The peer closed its direction, or both directions are closed.
    package var hasEnded: Bool {
        rawValue & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
    }

    /// A read returns bytes, end of stream, or the error.
    package var allowsReading: Bool { rawValue & EPOLLIN.rawValue != 0 || hasEnded }

    /// Both directions are closed: nothing sent will be read.
    package var isBroken: Bool { rawValue & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
}

/// One epoll(7) instance. Each registration carries a token of the caller's choice, never a
/// pointer: an event that was queued before its descriptor was closed then names an old slot
/// generation and is ignored (``SlotTable``).
package struct Poller: ~Copyable {
    private let file: FileDescriptor
    private let events: UnsafeMutablePointer<epoll_event>
    private let capacity: Int

    /// - Parameter eventsMaximum: maximum of events per turn; the rest is reported in the next one.
    package init(eventsMaximum: Int = 256) throws(SystemError) {
        let isSimulated = Kernel.simulated != nil
        file =
            isSimulated
            ? FileDescriptor()
            : FileDescriptor(
                owning: try Syscall.call("epoll_create1", .epollCreate) {
                    epoll_create1(Int32(EPOLL_CLOEXEC))
                })
        capacity = eventsMaximum
        events = .allocate(capacity: eventsMaximum)
    }

    deinit { events.deallocate() }

    /// Register this with another poller to nest them; it is readable when an event is pending.
    package var descriptor: Int32 { file.raw }

    package func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_ADD, descriptor, interest, token)
    }

    package func modify(_ descriptor: Int32, _ interest: Interest, token: UInt64)
        throws(SystemError)
    {
        try control(EPOLL_CTL_MOD, descriptor, interest, token)
    }

    /// Only needed for descriptors that stay open, also in another process that shares the socket:
    /// closing the last duplicate removes it.
    package func remove(_ descriptor: Int32) throws(SystemError) {
        try control(EPOLL_CTL_DEL, descriptor, [], 0)
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ interest: Interest, _ token: UInt64
    ) throws(SystemError) {
        if let kernel = Kernel.simulated {
            let removes = operation == EPOLL_CTL_DEL
            return kernel.watch(descriptor, removes ? nil : interest, token: token)
        }
        var event = epoll_event(events: interest.rawValue, data: epoll_data(u64: token))
        _ = try Syscall.call("epoll_ctl", .epollControl) {
            epoll_ctl(file.raw, operation, descriptor, &event)
        }
    }

    /// Waits for an event or until `timeout` has passed (`nil`: forever; rounded up to
    /// milliseconds, so that a timer is due when the call returns). A signal ends the wait early
    /// with 0 events.
    ///
    /// - Returns: the number of events for ``event(_:)``.
    package func wait(timeout: Duration?) throws(SystemError) -> Int {
        let milliseconds: Int32
        if let timeout {
            let nanoseconds = max(0, timeout.inNanoseconds)
            milliseconds = Int32(
                clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000).signum())
        } else {
            milliseconds = -1
        }
        if let kernel = Kernel.simulated {
            let reported = try kernel.wait(milliseconds: milliseconds, atMost: capacity)
            for (index, event) in reported.enumerated() {
                events[index] = epoll_event(
                    events: event.readiness.rawValue, data: epoll_data(u64: event.token))
            }
            return reported.count
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

    /// Waits like ``wait(timeout:)``, but with microsecond precision (epoll_pwait2(2), Linux 5.11):
    /// for a load generator whose next arrival is less than a millisecond away, which would
    /// otherwise be late or spin. Kernels that lack or forbid it wait whole milliseconds.
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
