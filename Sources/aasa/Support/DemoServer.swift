import AASAServer
import ArgumentParser
import Reactor
import Synchronization

/// A small server of `aasa storm demo`'s own: a process of this program with one worker, on a
/// loopback port of the kernel's choice. It ends with this process, however that ends.
final class DemoServer {
    let address: SocketAddress
    private let process: ProcessID
    private var pulse: CPUQuota?

    /// How long a start may take on a machine that is busy.
    private static let startTimeMaximum: Duration = .seconds(60)

    /// Starts it and waits until it serves.
    ///
    /// - Parameters:
    ///   - folder: holds `site` and `certs`, and gets what the server writes.
    ///   - name: of this server's own files there.
    ///   - options: of `aasa serve`.
    ///   - isPlainQueue: as servers do that know no admission.
    init(
        folder: String, name: String, options: [String] = [], isPlainQueue: Bool = false
    ) throws {
        let (ready, log) = ("\(folder)/\(name).ready", "\(folder)/\(name).log")
        let arguments =
            [
                "aasa", "storm", "demo-server", "\(CurrentProcess.id)", "--site", "\(folder)/site",
                "--certs", "\(folder)/certs", "--listen", "127.0.0.1:0", "--workers", "1",
                "--ready-file", ready, "--run", "\(folder)/run", "--log-file", log,
                "--watch", "off",
            ] + (isPlainQueue ? ["--plain-queue"] : []) + options
        process = try Self.spawn(arguments, log: log)
        let deadline = MonotonicInstant.now() + Self.startTimeMaximum
        while true {
            if let bytes = try? Files.read(ready, limit: 4096),
                let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first,
                let found = line.split(separator: " ").last,
                let address = SocketAddress(parsing: String(found))
            {
                self.address = address
                return
            }
            let hasEnded = ChildProcess.hasEnded(process)
            if hasEnded || MonotonicInstant.now() > deadline {
                if !hasEnded { ChildProcess.end(process) }
                let said = (try? Files.read(log, limit: 1 << 20)) ?? []
                throw CommandError(
                    "the demo's server did not start: " + String(decoding: said, as: UTF8.self),
                    place: folder)
            }
            CurrentProcess.sleep(.milliseconds(10))
        }
    }

    deinit { stop() }

    /// Gives it so much of each period of one processor, as a slow machine would.
    func limitProcessor(run: Duration, of period: Duration) throws {
        pulse = try CPUQuota(of: process, run: run, period: period)
    }

    /// Ends it.
    func stop() {
        pulse?.stop()
        pulse = nil
        ChildProcess.end(process)
    }

    private static func spawn(_ arguments: [String], log: String) throws -> ProcessID {
        // What this user has set for a server of theirs is not for this one.
        var variables = CurrentProcess.environment.filter { !$0.key.hasPrefix("AASA_") }
        for name in ["LISTEN_PID", "LISTEN_FDS", "NOTIFY_SOCKET", "STATE_DIRECTORY"] {
            variables[name] = nil
        }
        var child = ChildProcess("/proc/self/exe", arguments, environment: variables)
        // Signals of the terminal are for the storm, which ends it.
        child.leadsGroup = true
        child.files =
            [(StandardStream.input.rawValue, "/dev/null", ChildProcess.readFlags, 0)]
            + [StandardStream.output, .error].map {
                ($0.rawValue, log, ChildProcess.appendFlags, 0o600)
            }
        do throws(SystemError) {
            return try child.start()
        } catch {
            throw CommandError(
                "the demo's server cannot be started: \(error.reason)", place: error.subject)
        }
    }
}

/// Gives a process so much processor time per period and no more: what a cgroup's quota does,
/// without a privilege (SIGSTOP, SIGCONT).
///
/// Counted is what it has used, not for how long it was allowed to run: on a machine that is busy
/// with something else a part of that time is somebody else's, and what was not had is made up for.
private final class CPUQuota: Sendable {
    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    private let flag: Flag
    private let thread: WorkerThread

    /// What is made up for at most, in periods: a fifth of a second at 20 ms.
    private static let debtPeriods = 10.0

    init(of process: ProcessID, run: Duration, period: Duration) throws(SystemError) {
        let flag = Flag()
        self.flag = flag
        let share = run / period
        let most = run / .seconds(1) * Self.debtPeriods
        thread = try WorkerThread(name: "processor-share") {
            var (budget, used) = (0.0, ChildProcess.processorSeconds(of: process))
            var before = MonotonicInstant.now()
            var isStopped = false
            while !flag.isSet.load(ordering: .acquiring) {
                let now = MonotonicInstant.now()
                let total = ChildProcess.processorSeconds(of: process)
                budget = min(budget + (now - before).inSeconds * share, most) - (total - used)
                (before, used) = (now, total)
                if budget <= 0, !isStopped {
                    ChildProcess.pause(process)
                    isStopped = true
                } else if budget >= most / Self.debtPeriods, isStopped {
                    ChildProcess.resume(process)
                    isStopped = false
                }
                CurrentProcess.sleep(.milliseconds(1))
            }
        }
    }

    /// The process runs freely again.
    func stop() {
        flag.isSet.store(true, ordering: .releasing)
        thread.join()
    }
}

/// The process of a ``DemoServer``: `aasa serve`, which ends with the command that started it.
struct DemoServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-server", abstract: "The server of aasa storm demo.",
        shouldDisplay: false)

    @Argument(help: "The process that started it.")
    var parent: Int32

    @Flag(help: "Without admission and without 503.")
    var plainQueue = false

    @OptionGroup var options: ServeOptions

    func run() throws {
        try? ProcessLimits.endWith(parent: parent)
        var command = ServeCommand()
        command.options = options
        try command.serve(limits: plainQueue ? .plainQueue : .standard) { _, _ in }
    }
}
