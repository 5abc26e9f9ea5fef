import AppSiteAssociation
import ArgumentParser

/// `aasa diff`: what changed between two documents in meaning.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show how two documents differ in meaning.",
        discussion: """
            Compares apps per service, rules, variables and the order of apps. White space, comments, the \
            order of members, and renamed variables are no difference. Each side is a file (plain or \
            signed), the folder of a host, https://HOST, or - for standard input.

            --samples shows URLs whose app changes. --links FILE checks the URLs of a file of link tests \
            (see aasa match --expect), and marks those that fail.

            Exit status: 0 both mean the same, 1 they differ.

              aasa diff old.json site/example.com --samples
              aasa diff https://example.com site/example.com
            """)

    @Argument(help: .value("a", "The document as it was."))
    var before: String

    @Argument(help: .value("b", "The document as it is now."))
    var after: String

    @Option(help: "Output format.")
    var format: OutputFormat = .text

    @Flag(help: "Show URLs whose app changes, made from the rules that changed.")
    var samples = false

    @Option(
        help: .value("file", "Show what changes for the link tests of this file."))
    var links: String?

    @OptionGroup(title: "Connection") var client: ClientOptions

    func validate() throws {
        if before == "-", after == "-" {
            throw ValidationError("only one of the two can be standard input")
        }
    }

    func run() throws {
        try client.connect.checkFiles()
        let old = try AssociationInput.load(before, for: nil, client: client)
        let new = try AssociationInput.load(after, for: nil, client: client)
        let changes = AssociationDiff.diff(old.file, new.file)
        let report = DiffReport(
            before: old, after: new, changes: changes,
            samples: samples ? LinkSamples.changed(changes, old.file, new.file) : nil,
            links: try links.map { try LinkChanges($0, old, new) })
        format.show(report.text, report.json)
        if !changes.isEmpty { throw ExitStatus.findings }
    }
}
