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
    /// Whether it is not our child, but an orphan from its start: the service manager's, or that of
    /// process 1, which reap it.
    package var isOrphan = false
    /// Our descriptors and their numbers in the child. No source may be a later target.
    package var descriptors: [(source: Int32, target: Int32)] = []

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
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
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

    /// Kills a child and reaps it, unless it is an orphan.
    package static func end(_ process: ProcessID) {
        guard kill(process, SIGKILL) == 0 else { return }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
}
