import AppSiteAssociation
import ArgumentParser

/// `aasa diff`: what changed between two documents in meaning.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what changed between two documents in meaning.",
        discussion: """
            Apps added and removed per service; rules added, removed, changed and moved; \
            variables; the order of the apps. White space, comments, the order of members, \
            defaults that moved and variables that only changed their name are no change.

            Each side is a file (plain or signed), the folder of a host, or - for standard input.

            --samples shows URLs whose app changes; --links FILE looks at the URLs of a file of \
            tests for links (see aasa match --expect), and fails where one is no longer passed.

            Exit status: 0 when both say the same, 1 when they differ.

            Examples:
              aasa diff old.json new.json
              curl -s https://example.com/.well-known/apple-app-site-association \
            | aasa diff - site/example.com
            """)

    @Argument(help: ArgumentHelp("The document as it was.", valueName: "a"))
    var before: String

    @Argument(help: ArgumentHelp("The document as it is now.", valueName: "b"))
    var after: String

    @Option(help: "Output format.")
    var format: OutputFormat = .text

    @Flag(help: "Show URLs whose app changes, made from the rules that changed.")
    var samples = false

    @Option(
        help: ArgumentHelp(
            "Show the URLs of this file of tests for links whose app changes.", valueName: "file"))
    var links: String?

    func validate() throws {
        if before == "-", after == "-" {
            throw ValidationError("only one of the two can be standard input")
        }
    }

    func run() throws {
        let old = try AssociationInput.load(before)
        let new = try AssociationInput.load(after)
        let changes = AssociationDiff.diff(old.file, new.file)
        let report = DiffReport(
            before: old, after: new, changes: changes,
            samples: samples ? LinkSamples.changed(changes, old.file, new.file) : nil,
            links: try links.map { try LinkChanges($0, old, new) })
        switch format {
        case .text:
            if !report.text.isEmpty { Terminal.print(lines: report.text) }
        case .json: Terminal.write(report.json)
        }
        if !changes.isEmpty { throw ExitStatus.findings }
    }
}
