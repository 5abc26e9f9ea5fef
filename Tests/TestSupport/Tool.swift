import Foundation
public import Glibc

/// Runs programs for tests: everything they print is collected, and none outlives its time limit.
public enum Tool {
    /// What a finished program left behind.
    public struct Result: Sendable, CustomStringConvertible {
        /// The exit status; 128 + the signal's number when a signal ended it.
        public let status: Int32
        /// True when the time limit ended it.
        public let timedOut: Bool
        public let outputBytes: [UInt8]
        public let errorBytes: [UInt8]

        /// Standard output as text (invalid UTF-8 is replaced).
        public var stdout: String { String(decoding: outputBytes, as: UTF8.self) }
        /// Standard error as text (invalid UTF-8 is replaced).
        public var stderr: String { String(decoding: errorBytes, as: UTF8.self) }
        /// Everything worth knowing when an expectation about it fails.
        public var description: String {
            "status \(status)\(timedOut ? " (timed out)" : "")\n"
                + "stdout: \(stdout.prefix(4000))\nstderr: \(stderr.prefix(4000))"
        }
    }

    /// Why a program could not be run at all.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) { self.description = description }
    }

    /// Runs `path` (looked up in PATH when it has no slash) and waits for its end.
    ///
    /// Safe beside other tests: descriptors of this process are not passed on, the child has its
    /// own process group, and the whole group is killed when the time is up.
    /// - Parameters:
    ///   - environment: added to this process's environment; an empty value removes the variable.
    ///   - timeout: a guard only, never a measurement.
    public static func run(
        _ path: String, _ arguments: [String] = [], stdin: [UInt8] = [],
        environment: [String: String] = [:], folder: String? = nil,
        timeout: Duration = .seconds(120)
    ) throws -> Result {
        let files = try TemporaryFolder("run")
        let input = try files.write("in", stdin)
        // Files, not pipes: no thread has to drain them, and a grandchild that keeps one open
        // blocks nobody.
        let output = files.path("out")
        let errors = files.path("err")
        let pid = try spawn(
            path, arguments, input: input, output: output, errors: errors, environment: environment,
            folder: folder)
        let (status, timedOut) = wait(for: pid, timeout: timeout)
        return Result(
            status: status, timedOut: timedOut, outputBytes: (try? files.read("out")) ?? [],
            errorBytes: (try? files.read("err")) ?? [])
    }

    /// Runs `path` with text on standard input.
    public static func run(
        _ path: String, _ arguments: [String] = [], stdin: String,
        environment: [String: String] = [:], folder: String? = nil,
        timeout: Duration = .seconds(120)
    ) throws -> Result {
        try run(
            path, arguments, stdin: Array(stdin.utf8), environment: environment, folder: folder,
            timeout: timeout)
    }

    /// Starts a program and returns its process id; the caller ends and reaps it (`wait`).
    ///
    /// Standard streams are files; every other descriptor of this process is closed in the child.
    /// The child leads a process group of its own.
    public static func spawn(
        _ path: String, _ arguments: [String], input: String = "/dev/null", output: String,
        errors: String, environment: [String: String] = [:], folder: String? = nil
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        let create = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND
        posix_spawn_file_actions_addopen(&actions, 1, output, create, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, create, 0o600)
        try SpawnExtensions.closeFrom(&actions, 3)
        if let folder { try SpawnExtensions.changeFolder(&actions, folder) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        var allSignals = sigset_t()
        sigfillset(&allSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setsigdefault(&attributes, &allSignals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let merged = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let variables = merged.filter { !$0.value.isEmpty }.map { "\($0.key)=\($0.value)" }
        var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for string in argv + envp { free(string) } }
        var pid: pid_t = 0
        let result = posix_spawnp(&pid, path, &actions, &attributes, &argv, &envp)
        guard result == 0 else {
            throw Failure(description: "cannot run \(path): \(String(cString: strerror(result)))")
        }
        return pid
    }

    /// Whether a sanitizer slows the product and its tests (`AASA_SANITIZER`, by `deploy/test`).
    public static let isSanitized = ProcessInfo.processInfo.environment["AASA_SANITIZER"] != nil

    /// Waits for a child of `spawn`; kills its whole process group when the time is up: five times
    /// as late under a sanitizer, which makes a program up to twenty times as slow.
    public static func wait(
        for pid: pid_t, timeout: Duration
    ) -> (status: Int32, timedOut: Bool) {
        let deadline = ContinuousClock.now + timeout * (isSanitized ? 5 : 1)
        var pause: UInt32 = 500
        var timedOut = false
        while true {
            var status: Int32 = 0
            let found = waitpid(pid, &status, WNOHANG)
            if found == pid {
                let signal = status & 0x7F
                return (signal == 0 ? (status >> 8) & 0xFF : 128 + signal, timedOut)
            }
            if found < 0 && errno != EINTR { return (-1, timedOut) }
            if !timedOut && ContinuousClock.now >= deadline {
                timedOut = true
                kill(-pid, SIGKILL)
            }
            usleep(pause)
            pause = min(pause * 2, 20_000)
        }
    }

    /// The path of a program in PATH, or `nil`.
    public static func find(_ name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    /// The `aasa` binary under test: `AASA_BINARY`, else the newest of the debug and release
    /// builds.
    public static func aasa() throws -> String {
        if let named = ProcessInfo.processInfo.environment["AASA_BINARY"], !named.isEmpty {
            return named
        }
        let builds = ["debug", "release"].map {
            Fixtures.packageRoot.appendingPathComponent(".build/\($0)/aasa").path
        }
        func age(_ path: String) -> Date {
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
            return attributes?[.modificationDate] as? Date ?? .distantPast
        }
        let built = builds.filter { FileManager.default.isExecutableFile(atPath: $0) }
        guard let newest = built.max(by: { age($0) < age($1) }) else {
            throw Failure(description: "no aasa binary: run 'swift build' or set AASA_BINARY")
        }
        return newest
    }

    /// Runs `aasa` with these arguments.
    public static func aasa(
        _ arguments: [String], stdin: [UInt8] = [], environment: [String: String] = [:],
        timeout: Duration = .seconds(120)
    ) throws -> Result {
        try run(
            try aasa(), arguments, stdin: stdin, environment: environment, timeout: timeout)
    }
}

/// Two functions of glibc that its Swift module hides behind `_GNU_SOURCE`, looked up by name.
private enum SpawnExtensions {
    typealias CloseFrom =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
    typealias ChangeFolder =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>) ->
        Int32

    static func closeFrom(_ actions: inout posix_spawn_file_actions_t, _ first: Int32) throws {
        let name = "posix_spawn_file_actions_addclosefrom_np"
        guard let symbol = dlsym(nil, name) else {
            throw Tool.Failure(description: "glibc has no \(name)")
        }
        _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, first)
    }

    static func changeFolder(_ actions: inout posix_spawn_file_actions_t, _ path: String) throws {
        let name = "posix_spawn_file_actions_addchdir_np"
        guard let symbol = dlsym(nil, name) else {
            throw Tool.Failure(description: "glibc has no \(name)")
        }
        _ = unsafeBitCast(symbol, to: ChangeFolder.self)(&actions, path)
    }
}
