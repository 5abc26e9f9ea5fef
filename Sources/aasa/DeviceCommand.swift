import AASAClient
import AASADevice
import AppSiteAssociation
import ArgumentParser

/// `aasa device`: plays an installed app.
struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Simulate an installed app: show which sites it is associated with.",
        discussion: """
            Requests each domain as a device of the era does, and reports the verdict. Retries run on a \
            virtual clock: three days take milliseconds. If the requests of one URL together take \
            longer than --timeout, later tries reuse the last outcome, and the report says so.

            --build reads the app that Xcode exported. aasa checks its signature and profile, and decides \
            for each URL whether it opens the app. With --entitlements, it also reports what the signature \
            lacks.

            Exit status: 0 every requested entry is associated (--build: every URL opens the app, and the \
            build has no errors), 1 otherwise.

              aasa device --build Shop.ipa https://example.com/buy/1
              aasa device --domain applinks:example.com --app D3KQX62K1A.com.example.app
              aasa device --entitlements App.entitlements --app ABCDE12345.com.a.b --era all
            """,
        subcommands: [InstallDeviceCommand.self, RehearseCommand.self],
        defaultSubcommand: InstallDeviceCommand.self)
}

/// What `aasa device` does without a subcommand.
struct InstallDeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Install the app and request its domains (default).")

    @Argument(help: .value("url", "URLs that must open the app of --build."))
    var urls: [String] = []

    @Option(
        help: .value("file", "A build: .ipa, .app or .xcarchive, as a folder or zipped."))
    var build: String?

    @Option(
        help: .value(
            "file", "An entitlements file; with --build, the one that the build was signed with.")
    )
    var entitlements: String?

    @Option(
        help: .value("entry", "An entry such as applinks:example.com; repeatable."))
    var domain: [String] = []

    @Option(help: .value("id", "The application identifier."))
    var app: String?

    @Option(
        help: .value(
            "era",
            "ios8, ios9.3, ios13, ios14 (the default), ios26, developer, managed, or all; repeatable."
        ))
    var era: [String] = []

    @Option(
        help: .value(
            "url", "Report whether a sign-in session can call back at this URL (iOS 17.4)."))
    var httpsCallback: String?

    @Option(
        help: .value("n", "Stop after this many days on the virtual clock."))
    var days: Int = 3

    @Option(help: "Output format.") var format: OutputFormat = .text

    @OptionGroup(title: "Connection") var client: ClientOptions

    func validate() throws {
        if let app { try AppCommand.validate(app: app) }
        if build != nil {
            if app != nil || !domain.isEmpty {
                throw ValidationError(
                    "the build says which app it is and which domains it has: omit --app and "
                        + "--domain")
            }
        } else {
            if !urls.isEmpty { throw ValidationError("URLs need a build: add --build FILE") }
            if entitlements == nil, domain.isEmpty {
                throw ValidationError(
                    "give --build FILE, --entitlements FILE or --domain SERVICE:DOMAIN")
            }
            if app == nil, entitlements == nil { throw ValidationError("give --app ID") }
        }
        for url in urls where URLParts(url)?.host == nil {
            throw ValidationError("\"\(url)\" is no URL: write https://example.com/path")
        }
        for name in era where name != "all" && Era(rawValue: name) == nil {
            let names = Era.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--era \(name): the eras are \(names) and all")
        }
        if let httpsCallback, HTTPSCallback(httpsCallback) == nil {
            throw ValidationError("--https-callback \(httpsCallback): write https://host/path")
        }
        guard (0...3650).contains(days) else {
            throw ValidationError("--days takes a number from 0 to 3650")
        }
    }

    var eras: [Era] {
        if era.contains("all") { return Era.allCases }
        return era.isEmpty ? [.ios14] : era.compactMap { Era(rawValue: $0) }
    }

    func run() throws {
        try client.connect.checkFiles()
        if let build { return try run(build: build) }
        let (entries, app) = try subject()
        if entries.count > EntryRules.manyEntries {
            Terminal.note(
                "note: \(entries.count) entries; Apple speaks of about 20 to 30, and every "
                    + "distinct domain is a download at install")
        }
        let phone = try phone()
        let transcripts = eras.flatMap { phone(app, $0, entries) }
        client.connect.place.noteUnused(
            entries.map { ($0.domain.lowercased(), UInt16(clamping: $0.port ?? 443)) }
                + transcripts.flatMap(\.requests).map { ($0.host, $0.port) })
        let callbacks = [httpsCallback].compactMap { $0.flatMap { HTTPSCallback($0) } }.map {
            (url: $0, obstacle: $0.obstacle(entries, transcripts))
        }
        let texts = transcripts.map(\.text) + callbacks.map { $0.url.sentence($0.obstacle) }
        format.show(
            texts.joined(separator: "\n\n"),
            .list(transcripts.map(\.json) + callbacks.map { $0.url.json($0.obstacle) }))
        if callbacks.contains(where: { $0.obstacle != nil }) { throw ExitStatus.findings }
        let asked = transcripts.filter { $0.verdict.name != "skipped" }
        if asked.isEmpty || !asked.allSatisfy({ $0.verdict == .associated && $0.doubt == nil }) {
            throw ExitStatus.findings
        }
    }

    /// Simulates a phone on which an app is installed.
    ///
    /// - Parameter title: names the era in the note about each request.
    func phone(title: @escaping (Era) -> String = \.rules.title) throws -> BuildLinks.Install {
        let network = try client.network()
        return { app, era, entries in
            var settings = client.phone(app, era)
            settings.horizonSeconds = days * 86_400
            var named: Set<String> = []
            var device = Device(
                settings, chance: { Double.random(in: 0..<1) },
                ask: { request in
                    if named.insert(request.url).inserted {
                        Terminal.note("\(title(era)): asking \(request.url)")
                    }
                    return network.fetch(request)
                })
            return device.install(entries)
        }
    }

    private func subject() throws -> ([EntitlementEntry], String) {
        var entries = domain.map { EntitlementEntry($0) }
        var known = app
        if let entitlements {
            let file = try Self.file(entitlements)
            entries = (file.entries ?? []).map(\.entry) + entries
            known = known ?? file.applicationIdentifier
            if entries.isEmpty {
                throw CommandError(
                    "it has no associated domains", place: entitlements,
                    remedy: "add \(EntitlementFile.domainsKey) to the app's entitlements")
            }
        }
        guard let known else {
            throw CommandError(
                "the file does not name the app", place: entitlements, remedy: "add --app ID",
                status: .usage)
        }
        return (entries, known)
    }

    static func file(_ path: String) throws -> EntitlementFile {
        let source = try InputFile.source(path)
        do {
            let file = try EntitlementFile(reading: source)
            for problem in file.problems { Terminal.note("\(path): \(problem.message)") }
            return file
        } catch {
            throw CommandError(error.diagnostic)
        }
    }
}
