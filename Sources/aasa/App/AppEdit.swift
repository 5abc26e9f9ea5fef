import AppSiteAssociation
import ArgumentParser

extension AppCommand {
    /// `aasa app edit`.
    struct Edit: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "edit",
            abstract: "Change, reorder or delete one rule of an app.",
            discussion: """
                A rule is named by its number in the order in which rules are tried: aasa app list --rules \
                shows them.

                  aasa app edit site/example.com D3KQX62K1A.com.example.app 2 --path "/sale/*"
                  aasa app edit site/example.com D3KQX62K1A.com.example.app 2 --exclude
                  aasa app edit site/example.com D3KQX62K1A.com.example.app 2 --to 1
                  aasa app edit site/example.com D3KQX62K1A.com.example.app 2 --delete
                """)

        @OptionGroup var argument: HostArgument
        @Argument(help: "The application identifier: PREFIX.BUNDLE-ID.") var app: String
        @Argument(help: "The number of the rule, from 1.") var number: Int
        @Option(help: .value("pattern", "The new path pattern."))
        var path: String?
        @OptionGroup var rule: RuleOptions
        @Flag(help: "Remove the query pattern.") var noQuery = false
        @Flag(help: "Remove the fragment pattern.") var noFragment = false
        @Option(
            help: .value("number", "Move the rule to this number."))
        var to: Int?
        @Flag(help: "Delete the rule.") var delete = false
        @OptionGroup var shared: SharedOptions
        @OptionGroup var options: EditOptions

        private var changes: Bool { path != nil || !rule.isEmpty || noQuery || noFragment }

        func validate() throws {
            try AppCommand.validate(app: app)
            if let path { try RuleOptions.validate(path: path) }
            let wishes = [changes, to != nil, delete].filter { $0 }.count
            if wishes == 0 {
                throw ValidationError(
                    "say what to change: --path, --query, --exclude, …, --to or --delete")
            }
            if delete, wishes > 1 {
                throw ValidationError("--delete cannot be combined with other changes")
            }
        }

        func run() throws {
            let host = try HostInput.require(argument.folder)
            try HostEdit(host: host, options: options).run { files in
                let team = AppCommand.team(of: app)
                try files.require(app, in: team)
                return try files.edit(team: team) { editor in
                    if delete {
                        try editor.removeRule(app: app, number: number, shared: shared.choice)
                        return "deleted rule \(number) of \(app)"
                    }
                    if changes {
                        let current = editor
                        try editor.changeRule(app: app, number: number, shared: shared.choice) {
                            change(&$0, in: current)
                        }
                    }
                    if let to {
                        try editor.moveRule(
                            app: app, number: number, to: to, shared: shared.choice)
                    }
                    return changes
                        ? "changed rule \(number) of \(app)" : "moved rule \(number) of \(app)"
                }
            }
        }

        private func change(_ draft: inout RuleDraft, in editor: FragmentEditor) {
            if let path {
                let new = RuleDraft(path: path)
                draft[.path] = new[.path]
                if let exclude = new[.exclude] { draft[.exclude] = exclude }
            }
            if noQuery { draft[.query] = editor.builtInValue(of: .query) }
            if noFragment { draft[.fragment] = editor.builtInValue(of: .fragment) }
            rule.apply(to: &draft, in: editor)
        }
    }
}
