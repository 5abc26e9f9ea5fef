import CLinux

/// Lets the n-th system call of a kind fail on this thread, so that tests walk through every
/// failure (debug builds only; in release builds `take` is nothing at all).
///
/// The state is thread-local because tests run in parallel in one process: an armed fault hits
/// nobody else.
package enum FaultInjection {
    package enum Call: Int32, CaseIterable, Sendable {
        case socket, bind, listen, accept4, connect, recv, send, shutdown, setsockopt, getsockopt
        case fcntl, getsockname
        case epollCreate, epollControl, epollWait, eventfd, signalfd, inotifyInit, inotifyAddWatch
        case pthreadCreate
        case open, openat2, read, readdir, write, fsync, rename
    }

    /// The `after`-th next `call` of this thread (1 = the very next) fails with `number`, and the
    /// `times - 1` ones behind it.
    package static func arm(_ call: Call, after: UInt32 = 1, times: UInt32 = 1, number: Int32) {
        CLinux_fault_arm(call.rawValue, after, times, number)
    }

    /// Whether a fault is still to come on this thread: the call was made too seldom. A test that
    /// walks through n = 1, 2, … has seen every call of its run once this holds at the end.
    package static func isPending(_ call: Call) -> Bool {
        CLinux_fault_pending(call.rawValue) != 0
    }

    /// Removes what is armed on this thread.
    package static func disarm() {
        for call in Call.allCases { CLinux_fault_arm(call.rawValue, 0, 0, 0) }
    }

    /// The error to pretend, if one is due.
    @inline(__always)
    static func take(_ call: Call?) -> Int32? {
        #if DEBUG
            guard let call else { return nil }
            let number = CLinux_fault_take(call.rawValue)
            return number == 0 ? nil : number
        #else
            return nil
        #endif
    }
}
