import AASAServer
import AppSiteAssociation
import ArgumentParser
import Reactor

/// The server that a command is about: the one that runs, or the one that is named.
struct RunningServer: ParsableArguments {
    @Option(
        help: .value("id", "The server with this process ID, if several run."))
    var pid: Int32?

    @Option(
        help: .value("file", "The server with this pid file. (AASA_PID_FILE)"))
    var pidFile: String?

    @Option(
        help: .value(
            "dir",
            "The run folder of the server. (AASA_RUN, default: /run/aasa, then $XDG_RUNTIME_DIR/aasa, then /tmp/aasa-UID)"
        ))
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
            : [RunFolder(path: named, isNamed: true)]
        let wanted = try wanted(environment)
        let look = ControlClient.look(in: folders, for: wanted?.process)
        switch ServerChoice(
            look, wanted: wanted, in: folders.map(\.path), isStopped: OtherProcess.isStopped)
        {
        case .server(let server): return server
        case .none(let problem): throw CommandError(problem)
        case .several(let problem): throw CommandError(problem, status: .usage)
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
        guard let process = PidFile.process(in: path) else {
            throw CommandError(
                "there is no process id in it", place: path,
                remedy: "check that a server runs with this --pid-file")
        }
        guard PidFile.isHeld(path) else {
            throw CommandError(
                "no server runs: the file is a leftover of process \(process)", place: path,
                remedy: "start the server with aasa serve; it takes the file over")
        }
        return (process, path)
    }

    /// Asks the server, and waits for its answer.
    ///
    /// - Parameter ask: what the client makes of the answer.
    /// - Throws: status 3 if no server answered.
    func ask<Answer>(
        _ server: ControlClient.Server, _ request: ControlRequest, seconds: Int,
        by ask: (String, ControlRequest, ProcessID, Int) throws(ControlClient.Failure) -> Answer =
            ControlClient.ask
    ) throws -> Answer {
        do throws(ControlClient.Failure) {
            return try ask(server.path, request, server.process, seconds)
        } catch {
            let isQuestion = request == .status || request == .document
            throw CommandError(
                error.problem(
                    of: server.process, isStopped: OtherProcess.isStopped(server.process),
                    hasAnswered: !isQuestion))
        }
    }
}

extension ControlReply {
    /// - Throws: status 1 where it is done as far as possible, 3 where nothing has changed.
    func print(_ format: OutputFormat) throws {
        switch format {
        case .json: Terminal.write(line)
        case .text:
            for line in lines + problems { Terminal.print(line) }
        }
        switch outcome {
        case .good: return
        case .findings: throw ExitStatus.findings
        case .refused: throw ExitStatus.couldNotRun
        }
    }
}
