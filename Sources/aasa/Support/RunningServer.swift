import AASAServer
import ArgumentParser
import Reactor

/// The server that a command is about: the one that runs, or the one that is named.
struct RunningServer: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server with this process id, where several run.", valueName: "id"))
    var pid: Int32?

    @Option(
        help: ArgumentHelp(
            "The server whose pid file this is. (AASA_PID_FILE)", valueName: "file"))
    var pidFile: String?

    @Option(
        help: ArgumentHelp(
            "The run folder of the server. (AASA_RUN, default: /run/aasa, then "
                + "$XDG_RUNTIME_DIR/aasa, then /tmp/aasa-UID)", valueName: "dir"))
    var run: String?

    /// Finds it.
    ///
    /// - Throws: status 3 where none runs, 2 where several do and none is named.
    func find() throws -> ControlClient.Server {
        let environment = CurrentProcess.environment
        let named = run ?? environment["AASA_RUN"] ?? ""
        let folders =
            named.isEmpty
            ? RunFolder.candidates(environment: environment, user: CurrentProcess.user)
            : [RunFolder(path: named)]
        let (found, denied, failed) = ControlClient.servers(in: folders)
        if let wanted = try wanted(environment) {
            if let server = found.first(where: { $0.process == wanted.process }) { return server }
            if let failure = failed[wanted.process], failure != .gone {
                throw CommandError(
                    Self.text(failure, wanted.process), place: wanted.place,
                    remedy: "its log says why")
            }
            throw CommandError(
                "process \(wanted.process) is no aasa server that can be asked",
                place: wanted.place,
                remedy: "does it run, as this user, and with this run folder (--run)?")
        }
        // One that drains has a successor, or will be gone.
        let serving = found.filter { $0.phase != "draining" }
        switch (serving.count, found.first) {
        case (1, _): return serving[0]
        case (0, let draining?): return draining
        case (0, nil):
            let places = folders.map(\.path).joined(separator: ", ")
            throw CommandError(
                denied.isEmpty
                    ? "no server runs: nobody answers in \(places)"
                    : "a server may run, but this user may not look into "
                        + denied.joined(separator: ", "),
                remedy: denied.isEmpty
                    ? "start it with aasa serve; --run names another run folder"
                    : "run this as root or as the server's user: sudo aasa …")
        default:
            let all = serving.map { "\($0.process)" }.joined(separator: ", ")
            throw CommandError(
                "several servers run: processes \(all)", remedy: "name one: --pid ID",
                status: .usage)
        }
    }

    private func wanted(
        _ environment: [String: String]
    ) throws -> (process: Int32, place: String)? {
        if let pid {
            guard pid > 1 else {
                throw CommandError("\(pid) is not a server", place: "--pid", status: .usage)
            }
            return (pid, "--pid \(pid)")
        }
        let path = pidFile ?? environment["AASA_PID_FILE"] ?? ""
        if path.isEmpty { return nil }
        guard let process = StateFile(path: path).processIdentifier() else {
            throw CommandError(
                "there is no process id in it", place: path,
                remedy: "does the server run, and with this --pid-file?")
        }
        guard PidFile.isHeld(path) else {
            throw CommandError(
                "no server runs: the file is a leftover of process \(process)", place: path,
                remedy: "start the server with aasa serve; it takes the file over")
        }
        return (process, path)
    }

    /// Asks the server and prints what came of it.
    ///
    /// - Throws: status 1 where something was refused or kept, 3 where nobody answered.
    func ask(
        _ server: ControlClient.Server, _ request: ControlRequest, seconds: Int
    ) throws -> ControlReply {
        do throws(ControlClient.Failure) {
            return try ControlClient.ask(
                server.path, request, process: server.process, seconds: seconds)
        } catch {
            throw CommandError(Self.text(error, server.process), remedy: "its log says why")
        }
    }

    private static func text(_ failure: ControlClient.Failure, _ process: Int32) -> String {
        switch failure {
        case .gone: "process \(process) has gone"
        case .ended: "process \(process) ended before it answered"
        case .denied(let place): "this user may not ask \(place)"
        case .stranger(let why): "process \(process): \(why)"
        }
    }
}

/// How a command prints what the server said.
enum ReplyFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

extension ControlReply {
    func print(_ format: ReplyFormat) throws {
        switch format {
        case .json: Terminal.write(line)
        case .text:
            for line in lines { Terminal.print(line) }
            for problem in problems { Terminal.print(problem) }
        }
        if outcome != .good { throw ExitStatus.findings }
    }
}
