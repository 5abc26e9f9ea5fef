import AASAServer
import AppSiteAssociation
import ArgumentParser

extension AppCommand {
    /// `aasa app add`.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add an app to services, or rules to an app.",
            discussion: """
                Universal links need rules: --path or --component, or --like another app. A new \
                rule goes before the one that would decide its URLs, unless --at says where. \
                --android writes teams/TEAM.assetlinks.json, which is served as assetlinks.json.

                  aasa app add site/example.com D3KQX62K1A.com.example.app --path "/buy/*"
                  aasa app add site/example.com D3KQX62K1A.com.example.app --query "q=?*"
                  aasa app add site/example.com --team D3KQX62K1A --origin https://example.org
                """)

        @OptionGroup var argument: HostArgument
        @Argument(help: .value("app", "The app: PREFIX.BUNDLE-ID.")) var app: String?
        @Option(
            name: .customLong("path"),
            help: .value("pattern", "A path pattern that opens the app; \"NOT …\" excludes."))
        var paths: [String] = []
        @Option(
            name: .customLong("component"),
            help: .value("json", "A rule as Apple writes it: {\"/\": \"/buy/*\"}."))
        var components: [String] = []
        @OptionGroup(title: "Rule") var rule: RuleOptions
        @Option(help: .value("app", "Open the same URLs as this other app."))
        var like: String?
        @Option(
            help: .value("number", "Insert before the app's rule with this number."))
        var at: Int?
        @OptionGroup var services: ServiceOptions
        @OptionGroup var shared: SharedOptions
        @Option(
            help: .value("package", "An Android app that opens the host's links."))
        var android: String?
        @Option(
            name: .customLong("fingerprint"),
            help: .value("AB:CD:…", "SHA-256 of its signing certificate; repeatable."))
        var fingerprints: [String] = []
        @Option(
            name: .customLong("origin"),
            help: .value("https://…", "An origin that may use the passkeys; repeatable."))
        var origins: [String] = []
        @Option(
            help: .value("team", "The team of --android and --origin."))
        var team: String?
        @Flag(help: "Create the file of a team that is new on this host.")
        var newTeam = false
        @OptionGroup var options: EditOptions

        private var wantsRules: Bool { !paths.isEmpty || !components.isEmpty || !rule.isEmpty }
        private var wantsSibling: Bool { android != nil || !origins.isEmpty }

        func validate() throws {
            try validateApp()
            if wantsRules, like != nil { throw ValidationError("give either --path or --like") }
            for path in paths { try RuleOptions.validate(path: path) }
            if !components.isEmpty, !rule.isEmpty, paths.isEmpty {
                throw ValidationError(
                    "--component is a whole rule: put the rest into it, or use --path")
            }
            for text in components { _ = try Self.draft(text) }
            if (android == nil) != fingerprints.isEmpty {
                throw ValidationError("--android and --fingerprint go together")
            }
            if let team, !AppIdentifier.isPrefix(team) {
                throw ValidationError("\"\(team)\" is not a team: ten characters of A-Z and 0-9")
            }
        }

        private func validateApp() throws {
            guard let app else {
                if wantsRules || like != nil || !services.services.isEmpty || !wantsSibling {
                    throw ValidationError("name the app: PREFIX.BUNDLE-ID")
                }
                return
            }
            try AppCommand.validate(app: app)
            let wantsLinks = wantsRules || like != nil
            if services.services.isEmpty, !wantsLinks, !wantsSibling {
                throw ValidationError(
                    "say what for: --service webcredentials, --path PATTERN, or --like APP")
            }
            if services.services.contains(.applinks), !wantsLinks {
                throw ValidationError("applinks needs rules: give --path or --like")
            }
        }

        private static func draft(_ text: String) throws -> RuleDraft {
            do throws(JSONError) {
                let document = try JSONReader.read(text: text, name: "--component")
                if let draft = RuleDraft(component: document.root) { return draft }
            } catch {
                throw ValidationError("--component: \(error.message) (\(error.position))")
            }
            throw ValidationError("--component: write an object, such as {\"/\": \"/buy/*\"}")
        }

        private func drafts(in editor: FragmentEditor) throws -> [RuleDraft] {
            var drafts = paths.map { RuleDraft(path: $0) }
            if paths.isEmpty, components.isEmpty { drafts = [RuleDraft()] }
            for index in drafts.indices { rule.apply(to: &drafts[index], in: editor) }
            return drafts.map { editor.opening($0) } + (try components.map { try Self.draft($0) })
        }

        func run() throws {
            let host = try HostInput.require(argument.folder)
            try HostEdit(host: host, options: options, startsTeams: newTeam).run { files in
                var done: [String] = []
                if let app { done += try add(app, &files) }
                if wantsSibling { done += try addSiblings(&files) }
                return "added " + done.joined(separator: " and ")
            }
        }

        private func add(_ app: String, _ files: inout HostFiles) throws -> [String] {
            let lists = services.services.filter { $0 != .applinks }
            guard !lists.isEmpty || wantsRules || like != nil else { return [] }
            let team = AppCommand.team(of: app)
            // Listed in two files, it could not be moved any more.
            if let other = files.teams(listing: app).first(where: { $0 != team }) {
                throw CommandError(
                    "\(app) is listed in the file of team \(other)", place: argument.folder,
                    remedy: "aasa app move \(argument.folder) \(app) puts it into its own",
                    status: .findings)
            }
            return try files.edit(team: team) { editor in
                for service in lists { try editor.add(app: app, to: service) }
                var names = lists.map(\.rawValue)
                if let like {
                    try editor.addLinks(app: app, like: like)
                    names.append("applinks")
                } else if wantsRules {
                    try editor.addRules(
                        app: app, try drafts(in: editor), at: at, shared: shared.choice)
                    names.append("applinks")
                }
                return ["\(app) to \(names.joined(separator: ", "))"]
            }
        }

        private func addSiblings(_ files: inout HostFiles) throws -> [String] {
            let team = try files.teamOfSibling(named: team ?? app.map(AppCommand.team(of:)))
            var done: [String] = []
            if let android {
                try files.edit(.assetLinks, team: team) { editor in
                    try editor.add(
                        package: android, fingerprints: fingerprints,
                        relations: [AndroidLinks.handlesURLs, SiblingPartEditor.sharesLogins])
                }
                done.append("\(android) to assetlinks.json")
            }
            if !origins.isEmpty {
                try files.edit(.webAuthn, team: team) { editor in
                    for origin in origins { try editor.add(origin: origin) }
                }
                done.append("\(origins.joined(separator: ", ")) to webauthn")
            }
            return done
        }
    }
}
