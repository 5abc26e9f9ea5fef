import AASAServer
import ArgumentParser

struct UpgradeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Replace a running server by the binary that is installed now.",
        discussion: """
            Waits for the outcome. The new process takes over the listening sockets and the last \
            good state; when it serves, the old one finishes what it has under way and ends. No \
            connection is lost. If the new one does not start, or would serve less than the old \
            one, the old one goes on serving. The first process of a container is not replaced, as \
            the container ends with it: start a new container instead.

            Exit status: 0 the new process serves everything as it is on disk, 1 it serves, but \
            something from its last good version, 3 refused, and the old process goes on serving, or \
            no server runs, or it does not answer.
            """)

    @OptionGroup var target: RunningServer

    @Flag(help: "Also to a process that serves less than this one.")
    var force = false

    @Option(help: "text or json.") var format: OutputFormat = .text

    @Option(
        help: ArgumentHelp("Seconds to wait for the new process.", valueName: "seconds"))
    var wait = 65

    func run() throws {
        let server = try target.find()
        let reply = try target.ask(
            server, .upgrade(isForced: force), seconds: max(1, wait))
        try reply.print(format)
    }
}
