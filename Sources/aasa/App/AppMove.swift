import AppSiteAssociation
import ArgumentParser

extension AppCommand {
    /// `aasa app move`.
    struct Move: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move",
            abstract: "Move an app to its team's file, or to another team.",
            discussion: """
                An app that was transferred to another team has another prefix. With a new identifier, its \
                entries and rules move into the file of that team. Without one, an app in the wrong file moves \
                into that of its own team. --keep keeps the old identifier as well, until every device has the \
                new build.

                  aasa app move site/example.com D3KQX62K1A.com.example.app
                  aasa app move site/shop.example D3KQX62K1A.com.example.app 9JA89QQLNQ.com.a.b
                """)

        @OptionGroup var argument: HostArgument
        @Argument(help: "The current application identifier.") var app: String
        @Argument(
            help: .value("new", "The new application identifier."))
        var new: String?
        @Flag(help: "Keep the old identifier as well.") var keep = false
        @Flag(help: "Create the file of a team that has none on this host.") var newTeam = false
        @OptionGroup var options: EditOptions

        func validate() throws {
            try AppCommand.validate(app: new ?? app)
            if new == app { throw ValidationError("both identifiers are the same") }
            if keep, new == nil { throw ValidationError("--keep needs a new identifier") }
        }

        func run() throws {
            let host = try HostInput.require(argument.folder)
            try HostEdit(host: host, options: options, startsTeams: newTeam).run { files in
                let name = new ?? app
                let target = AppCommand.team(of: name)
                let teams = files.teams(listing: app)
                guard let from = teams.first(where: { $0 != target }) ?? teams.first else {
                    throw files.missing(app)
                }
                guard from != target else { return try rename(in: target, to: name, &files) }
                let content = try files.edit(team: from) { editor in
                    let content = editor.content(of: app)
                    if !keep {
                        for service in editor.services(of: app) {
                            try editor.remove(app: app, from: service)
                        }
                    }
                    return content
                }
                try files.edit(team: target) { editor in
                    try editor.add(content, as: name)
                }
                return keep
                    ? "added \(name) beside \(app)"
                    : "moved \(app)" + (new.map { " as \($0)" } ?? "")
            }
        }

        private func rename(
            in team: String, to name: String, _ files: inout HostFiles
        ) throws -> String {
            guard name != app else {
                throw CommandError(
                    "\(app) is already in its team's file",
                    remedy: "to give it another identifier, name that as well", status: .findings)
            }
            return try files.edit(team: team) { editor in
                if keep {
                    try editor.add(editor.content(of: app), as: name)
                    return "added \(name) beside \(app)"
                }
                try editor.rename(app: app, to: name)
                return "renamed \(app) to \(name)"
            }
        }
    }
}
