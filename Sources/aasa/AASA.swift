import ArgumentParser
import Reactor

@main
struct AASA: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aasa",
        abstract: "The apple-app-site-association endpoint, and the tools that keep it right.",
        discussion: """
            Exit status of every command: 0 good, 1 findings or a failed verdict, 2 wrong usage, \
            3 could not run. Results go to stdout, as text or JSON; notes and error messages go to stderr.
            """,
        version: Version.line,
        subcommands: [
            // One line per command, sorted.
            AppCommand.self,
            BuildCommand.self,
            CertsCommand.self,
            CheckCommand.self,
            DeviceCommand.self,
            DiffCommand.self,
            FleetCommand.self,
            ImportCommand.self,
            LintCommand.self,
            MatchCommand.self,
            ReloadCommand.self,
            SchemaCommand.self,
            ServeCommand.self,
            SignCommand.self,
            StatusCommand.self,
            StormCommand.self,
            TryCommand.self,
            UpgradeCommand.self,
            VerifyCommand.self,
        ]
    )

    static func main() {
        StandardStream.fillClosed()
        // A peer or a pipe that goes away (EPIPE) and a file that may not grow (EFBIG) are error
        // values of the call that notices, never the end of the process.
        ProcessLimits.ignoreFailingWrites()
        CurrentProcess.exit(runToStatus(Array(CurrentProcess.arguments.dropFirst())))
    }
}
