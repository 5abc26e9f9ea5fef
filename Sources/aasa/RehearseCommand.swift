import AASAClient
import AASADevice
import AppSiteAssociation
import ArgumentParser

/// `aasa device rehearse`: a story of shared web credentials against a live endpoint.
struct RehearseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse",
        abstract: "Plays a story of shared web credentials against a live endpoint.",
        discussion: """
            The story is a JSON file: the app, its webcredentials domains, what browser and \
            keychain hold, and steps. A word that is not listed here is an error.

              {"app": "D3KQX62K1A.com.example.app", "domains": ["webcredentials:example.com"],
               "accounts": [{"account": "ada", "password": "lovelace"}],
               "safari": [{"account": "ada", "password": "lovelace"}],
               "steps": [{"do": "log-in", "user": {"picks": "ada"}, "expect": "logged-in"},
                         {"do": "change-site", "status": 404},
                         {"do": "relaunch", "expect": "associated"}]}

            \(ScenarioVocabulary.help)

            Time is virtual. Of what is played, these are not documented: which error a declined \
            update or deletion gives (played: errSecUserCanceled), whether a refusal ends an \
            association that exists (played: yes), and that the keychain outlives the app.

            Exit status: 0 when every outcome is the one expected, else 1.
            """)

    @Argument(help: ArgumentHelp("The story.", valueName: "scenario.json"))
    var file: String?

    @Flag(help: "Print the JSON Schema of stories, and stop.")
    var schema = false

    @Option(help: "Output format.") var format: OutputFormat = .text

    @OptionGroup(title: "Connection") var client: ClientOptions

    func validate() throws {
        if file == nil, !schema { throw ValidationError("name the story's file") }
    }

    func run() throws {
        if schema { return Terminal.write(JSONWriter.indented(ScenarioVocabulary.schema)) }
        guard let file else { return }
        try client.connect.checkFiles()
        let scenario = try read(file)
        let network: HTTPClient
        do {
            network = try HTTPClient(resolver: client.connect.resolver)
        } catch {
            throw CommandError(error.description)
        }
        var settings = Device.Settings(app: scenario.app, era: scenario.era)
        settings.cdn = client.cdnRoute
        settings.authorityFile = client.connect.cacert
        settings.limits = client.limits
        let domains = AssociatedDomains(
            scenario.entries, settings, resolver: client.connect.resolver,
            signatures: SignedDocument.reader(
                authorityFile: client.connect.cacert, now: ClientOptions.now),
            chance: { Double.random(in: 0..<1) }, ask: { network.fetch($0) })
        var random = SystemRandomNumberGenerator()
        var rehearsal = Rehearsal(
            scenario, domains: domains,
            makePassword: { GeneratedPassword.make(using: &random) })
        rehearsal.run()
        switch format {
        case .text: Terminal.print(lines: InertText.joined(rehearsal.lines))
        case .json: Terminal.write(JSONWriter.indented(rehearsal.json))
        }
        if !rehearsal.isGood { throw ExitStatus.findings }
    }

    private func read(_ file: String) throws -> Scenario {
        let source = try InputFile.source(file)
        let document: JSONDocument
        do {
            document = try JSONReader.read(source)
        } catch {
            throw CommandError(error.diagnostic, in: file)
        }
        do {
            return try Scenario(document) { name in
                let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
                return try? InputFile.read(name.hasPrefix("/") ? name : folder + name)
            }
        } catch {
            throw CommandError(
                error.message, place: "\(file):\(source.position(at: error.range.lowerBound))",
                remedy: "aasa device rehearse --help lists the words of a story", status: .usage)
        }
    }
}

extension Rehearsal {
    fileprivate var json: JSONValue {
        .object([
            ("good", .flag(isGood)), ("faults", .list(faults.map { .text($0) })),
            (
                "outcomes",
                .list(
                    outcomes.map {
                        .object([
                            ("outcome", .text($0.name)), ("expected", .text($0.expected)),
                        ])
                    })
            ),
            ("transcript", .list(lines.map { .text($0) })),
        ])
    }
}
