import AASAClient
import AASADevice
import AppSiteAssociation
import ArgumentParser
import OpenSSL

/// `aasa device`: plays an installed app.
struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Simulate an installed app: a build or entitlements in, verdict out.",
        discussion: """
            Asks each domain as a device of the era does and says what it makes of the answer. \
            Retries happen on a virtual clock: a story of three days takes milliseconds.

            With --build the app is what Xcode exported: its signature and its profile say which \
            domains it has, and each URL is decided by the documents that a phone gets. \
            --entitlements is then the source, and what the signature lacks is reported.

            Exit status: 0 when every entry that is asked ends associated (--build: every URL \
            opens the app, and the build has no errors), else 1.

            Examples:
              aasa device --build Shop.ipa https://example.com/buy/1 https://example.com/help
              aasa device --domain applinks:example.com --app D3KQX62K1A.com.example.app
              aasa device --entitlements App.entitlements --app D3KQX62K1A.com.example.app \
            --era ios13 --era ios14
              aasa device --domain webcredentials:example.com --app D3KQX62K1A.com.example.app \
            --era all --resolve example.com:443:127.0.0.1 --cacert certs/local-ca/ca.pem
            """,
        subcommands: [InstallDeviceCommand.self, RehearseCommand.self],
        defaultSubcommand: InstallDeviceCommand.self)
}

/// What `aasa device` does without a subcommand.
struct InstallDeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Installs the app and asks for its domains (the default)."
    )

    @Argument(help: ArgumentHelp("URLs that have to open the app of --build.", valueName: "url"))
    var urls: [String] = []

    @Option(
        help: ArgumentHelp(
            "A build: .ipa, .app or .xcarchive, a folder or zipped.", valueName: "file"))
    var build: String?

    @Option(
        help: ArgumentHelp(
            "A file with com.apple.developer.associated-domains; with --build, its source.",
            valueName: "file"))
    var entitlements: String?

    @Option(
        help: ArgumentHelp(
            "An entry such as applinks:example.com; repeatable.", valueName: "entry"))
    var domain: [String] = []

    @Option(help: ArgumentHelp("The application identifier.", valueName: "id"))
    var app: String?

    @Option(
        help: ArgumentHelp(
            "ios8, ios9.3, ios13, ios14 (the default), ios26, developer, managed, or all; "
                + "repeatable.",
            valueName: "era"))
    var era: [String] = []

    @Option(
        help: ArgumentHelp(
            "Say whether a sign-in session can be called back at this URL (iOS 17.4).",
            valueName: "url"))
    var httpsCallback: String?

    @Option(
        help: ArgumentHelp("Days on the virtual clock after which the story ends.", valueName: "n"))
    var days: Int = 3

    @Option(help: "Output format.") var format: OutputFormat = .text

    @OptionGroup(title: "Connection") var client: ClientOptions

    func validate() throws {
        if build != nil {
            if app != nil || !domain.isEmpty {
                throw ValidationError(
                    "the build says which app it is and which domains it has: leave out --app and "
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
        guard (0...3650).contains(days) else { throw ValidationError("--days wants 0 to 3650") }
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
        let callback = httpsCallback.flatMap { HTTPSCallback($0) }.map {
            (url: $0, obstacle: $0.obstacle(entries, transcripts))
        }
        let answer = callback.map { $0.url.sentence($0.obstacle) }
        switch format {
        case .text:
            Terminal.print(
                lines: (transcripts.map(\.text) + [answer].compactMap { $0 }).joined(
                    separator: "\n\n"))
        case .json:
            let callback = callback.map { $0.url.json($0.obstacle) }
            Terminal.write(
                JSONWriter.indented(.list(transcripts.map(\.json) + [callback].compactMap { $0 })))
        }
        if callback?.obstacle != nil { throw ExitStatus.findings }
        let asked = transcripts.filter { $0.verdict.name != "skipped" }
        if asked.isEmpty || !asked.allSatisfy({ $0.verdict == .associated }) {
            throw ExitStatus.findings
        }
    }

    /// Simulates a phone on which an app is installed.
    func phone() throws -> BuildLinks.Install {
        let network: HTTPClient
        do {
            network = try HTTPClient(resolver: client.connect.resolver)
        } catch {
            throw CommandError(error.description)
        }
        let signatures = SignedDocument.reader(
            authorityFile: client.connect.cacert, now: ClientOptions.now)
        return { app, era, entries in
            var settings = Device.Settings(app: app, era: era)
            settings.cdn = client.cdnRoute
            settings.authorityFile = client.connect.cacert
            settings.limits = client.limits
            settings.horizonSeconds = days * 86_400
            var device = Device(
                settings, resolver: client.connect.resolver, signatures: signatures,
                chance: { Double.random(in: 0..<1) }, ask: { network.fetch($0) })
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
            throw CommandError(error.diagnostic, in: path)
        }
    }
}
