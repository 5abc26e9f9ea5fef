import AASAServer
import ArgumentParser

struct UpgradeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Replace a running server with the installed binary.",
        discussion: """
            Waits for the outcome. The new process takes over the listening sockets and the last good \
            state, and no connection is lost. If it does not start, or would serve less, the old process \
            continues. The first process of a container cannot be replaced: start a new container.

            Exit status: 0 the new process serves everything as it is on disk; 1 it serves something from \
            its last good version; 3 refused, and the old process continues, or no server answers.
            """)

    @OptionGroup var target: RunningServer

    @Flag(help: "Upgrade even if the new process would serve fewer hosts or documents.")
    var force = false

    @Option(help: "text or json.") var format: OutputFormat = .text

    @Option(
        help: .value("seconds", "Seconds to wait for the new process."))
    var wait = 65

    func run() throws {
        let server = try target.find()
        let reply = try target.ask(
            server, force ? .forcedUpgrade : .upgrade, seconds: max(1, wait))
        try reply.print(format)
    }
}
