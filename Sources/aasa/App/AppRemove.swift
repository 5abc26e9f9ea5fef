import AppSiteAssociation
import ArgumentParser

extension AppCommand {
    /// `aasa app remove`.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove an app from its services, by default from all.",
            discussion: """
                Checks the file of every team. An entry of universal links that names no other app goes with \
                it, and so do variables that only this app used. A file that names no app afterwards is \
                deleted; the host's last one stays, without apps.

                  aasa app remove site/example.com D3KQX62K1A.com.example.app
                  aasa app remove site/example.com D3KQX62K1A.com.example.app --service appclips
                  aasa app remove site/example.com --android com.example.app
                """)

        @OptionGroup var argument: HostArgument
        @Argument(
            help: .value("app", "The application identifier: PREFIX.BUNDLE-ID."))
        var app: String?
        @OptionGroup var services: ServiceOptions
        @Option(
            help: .value("package", "An Android app to remove from assetlinks.json."))
        var android: String?
        @Option(
            help: .value("https://…", "An origin to remove from webauthn."))
        var origin: String?
        @OptionGroup var options: EditOptions

        func validate() throws {
            if app == nil, android == nil, origin == nil {
                throw ValidationError("name the app: PREFIX.BUNDLE-ID")
            }
        }

        func run() throws {
            let host = try HostInput.require(argument.folder)
            // What is left may deserve a warning; that must not keep an app from going.
            try HostEdit(host: host, options: options, allowsWarnings: true).run { files in
                var done: [String] = []
                if let app { done.append(try remove(app, &files)) }
                if let android {
                    try files.remove(
                        from: .assetLinks, refusal: "nothing is stated about \(android)"
                    ) { try $0.remove(package: android) }
                    done.append("\(android) from assetlinks.json")
                }
                if let origin {
                    try files.remove(
                        from: .webAuthn, refusal: "\(origin) is not listed"
                    ) { try $0.remove(origin: origin) }
                    done.append("\(origin) from webauthn")
                }
                return "removed " + done.joined(separator: " and ")
            }
        }

        private func remove(_ app: String, _ files: inout HostFiles) throws -> String {
            let teams = files.teams(listing: app)
            if teams.isEmpty { throw files.missing(app) }
            var names: [String] = []
            for team in teams {
                let removed = try files.edit(team: team) { editor in
                    let listed = editor.services(of: app)
                    let wanted = services.services
                    let isElsewhere = teams.count > 1 && Set(listed).isDisjoint(with: wanted)
                    let services = wanted.isEmpty ? listed : isElsewhere ? [] : wanted
                    for service in services { try editor.remove(app: app, from: service) }
                    return services.map(\.rawValue)
                }
                names += removed.filter { !names.contains($0) }
            }
            return "\(app) from \(names.joined(separator: ", "))"
        }
    }
}
