import AASAClient
import AASADevice
import AppSiteAssociation
import ArgumentParser

/// `aasa device rehearse`: a scenario of shared web credentials against a live endpoint.
struct RehearseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse",
        abstract: "Rehearse shared web credentials against a live endpoint.",
        discussion: """
            Runs a scenario on a virtual clock: an app, its user, Safari and the device. The scenario is \
            a JSON file; --words lists its keys, steps and outcomes.

              {"app": "D3KQX62K1A.com.example.app",
               "domains": ["webcredentials:example.com"],
               "safari": [{"account": "ada", "password": "lovelace"}],
               "accounts": [{"account": "ada", "password": "lovelace"}],
               "steps": [{"do": "log-in", "user": {"picks": "ada"}, "expect": "logged-in"},
                         {"do": "change-site", "status": 404},
                         {"do": "relaunch", "expect": "associated"}]}

            Three behaviours are not documented by Apple: the error of a declined update or deletion \
            (here: errSecUserCanceled), whether a refusal ends an existing association (here: yes), and \
            that the keychain outlives the app.

            Exit status: 0 every outcome is the expected one, 1 otherwise.
            """)

    @Argument(help: .value("scenario.json", "The scenario."))
    var file: String?

    @Flag(help: "List the keys, steps and outcomes of a scenario, and exit.")
    var words = false

    @Option(help: "Output format.") var format: OutputFormat = .text

    @OptionGroup(title: "Connection") var client: ClientOptions

    func validate() throws {
        if file == nil, !words { throw ValidationError("name the scenario's file") }
    }

    func run() throws {
        if words { return Terminal.print(lines: ScenarioVocabulary.help) }
        guard let file else { return }
        try client.connect.checkFiles()
        let scenario = try read(file)
        let network = try client.network()
        let domains = AssociatedDomains(
            scenario.entries, client.phone(scenario.app, scenario.era),
            chance: { Double.random(in: 0..<1) }, ask: { network.fetch($0) })
        var rehearsal = Rehearsal(
            scenario, domains: domains, makePassword: GeneratedPassword.make)
        rehearsal.run()
        format.show(InertText.joined(rehearsal.lines), rehearsal.json)
        if !rehearsal.isGood { throw ExitStatus.findings }
    }

    private func read(_ file: String) throws -> Scenario {
        let source = try InputFile.source(file)
        let document = try InputFile.json(source)
        do {
            return try Scenario(document) { name in
                let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
                return try? InputFile.read(name.hasPrefix("/") ? name : folder + name)
            }
        } catch {
            throw CommandError(
                error.message, place: SourcePlace(source: source, range: error.range).text,
                remedy: "aasa device rehearse --words lists the words of a scenario")
        }
    }
}

extension Rehearsal {
    fileprivate var json: JSONValue {
        let results = outcomes.map {
            JSONValue.object([("outcome", .text($0.name)), ("expected", .text($0.expected))])
        }
        return .object([
            ("good", .flag(isGood)), ("faults", .list(faults.map { .text($0) })),
            ("outcomes", .list(results)), ("transcript", .list(lines.map { .text($0) })),
        ])
    }
}
