import AASAServer
import ArgumentParser
import Glibc

struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Tell a running server to read site and certificates again.",
        discussion: """
            The same as SIGHUP. The server takes over what is whole and keeps the last good state of \
            what is broken; its log says which. Changed files are noticed without this.
            """)

    @OptionGroup var target: RunningServer

    func run() throws {
        let process = try target.process()
        try target.send(SIGHUP, to: process)
        Terminal.note("process \(process) reloads; its log says what came of it")
    }
}

/// The server that a command is about: named by its pid file or by its process id.
struct RunningServer: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The pid file of the server. (AASA_PID_FILE)", valueName: "file"))
    var pidFile: String?

    @Option(help: ArgumentHelp("The process id of the server.", valueName: "id"))
    var pid: Int32?

    var file: StateFile? {
        let path = pidFile ?? ProcessEnvironment.current["AASA_PID_FILE"] ?? ""
        return path.isEmpty ? nil : StateFile(path: path)
    }

    func process() throws -> Int32 {
        if let pid {
            guard pid > 1 else {
                throw CommandError("\(pid) is not a server", place: "--pid", status: .usage)
            }
            return pid
        }
        guard let file else {
            throw CommandError(
                "which server?", remedy: "name it: --pid-file FILE, AASA_PID_FILE, or --pid ID",
                status: .usage)
        }
        guard let process = file.processIdentifier() else {
            throw CommandError(
                "there is no process id in it", place: file.path,
                remedy: "does the server run, and with this --pid-file?")
        }
        return process
    }

    func send(_ signal: Int32, to process: Int32) throws {
        guard kill(process, signal) != 0 else { return }
        let remedy =
            errno == ESRCH
            ? "the server is not running: start it with aasa serve"
            : "run this as the server's user, or as root"
        throw CommandError(
            String(cString: strerror(errno)), place: "process \(process)", remedy: remedy)
    }
}
