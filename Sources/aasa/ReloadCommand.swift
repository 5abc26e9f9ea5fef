import AASAServer
import ArgumentParser

struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Tell a running server to read site and certificates again.",
        discussion: """
            Waits for the outcome and prints what changed, what was refused and where. What is \
            broken keeps its last good state. Changed files are noticed without this. What was \
            reported as missing, and still is, is taken out of service by this.

            Exit status: 0 everything is served as it is on disk, 1 done, but something is served \
            from its last good version, or the state cannot be kept for a restart, 3 nothing was \
            reloaded, no server runs, or it does not answer.
            """)

    @OptionGroup var target: RunningServer

    @Option(help: "text or json.") var format: OutputFormat = .text

    @Option(help: ArgumentHelp("Seconds to wait for the outcome.", valueName: "seconds"))
    var wait = 60

    func run() throws {
        let server = try target.find()
        let reply = try target.ask(server, .reload, seconds: max(1, wait))
        try reply.print(format)
    }
}
