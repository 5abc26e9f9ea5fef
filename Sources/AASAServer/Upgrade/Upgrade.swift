import Reactor

/// The sockets that go to the next process.
package struct UpgradeSockets: Sendable {
    let listening: [Int32]
    var admin: Int32?
    /// Only the next process has them, no service manager.
    var areOwn = true
}

/// A command to upgrade.
struct UpgradeOrder: Sendable {
    /// The successor may serve less.
    let isForced: Bool
    /// Called when the successor serves, or when it has failed.
    let answer: ControlReply.Answer
}

/// An upgrade under way: the new process runs beside this one with the same listening sockets,
/// until it reports that it serves or has failed. The old process serves all the time, so a new
/// binary that does not start, refuses its configuration or hangs costs nothing.
struct Upgrade {
    /// Reading the keys and sites of 10,000 hosts takes some seconds; a minute means that it hangs.
    static let startTimeMaximum: Duration = .seconds(60)

    let process: ProcessID
    /// Becomes readable when the new process reports something or has ended.
    let readiness: Int32
    let deadline: MonotonicInstant

    enum Outcome: Equatable {
        case waiting
        /// What on disk the new process refuses, and what it keeps instead, line by line.
        case ready(problems: [String])
        case failed(String)
    }

    /// Starts the new process: the same command line, and the binary that is now at the same path.
    ///
    /// - Parameters:
    ///   - state: what this process serves, for the new one to fall back to.
    ///   - isForced: whether the new one may serve less.
    init(
        sockets: UpgradeSockets, arguments: [String], environment: [String: String],
        state: [UInt8], isForced: Bool, now: MonotonicInstant
    ) throws(Problem) {
        guard state.count <= KeptArchive.bytesMaximum else {
            throw Self.failure("the state has \(state.count) bytes, more than can be handed over")
        }
        var handed = sockets.listening.map { (descriptor: $0, name: "https") }
        if let admin = sockets.admin { handed.append((admin, "admin")) }
        var spare: [Int32] = []
        defer { for descriptor in spare { FileDescriptor.close(descriptor) } }
        var pipe = try Problem.explaining(try Pipe()) { (error: SystemError) in
            Self.failure("a pipe could not be created: \(error.reason)")
        }
        do throws(SystemError) {
            let memory = FileDescriptor(owning: try MemoryFile.make("aasa-state", state))
            // The targets 3, 4, … may be sources of other sockets, so all sources are moved behind
            // them first, and no further: the limit on descriptors may be 128.
            let sources = handed.map(\.descriptor) + [pipe.writing.raw, memory.raw]
            let lowest = SocketActivation.firstDescriptor + Int32(sources.count)
            for source in sources {
                spare.append(try FileDescriptor.duplicate(source, from: lowest))
            }
        } catch {
            throw Self.failure("sockets and state cannot be handed over: \(error)")
        }
        process = try Self.spawn(
            handed.map(\.name), spare, arguments, environment, isForced: isForced,
            areOwn: sockets.areOwn)
        readiness = pipe.reading.release()
        deadline = now + Self.startTimeMaximum
    }

    /// Checks that a process can be replaced at all. With the first process of a container all
    /// others end, its successor too (pid_namespaces(7)).
    ///
    /// - Parameter process: the one that serves now.
    static func check(_ process: ProcessID) throws(Problem) {
        guard process == 1 else { return }
        throw Problem(
            place: "upgrade",
            cause: "this process is the first of its container, which stops when it exits",
            remedy: "start a new container with the new binary, then stop this one")
    }

    private static func spawn(
        _ names: [String], _ sources: [Int32], _ arguments: [String],
        _ environment: [String: String], isForced: Bool, areOwn: Bool
    ) throws(Problem) -> ProcessID {
        var environment = environment
        for name in SocketActivation.variables + ["WATCHDOG_PID"] { environment[name] = nil }
        environment[UpgradeEnvironment.socketsVariable] = names.joined(separator: ",")
        environment[UpgradeEnvironment.readinessVariable] =
            "\(SocketActivation.firstDescriptor + Int32(names.count))"
        environment[UpgradeEnvironment.stateVariable] =
            "\(SocketActivation.firstDescriptor + Int32(names.count) + 1)"
        environment[UpgradeEnvironment.forceVariable] = isForced ? "1" : nil
        environment[UpgradeEnvironment.ownVariable] = areOwn ? "1" : nil
        var child = ChildProcess(
            arguments.first ?? "aasa", arguments, environment: environment)
        // systemd kills a main process that is not its own child instead of stopping it.
        child.isOrphan = true
        child.descriptors = sources.enumerated().map {
            ($0.element, SocketActivation.firstDescriptor + Int32($0.offset))
        }
        return try Problem.explaining(try child.start()) { (error: SystemError) in
            failure("\(error.subject) cannot be started: \(error.reason)")
        }
    }

    /// The outcome of the upgrade so far.
    func outcome(isReadable: Bool, now: MonotonicInstant) -> Outcome {
        // The exit of the new process shows at once, even if others hold the pipe's other end.
        if isReadable,
            let bytes = Pipe.read(readiness, limit: UpgradeEnvironment.failureBytesMaximum)
        {
            guard let first = bytes.first else {
                return .failed("the new process exited before it served")
            }
            let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
            if first == UInt8(ascii: "R") {
                return .ready(problems: text.split(separator: "\n").map(String.init))
            }
            return .failed("the new process: \(text)")
        }
        return now < deadline ? .waiting : .failed("the new process did not serve within a minute")
    }

    /// Closes the pipe to a process that took over.
    func end() { FileDescriptor.close(readiness) }

    /// Ends a process that failed or hangs: it serves no clients.
    func abandon() {
        FileDescriptor.close(readiness)
        ChildProcess.end(process)
    }

    private static func failure(_ cause: String) -> Problem {
        Problem(
            place: "upgrade", cause: cause,
            remedy: "fix the cause and try again; this process keeps serving")
    }
}
