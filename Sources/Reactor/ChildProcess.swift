import Glibc

/// A program that this process starts, and what it starts with (posix_spawn(3)).
///
/// Descriptors of this process do not get into it, unless they are named: all of them are
/// close-on-exec. Signals that this process has blocked are not blocked in it.
package struct ChildProcess {
    /// A path, or with ``searchesPath`` a name.
    private let program: String
    /// Its own name first.
    private let arguments: [String]
    private let environment: [String: String]
    /// A name without a slash is looked for in `PATH`.
    package var searchesPath = false
    /// It gets a process group of its own: signals of the terminal do not reach it.
    package var leadsGroup = false
    /// Numbers that descriptors of this process have there. No source may be a later target.
    package var descriptors: [(source: Int32, target: Int32)] = []
    /// Files that are opened for it, with the flags and the mode of open(2).
    package var files: [(target: Int32, path: String, flags: Int32, mode: UInt32)] = []

    /// Flags of a file that it reads.
    package static let readFlags = O_RDONLY
    /// Flags of a file that it adds to, and that is made where there is none.
    package static let appendFlags = O_WRONLY | O_CREAT | O_APPEND

    package init(_ program: String, _ arguments: [String], environment: [String: String]) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
    }

    /// Starts it. Whoever does has to wait for its end: ``end(_:)`` or waitpid(2).
    ///
    /// - Returns: its process identifier.
    /// - Throws: `SystemError` about the program, also where there is none.
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
            searchesPath
            ? posix_spawnp(&process, program, &actions, &attributes, words, variables)
            : posix_spawn(&process, program, &actions, &attributes, words, variables)
        if code != 0 { throw SystemError(call: "posix_spawn", number: code, subject: program) }
        return process
    }

    /// Whether a child has ended; it is reaped then.
    package static func hasEnded(_ process: ProcessID) -> Bool {
        var status: Int32 = 0
        return waitpid(process, &status, WNOHANG) == process
    }

    /// Ends a child at once, and waits until it is gone.
    package static func end(_ process: ProcessID) {
        guard kill(process, SIGKILL) == 0 else { return }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// Keeps a child from running until ``resume(_:)`` (SIGSTOP).
    package static func pause(_ process: ProcessID) { kill(process, SIGSTOP) }

    /// Lets a paused child run again (SIGCONT).
    package static func resume(_ process: ProcessID) { kill(process, SIGCONT) }

    /// Seconds of processor time that a process has used so far (clock_getcpuclockid(3)); 0 where
    /// it cannot be told.
    package static func processorSeconds(of process: ProcessID) -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            return 0
        }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
