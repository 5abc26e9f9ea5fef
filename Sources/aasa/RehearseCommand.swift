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
            keychain hold, and steps: log-in, create-account, change-password, delete-account, \
            add, request, wait. A step's "user" says what the user does ({"picks": "ada"}, \
            {"allows": false}, {"types": {"account": …, "password": …}}); "expect" names the \
            outcome that the story wants.

              {"app": "D3KQX62K1A.com.example.app", "domains": ["webcredentials:example.com"],
               "accounts": [{"account": "ada", "password": "lovelace"}],
               "safari": [{"account": "ada", "password": "lovelace"}],
               "steps": [{"do": "log-in", "user": {"picks": "ada"}, "expect": "logged-in"}]}

            Exit status: 0 when every outcome is the one expected, else 1.
            """)

    @Argument(help: ArgumentHelp("The story.", valueName: "scenario.json"))
    var file: String

    @OptionGroup var client: ClientOptions

    func run() throws {
        try client.connect.checkFiles()
        let scenario = try read()
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
        switch client.format {
        case .text: Terminal.print(rehearsal.lines.joined(separator: "\n"))
        case .json: Terminal.write(JSONWriter.indented(rehearsal.json))
        }
        if !rehearsal.isGood { throw ExitStatus.findings }
    }

    private func read() throws -> Scenario {
        let source = try InputFile.source(file)
        let document: JSONDocument
        do {
            document = try JSONReader.read(source)
        } catch {
            throw CommandError(
                error.message, place: "\(file):\(error.position)", remedy: error.remedy)
        }
        do {
            return try Scenario(document)
        } catch {
            throw CommandError(
                error.message, place: "\(file):\(source.position(at: error.range.lowerBound))",
                remedy: "aasa device rehearse --help shows a story", status: .usage)
        }
    }
}

extension Rehearsal {
    fileprivate var json: JSONValue {
        .object([
            ("good", .flag(isGood)),
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
