import AASAServer
import ArgumentParser

struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Make a running server reload its site and certificates.",
        discussion: """
            Waits for the outcome, and prints what changed, what was refused and where. If something is \
            broken, aasa keeps serving its last good version. aasa notices changed files without this \
            command. Run it to confirm that you deleted a host's folder on purpose; it also confirms \
            everything else that aasa has reported as missing.

            Exit status: 0 everything is served as it is on disk; 1 something is served from its last good \
            version, or the state cannot be kept for a restart; 3 refused, or no server answers.
            """)

    @OptionGroup var target: RunningServer

    @Option(help: "text or json.") var format: OutputFormat = .text

    @Option(help: .value("seconds", "Seconds to wait for the outcome."))
    var wait = 60

    func run() throws {
        let server = try target.find()
        let reply = try target.ask(server, .reload, seconds: max(1, wait))
        try reply.print(format)
    }
}
