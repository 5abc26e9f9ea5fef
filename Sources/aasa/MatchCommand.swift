import AppSiteAssociation
import ArgumentParser

/// `aasa match`: which apps a URL opens, and the rule that decided.
struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Which apps a URL opens, and the rule that decided.",
        discussion: """
            Answers as Apple's system does: entries of "details" in order, rules in order, the \
            first rule that matches decides.

            Exit status: 0 when every URL opens an app, 1 when one opens none.

            Examples:
              aasa match site/example.com https://example.com/buy/42
              aasa match apple-app-site-association /buy/42 /help --app ABCDE12345.com.example.app
              curl -s https://example.com/.well-known/apple-app-site-association \
            | aasa match - /buy/42
            """)

    @Argument(
        help: ArgumentHelp(
            "The document: a file, a host's folder such as site/example.com, or - for standard input.",
            valueName: "path"))
    var path: String

    @Argument(
        help: ArgumentHelp(
            "URLs, or paths that begin with a slash.", valueName: "url"))
    var urls: [String]

    @Option(
        help: ArgumentHelp("Ask for this application identifier alone.", valueName: "id"))
    var app: String?

    @Option(
        help: ArgumentHelp(
            "The host the document belongs to: URLs of other hosts match nothing.",
            valueName: "host"))
    var domain: String?

    @Option(help: "How to answer: text or json.")
    var format: MatchReport.Format = .text

    func validate() throws {
        for url in urls where URLParts(url) == nil {
            throw ValidationError(
                "\"\(url)\" is no URL: write https://example.com/path, or a path such as /buy/42")
        }
    }

    func run() throws {
        let document = try MatchDocument.load(path)
        let association = CompiledAssociation(document.file)
        let answers = urls.map { url in
            MatchReport.Answer(
                url: url,
                apps: association.decide(
                    url: url, app: app, domain: domain ?? document.domain, explain: true) ?? [])
        }
        let report = MatchReport(source: document.file.source, app: app, answers: answers)
        switch format {
        case .text: Terminal.print(report.text)
        case .json: Terminal.write(report.json)
        }
        if !report.allOpen { throw ExitStatus.findings }
    }
}

/// A document to match against, and the host it belongs to where the path tells.
struct MatchDocument {
    let file: AssociationFile
    let domain: String?

    static func load(_ path: String) throws -> MatchDocument {
        let input = try AssociationInput.load(path)
        return MatchDocument(file: input.file, domain: input.host)
    }
}
