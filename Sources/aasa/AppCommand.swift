import AASAServer
import AppSiteAssociation
import ArgumentParser
import Glibc

/// `aasa app`: the apps in the fragments of a host.
struct AppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "List, add and remove apps in the teams' fragments.",
        discussion: """
            An app belongs into the fragment of its team: D3KQX62K1A.com.example.app into \
            teams/D3KQX62K1A.json. Edits are checked before they are written, touch nothing else \
            in the file, replace it in one step, and wait for one another.
            """,
        subcommands: [Add.self, List.self, Remove.self])

    struct HostArgument: ParsableArguments {
        @Argument(
            help: ArgumentHelp("The folder of a host: SITE/HOST.", valueName: "folder"))
        var folder: String

        func host() throws(CommandError) -> HostInput {
            try HostInput.require(folder)
        }
    }

    struct EditOptions: ParsableArguments {
        @Option(
            name: .customLong("service"),
            help: ArgumentHelp(
                "applinks, webcredentials, appclips or activitycontinuation; may be repeated.",
                valueName: "service"), transform: Self.service)
        var services: [FragmentEditor.Service] = []

        @Flag(help: "Print the fragment as it would be, and change nothing.")
        var dryRun = false

        private static func service(_ name: String) throws -> FragmentEditor.Service {
            if let service = FragmentEditor.Service(rawValue: name) { return service }
            let known = FragmentEditor.Service.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\"\(name)\" is no service; they are \(known)")
        }
    }
}

extension AppCommand {
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an app to services.",
            discussion: """
                Universal links need rules: --path gives them one by one, in the order in which \
                they are tried; --like puts the app beside another one that opens the same URLs.

                Examples:
                  aasa app add site/example.com D3KQX62K1A.com.example.app --service webcredentials
                  aasa app add site/example.com D3KQX62K1A.com.example.app \
                --path "NOT /help/*" --path "*"
                  aasa app add site/example.com D3KQX62K1A.com.example.beta \
                --like D3KQX62K1A.com.example.app
                """)

        @OptionGroup var argument: HostArgument
        @Argument(help: "The application identifier: PREFIX.BUNDLE-ID.") var app: String
        @Option(
            name: .customLong("path"),
            help: ArgumentHelp(
                "A path pattern that opens the app; with NOT before it, one that does not.",
                valueName: "pattern"))
        var paths: [String] = []
        @Option(help: ArgumentHelp("Open the URLs that this app opens.", valueName: "app"))
        var like: String?
        @OptionGroup var options: EditOptions

        func validate() throws {
            do {
                _ = try AppIdentifier(validating: app)
            } catch {
                throw ValidationError("\"\(app)\": \(error.message); \(error.remedy)")
            }
            let wantsLinks = !paths.isEmpty || like != nil
            if options.services.isEmpty, !wantsLinks {
                throw ValidationError(
                    "say what for: --service webcredentials, --path PATTERN, or --like APP")
            }
            if options.services.contains(.applinks), !wantsLinks {
                throw ValidationError("applinks needs rules: give --path or --like")
            }
            if !paths.isEmpty, like != nil {
                throw ValidationError("give either --path or --like")
            }
            for path in paths where !(path.hasPrefix("/") || path == "*" || path.hasPrefix("NOT "))
            {
                throw ValidationError(
                    "\"\(path)\": a pattern begins with a slash, as in /buy/*, or is *")
            }
        }

        func run() throws {
            let edit = FragmentEdit(host: try argument.host(), app: app, options: options)
            try edit.run { editor in
                var done: [String] = []
                for service in options.services {
                    guard let list = AppList.Service(rawValue: service.rawValue) else { continue }
                    try editor.add(app: app, to: list)
                    done.append(service.rawValue)
                }
                if let like {
                    try editor.addLinks(app: app, like: like)
                } else if !paths.isEmpty {
                    try editor.addLinks(app: app, patterns: paths)
                }
                if like != nil || !paths.isEmpty { done.append("applinks") }
                return "added \(app) to \(done.joined(separator: ", "))"
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove an app from services, from all that list it by default.",
            discussion: """
                An entry of universal links that names no other app goes with it.

                Examples:
                  aasa app remove site/example.com D3KQX62K1A.com.example.app
                  aasa app remove site/example.com D3KQX62K1A.com.example.app --service appclips
                """)

        @OptionGroup var argument: HostArgument
        @Argument(help: "The application identifier: PREFIX.BUNDLE-ID.") var app: String
        @OptionGroup var options: EditOptions

        func run() throws {
            let edit = FragmentEdit(host: try argument.host(), app: app, options: options)
            try edit.run { editor in
                let listed = editor.services(of: app)
                let services = options.services.isEmpty ? listed : options.services
                if services.isEmpty {
                    throw CommandError(
                        "\(app) is listed nowhere in this file",
                        place: editor.document.source.name, status: .findings)
                }
                for service in services { try editor.remove(app: app, from: service) }
                let names = services.map(\.rawValue).joined(separator: ", ")
                return "removed \(app) from \(names)"
            }
        }
    }

    struct List: ParsableCommand {
        enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

        static let configuration = CommandConfiguration(
            abstract: "List the apps of a host, with their services and files.")

        @OptionGroup var argument: HostArgument
        @Option(help: "text or json.") var format: Format = .text

        func run() throws {
            let listing = try AppListing(try argument.host())
            switch format {
            case .text:
                if listing.rows.isEmpty { Terminal.note("no app") }
                if !listing.rows.isEmpty { Terminal.print(listing.text) }
            case .json: Terminal.write(listing.json)
            }
        }
    }
}
