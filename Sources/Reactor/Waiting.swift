import Glibc

/// poll(2) on a few descriptors, for threads that only wait for two or three things. A loop with
/// many descriptors uses ``Poller``.
package enum Waiting {
    package struct Subject: Sendable {
        package enum Purpose: Sendable {
            case reading, writing
        }

        let descriptor: Int32
        let purpose: Purpose

        /// - Parameter descriptor: a negative one is ignored.
        package init(_ descriptor: Int32, _ purpose: Purpose = .reading) {
            self.descriptor = descriptor
            self.purpose = purpose
        }
    }

    /// Waits until one of them is ready or has failed; a signal does not end the wait.
    ///
    /// - Parameter deadline: `.distantFuture` to wait forever.
    /// - Returns: which are ready, in the given order; none after the deadline.
    package static func wait(
        _ subjects: [Subject], until deadline: MonotonicInstant
    ) -> [Bool] {
        var entries = subjects.map {
            let events = $0.purpose == .reading ? POLLIN : POLLOUT
            return pollfd(fd: $0.descriptor, events: Int16(events), revents: 0)
        }
        while true {
            let left = max(0, (deadline - .now()).inNanoseconds)
            // Rounded up: waking too early would spin.
            let milliseconds =
                deadline == .distantFuture ? -1 : Int32(clamping: (left + 999_999) / 1_000_000)
            if poll(&entries, nfds_t(entries.count), milliseconds) >= 0 || errno != EINTR { break }
        }
        return entries.map { $0.revents != 0 }
    }
}
