import AppSiteAssociation
import ArgumentParser

extension AppCommand {
    /// `aasa app list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the apps of a host, with their services and files.",
            discussion: """
                Reports a file that cannot be read, lists the others, and exits with status 3.

                  aasa app list site/example.com
                  aasa app list site/example.com --rules
                  aasa app list site/example.com --bundle com.example.app
                """)

        @OptionGroup var argument: HostArgument
        @Flag(help: "Show every rule, numbered in the order that devices try them.")
        var rules = false
        @Option(
            help: .value(
                "bundle", "Only the apps with this bundle identifier, under any prefix."))
        var bundle: String?
        @Option(help: "Output format.") var format: OutputFormat = .text

        func run() throws {
            let host = try HostInput.require(argument.folder)
            let listing = AppListing(host, bundle: bundle, showsRules: rules)
            if format == .text, listing.rows.isEmpty { Terminal.note("no app") }
            format.show(listing.text, listing.json)
            for problem in listing.problems { Terminal.note(lines: problem.text) }
            if !listing.problems.isEmpty { throw ExitStatus.couldNotRun }
            if bundle != nil, listing.rows.isEmpty { throw ExitStatus.findings }
        }
    }
}
