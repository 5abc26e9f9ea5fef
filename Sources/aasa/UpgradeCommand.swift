import AASAServer
import ArgumentParser
import Glibc

struct UpgradeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Replace a running server by the binary that is installed now.",
        discussion: """
            The same as SIGUSR2, and waiting for the outcome. The new process takes over the \
            listening sockets; when it serves, the old one finishes what it has under way and ends. \
            No connection is lost. If the new one does not start, the old one goes on serving.
            """)

    @OptionGroup var target: RunningServer

    @Option(
        help: ArgumentHelp("Seconds to wait for the new process.", valueName: "seconds"))
    var wait = 65

    func run() throws {
        guard let file = target.file else {
            throw CommandError(
                "the outcome shows in the server's pid file",
                remedy: "name it: --pid-file FILE or AASA_PID_FILE", status: .usage)
        }
        let old = try target.process()
        try target.send(SIGUSR2, to: old)
        for _ in 0..<max(1, wait * 20) {
            usleep(50_000)
            if let new = file.processIdentifier(), new != old {
                Terminal.print("process \(new) serves; process \(old) finishes and ends")
                return
            }
            if kill(old, 0) != 0, errno == ESRCH {
                throw CommandError(
                    "process \(old) has ended and no other took over",
                    remedy: "its log says why; start it with aasa serve")
            }
        }
        throw CommandError(
            "no new process after \(wait) s; process \(old) goes on serving",
            remedy: "the server's log says why the new one did not start")
    }
}
