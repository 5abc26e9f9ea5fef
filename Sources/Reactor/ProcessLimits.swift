import CLinux
import Glibc

/// What the operating system lets this process have. Process-wide: called from `main`, never from a
/// unit test.
package enum ProcessLimits {
    /// Raises the soft limit on descriptors to the hard one.
    ///
    /// - Returns: the limit that now holds.
    package static func raiseDescriptorLimit() throws(SystemError) -> Int {
        var limit = rlimit()
        _ = try Syscall.call("getrlimit") {
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        if limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            _ = try Syscall.call("setrlimit") {
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Processors this process may run on (affinity mask), at least 1.
    package static var processorCount: Int { max(1, Int(CLinux_sched_getaffinity_count())) }

    /// No program that this process starts from now on can gain a privilege (prctl(2),
    /// PR_SET_NO_NEW_PRIVS): set-user-ID bits and file capabilities are ignored.
    package static func forbidNewPrivileges() throws(SystemError) {
        _ = try Syscall.call("prctl") { CLinux_prctl_set_no_new_privs() }
    }

    /// This process does not outlive the one that started it, however that ends (prctl(2),
    /// PR_SET_PDEATHSIG).
    ///
    /// - Parameter parent: who that is; where it has ended already, this process ends at once.
    package static func endWith(parent: Int32) throws(SystemError) {
        _ = try Syscall.call("prctl") { CLinux_prctl_set_pdeathsig(SIGKILL) }
        if getppid() != parent { _exit(0) }
    }

    /// Writing to a socket whose peer is gone must be an error, not a signal that ends the process.
    package static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}
