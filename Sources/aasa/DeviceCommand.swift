import AASAClient
import AASADevice
import AppSiteAssociation
import ArgumentParser
import OpenSSL

/// `aasa device`: plays an installed app.
struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Simulate an installed app: entitlements in, verdict out.",
        discussion: """
            Asks each domain as a device of the era does and says what it makes of the answer. \
            Retries happen on a virtual clock: a story of three days takes milliseconds.

            Exit status: 0 when every entry that is asked ends associated, else 1.

            Examples:
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

    @Option(
        help: ArgumentHelp(
            "A file with com.apple.developer.associated-domains.", valueName: "file"))
    var entitlements: String?

    @Option(
        help: ArgumentHelp(
            "An entry such as applinks:example.com; repeatable.", valueName: "entry"))
    var domain: [String] = []

    @Option(help: ArgumentHelp("The application identifier.", valueName: "id"))
    var app: String?

    @Option(
        help: ArgumentHelp(
            "ios8, ios9.3, ios13, ios14 (the default), developer, managed, or all; repeatable.",
            valueName: "era"))
    var era: [String] = []

    @Option(
        help: ArgumentHelp("Days on the virtual clock after which the story ends.", valueName: "n"))
    var days: Int = 3

    @Option(help: "Output format.") var format: OutputFormat = .text

    @OptionGroup(title: "Connection") var client: ClientOptions

    func validate() throws {
        if entitlements == nil, domain.isEmpty {
            throw ValidationError("give --entitlements FILE or --domain SERVICE:DOMAIN")
        }
        if app == nil, entitlements == nil { throw ValidationError("give --app ID") }
        for name in era where name != "all" && Era(rawValue: name) == nil {
            let names = Era.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--era \(name): the eras are \(names) and all")
        }
        guard (0...3650).contains(days) else { throw ValidationError("--days wants 0 to 3650") }
    }

    private var eras: [Era] {
        if era.contains("all") { return Era.allCases }
        return era.isEmpty ? [.ios14] : era.compactMap { Era(rawValue: $0) }
    }

    func run() throws {
        try client.connect.checkFiles()
        let (entries, app) = try subject()
        if entries.count > EntryRules.manyEntries {
            Terminal.note(
                "note: \(entries.count) entries; Apple speaks of about 20 to 30, and every "
                    + "distinct domain is a download at install")
        }
        let network: HTTPClient
        do {
            network = try HTTPClient(resolver: client.connect.resolver)
        } catch {
            throw CommandError(error.description)
        }
        let signatures = SignedDocument.reader(
            authorityFile: client.connect.cacert, now: ClientOptions.now)
        var transcripts: [Transcript] = []
        for era in eras {
            var settings = Device.Settings(app: app, era: era)
            settings.cdn = client.cdnRoute
            settings.authorityFile = client.connect.cacert
            settings.limits = client.limits
            settings.horizonSeconds = days * 86_400
            var device = Device(
                settings, resolver: client.connect.resolver, signatures: signatures,
                chance: { Double.random(in: 0..<1) }, ask: { network.fetch($0) })
            transcripts += device.install(entries)
        }
        switch format {
        case .text: Terminal.print(lines: transcripts.map(\.text).joined(separator: "\n\n"))
        case .json: Terminal.write(JSONWriter.indented(.list(transcripts.map(\.json))))
        }
        let asked = transcripts.filter { $0.verdict.name != "skipped" }
        if asked.isEmpty || !asked.allSatisfy({ $0.verdict == .associated }) {
            throw ExitStatus.findings
        }
    }

    private func subject() throws -> ([EntitlementEntry], String) {
        var entries = domain.map { EntitlementEntry($0) }
        var known = app
        if let entitlements {
            let source = try InputFile.source(entitlements)
            let file: EntitlementFile
            do {
                file = try EntitlementFile(reading: source)
            } catch {
                throw CommandError(error.diagnostic, in: entitlements)
            }
            for problem in file.problems { Terminal.note("\(entitlements): \(problem.message)") }
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
}
