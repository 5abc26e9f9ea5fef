import CLinux
import Glibc

/// The limits that the operating system sets for this process. Process-wide: called from `main`,
/// never from a unit test.
package enum ProcessLimits {
    /// Raises the soft limit on descriptors to the hard one.
    ///
    /// - Returns: the new limit.
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

    /// Programs that this process starts from now on cannot gain privileges (prctl(2),
    /// PR_SET_NO_NEW_PRIVS): set-user-ID bits and file capabilities are ignored.
    package static func forbidNewPrivileges() throws(SystemError) {
        _ = try Syscall.call("prctl") { CLinux_prctl_set_no_new_privs() }
    }

    /// A write that fails must return an error, not end the process by a signal: to a closed socket
    /// or pipe (SIGPIPE), or beyond the limit on the size of files (SIGXFSZ, `ulimit -f`).
    package static func ignoreFailingWrites() {
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    }
}
