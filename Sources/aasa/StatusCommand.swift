import AASAServer
import AppSiteAssociation
import ArgumentParser

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the health of a running server.",
        discussion: """
            Needs no admin listener. --format json prints the same as /status.json.

            Exit status: 0 all is well, 1 attention needed, 3 no server runs or it does not answer.
            """)

    @OptionGroup var target: RunningServer

    @Option(help: "text or json.") var format: OutputFormat = .text

    func run() throws {
        let server = try target.find()
        if format == .json {
            let document = try target.ask(server, .document, seconds: 10, by: ControlClient.fetch)
            Terminal.write(JSONWriter.indented(document))
            if document["health"]?.string != Health.Level.well.rawValue {
                throw ExitStatus.findings
            }
            return
        }
        let reply = try target.ask(server, .status, seconds: 10)
        Terminal.print("process \(reply.process)")
        try reply.print(.text)
    }
}
