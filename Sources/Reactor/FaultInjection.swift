import CLinux

/// Makes the n-th system call of a kind fail on this thread, so that tests can cover every failure
/// (debug builds and those of the sanitizers; in what ships `take` is empty: `FAULT_INJECTION` in
/// Package.swift).
///
/// The state is thread-local because tests run in parallel in one process: an armed fault affects
/// no other test.
package enum FaultInjection {
    package enum Call: Int32, CaseIterable, Sendable {
        case socket, bind, listen, accept4, connect, recv, send, shutdown, setsockopt, getsockopt
        case fcntl, getsockname
        case epollCreate, epollControl, epollWait, eventfd, signalfd, inotifyInit, inotifyAddWatch
        case pthreadCreate
        case open, openat2, read, readdir, write, fsync, rename
    }

    /// Makes the `after`-th next `call` of this thread (1 = the very next), and the `times - 1`
    /// calls after it, fail with `number`.
    package static func arm(_ call: Call, after: UInt32 = 1, times: UInt32 = 1, number: Int32) {
        CLinux_fault_arm(call.rawValue, after, times, number)
    }

    /// Whether a fault is still armed on this thread, because the call was made too few times. A
    /// test that iterates n = 1, 2, … has covered every call once this is true at the end.
    package static func isPending(_ call: Call) -> Bool {
        CLinux_fault_pending(call.rawValue) != 0
    }

    /// Disarms all faults of this thread.
    package static func disarm() {
        for call in Call.allCases { CLinux_fault_arm(call.rawValue, 0, 0, 0) }
    }

    /// An old defect of the server that a simulation can put back, to show that it finds it.
    package enum Defect: Int32, CaseIterable, Sendable {
        /// Handshakes that wait for their peer hold the places of those that work, and the loop
        /// sleeps while no other worker may begin.
        case silentPeersHoldPlaces
        /// HTTP/1.1 input is read, and kept, while an answer is under way.
        case readsBehindAnswers
    }

    /// Puts an old defect back on this thread; `nil` removes all of them.
    package static func putBack(_ defect: Defect?) {
        CLinux_defect_put_back(defect?.rawValue ?? -1)
    }

    /// Whether the code of this thread has an old defect; never in what ships.
    @inline(__always)
    package static func isBack(_ defect: Defect) -> Bool {
        #if FAULT_INJECTION
            CLinux_defect_is_back(defect.rawValue) != 0
        #else
            false
        #endif
    }

    /// The injected error, if one is due.
    @inline(__always)
    static func take(_ call: Call?) -> Int32? {
        #if FAULT_INJECTION
            guard let call else { return nil }
            let number = CLinux_fault_take(call.rawValue)
            return number == 0 ? nil : number
        #else
            return nil
        #endif
    }
}
