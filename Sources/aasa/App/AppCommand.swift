import AppSiteAssociation
import ArgumentParser

/// `aasa app`: the apps in the fragments of a host.
struct AppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "List, add, edit, move and remove apps in the teams' fragments.",
        discussion: """
            An app belongs in the fragment of its team: D3KQX62K1A.com.example.app in teams/D3KQX62K1A.json. \
            aasa refuses an edit that would add an error, or a warning unless you pass --allow-warnings. An \
            edit changes nothing else in the file and replaces it in one step. Edits wait for one another.
            """,
        subcommands: [Add.self, Edit.self, List.self, Move.self, Remove.self])

    struct HostArgument: ParsableArguments {
        @Argument(help: .value("folder", "The folder of a host: SITE/HOST.")) var folder: String
    }

    /// What every edit takes.
    struct EditOptions: ParsableArguments {
        @Flag(help: "Print the new files, and change nothing.")
        var dryRun = false

        @Flag(help: "Write despite warnings. Errors still prevent it.")
        var allowWarnings = false
    }

    struct ServiceOptions: ParsableArguments {
        @Option(
            name: .customLong("service"),
            help: .value(
                "service",
                "One of \(AssociationFormat.services.joined(separator: ", ")); repeatable."
            ), transform: Self.service)
        var services: [AssociationService] = []

        private static func service(_ name: String) throws -> AssociationService {
            if let service = AssociationService(rawValue: name) { return service }
            let known = AssociationService.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\"\(name)\" is not a service: use \(known)")
        }
    }

    /// What to do with rules that other apps share.
    struct SharedOptions: ParsableArguments {
        @Flag(help: "If other apps share this entry, change it for all.")
        var shared = false

        @Flag(help: "If other apps share this entry, give this app its own.")
        var own = false

        func validate() throws {
            if shared, own { throw ValidationError("give either --shared or --own") }
        }

        var choice: FragmentEditor.SharedEntry {
            shared ? .changeAll : own ? .separate : .refuse
        }
    }

    /// - Throws: what keeps the text from being an app ID.
    static func validate(app: String) throws {
        if let problem = AppIdentifier.problem(in: app) {
            throw ValidationError("\"\(app)\": \(problem.message). \(problem.remedy)")
        }
    }

    static func team(of app: String) -> String { String(app.prefix { $0 != "." }) }
}
