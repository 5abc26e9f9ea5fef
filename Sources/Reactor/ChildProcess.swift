import CLinux
import Glibc

/// A child program and its start parameters (posix_spawn(3)).
///
/// It inherits only the descriptors named here: all others are close-on-exec. Signals blocked in
/// this process are not blocked in the child.
package struct ChildProcess {
    /// A path, or a name without a slash, which is searched in our `PATH`.
    private let program: String
    /// Including its own name as the first.
    private let arguments: [String]
    private let environment: [String: String]
    /// Whether it gets its own process group, so that signals of the terminal do not reach it.
    package var leadsGroup = false
    /// Whether it is not our child, but an orphan from its start: the service manager's, or that of
    /// process 1, which reap it.
    package var isOrphan = false
    /// Our descriptors and their numbers in the child. No source may be a later target.
    package var descriptors: [(source: Int32, target: Int32)] = []
    /// Files to open for it, with the flags and the mode of open(2).
    package var files: [(target: Int32, path: String, flags: Int32, mode: UInt32)] = []

    /// Flags of a file that the child reads.
    package static let readFlags = O_RDONLY
    /// Flags of a file that the child appends to; a missing one is created.
    package static let appendFlags = O_WRONLY | O_CREAT | O_APPEND

    package init(_ program: String, _ arguments: [String], environment: [String: String]) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
    }

    /// Starts the child. The caller must reap it, unless it is an orphan: ``end(_:)``, waitpid(2).
    ///
    /// - Returns: its process identifier.
    /// - Throws: `SystemError` about the program, also if it does not exist.
    package func start() throws(SystemError) -> ProcessID {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, path, flags, mode) in files {
            posix_spawn_file_actions_addopen(&actions, target, path, flags, mode)
        }
        for (source, target) in descriptors {
            // dup2 also clears close-on-exec.
            posix_spawn_file_actions_adddup2(&actions, source, target)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | (leadsGroup ? POSIX_SPAWN_SETPGROUP : 0)))
        let words = arguments.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var process: pid_t = 0
        let code =
            isOrphan
            ? CLinux_posix_spawnp_orphan(
                &process, program, &actions, &attributes, words, variables)
            : posix_spawnp(&process, program, &actions, &attributes, words, variables)
        if code != 0 { throw SystemError(call: "posix_spawn", number: code, subject: program) }
        return process
    }

    /// Whether a child has ended; if so, it is reaped.
    package static func hasEnded(_ process: ProcessID) -> Bool {
        var status: Int32 = 0
        return waitpid(process, &status, WNOHANG) == process
    }

    /// Kills a child and reaps it, unless it is an orphan.
    package static func end(_ process: ProcessID) {
        guard kill(process, SIGKILL) == 0 else { return }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// Suspends a child until ``resume(_:)`` (SIGSTOP).
    package static func pause(_ process: ProcessID) { kill(process, SIGSTOP) }

    /// Resumes a paused child (SIGCONT).
    package static func resume(_ process: ProcessID) { kill(process, SIGCONT) }

    /// Seconds of processor time that a process has used (clock_getcpuclockid(3)); 0 if unknown.
    package static func processorSeconds(of process: ProcessID) -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            return 0
        }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
