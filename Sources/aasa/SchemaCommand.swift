import AASADevice
import AASAServer
import AppSiteAssociation
import ArgumentParser

/// `aasa schema`: what editors complete and check by.
struct SchemaCommand: ParsableCommand {
    enum Document: String, ExpressibleByArgument, CaseIterable {
        case association, host, lint, findings, build, webauthn
        case assetLinks = "assetlinks"
    }

    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of a document, for editors.",
        discussion: """
            association: the association file and the fragments of teams; host: host.json; \
            lint: .aasa.json; findings: what lint --format json writes, and the findings in the \
            JSON of check, verify, build and check --watch; build: the report of aasa device \
            --build --format json; assetlinks and webauthn: those siblings. \
            The schemas come from the tables that the linter and the server use.

            An editor then completes members, shows what they are for, and marks what devices \
            would skip. For Visual Studio Code, in .vscode/settings.json:
              { "json.schemas": [
                { "fileMatch": ["site/*/teams/*.json", "apple-app-site-association"],
                  "url": "./schemas/association.json" },
                { "fileMatch": ["site/*/host.json"], "url": "./schemas/host.json" } ] }

            Examples:
              aasa schema > schemas/association.json
              aasa schema host --output schemas/host.json
            """)

    @Argument(
        help: "Which document: association, host, lint, findings, build, assetlinks or webauthn.")
    var document: Document = .association

    @Option(help: .value("file", "Where to write (default: standard output)."))
    var output: String?

    func run() throws {
        let schema =
            switch document {
            case .association: AssociationFormat.format.schema
            case .host: HostSettings.format.schema
            case .lint: LintConfiguration.format.schema
            case .findings: LintReport.schema
            case .build: AppBuildReport.schema
            case .assetLinks: SiblingFormat.assetLinks.schema
            case .webauthn: SiblingFormat.webAuthn.schema
            }
        let bytes = JSONWriter.indented(schema)
        if let output {
            try FileReplacement.replace(output, with: bytes)
        } else {
            Terminal.write(bytes)
        }
    }
}
