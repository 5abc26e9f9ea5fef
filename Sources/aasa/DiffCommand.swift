import AppSiteAssociation
import ArgumentParser

/// `aasa diff`: what changed between two documents in meaning.
struct DiffCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "What changed between two documents in meaning, not in bytes.",
        discussion: """
            Apps added and removed per service; rules added, removed, changed and moved; \
            variables; the order of the apps. White space, comments, the order of members, \
            defaults that moved and variables that only changed their name are no change.

            Each side is a file (plain or signed), the folder of a host, or - for standard input.

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

    @Option(help: "How to answer: text or json.")
    var format: Format = .text

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
            before: old.file.source.name, after: new.file.source.name, changes: changes)
        switch format {
        case .text:
            if !changes.isEmpty { Terminal.print(report.text) }
        case .json: Terminal.write(report.json)
        }
        if !changes.isEmpty { throw ExitStatus.findings }
    }
}

/// Differences for people and for machines.
struct DiffReport {
    let before: String
    let after: String
    let changes: [AssociationChange]

    /// Per service: one line per change, with the place of what is new or, where it is gone, was.
    var text: String {
        var lines: [String] = []
        var service = ""
        for change in changes {
            if change.service != service {
                service = change.service
                lines.append(service)
            }
            let place =
                change.after.map { "\(after):\($0.position)" }
                ?? change.before.map { "\(before):\($0.position)" } ?? ""
            lines.append("  \(change)  (\(place))")
        }
        return lines.joined(separator: "\n")
    }

    /// `{"before": …, "after": …, "changes": [{"kind": …, "service": …, …}]}`
    var json: [UInt8] {
        JSONWriter.indented(
            .object([
                ("before", .text(before)), ("after", .text(after)),
                ("changes", .list(changes.map(Self.json))),
            ]))
    }

    private static func json(_ change: AssociationChange) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("kind", .text(change.kind.rawValue)), ("service", .text(change.service)),
            ("subject", .text(change.subject)),
        ]
        if !change.apps.isEmpty {
            members.append(("apps", .list(change.apps.map { JSONValue.text($0) })))
        }
        if let before = change.before { members.append(("before", json(before))) }
        if let after = change.after { members.append(("after", json(after))) }
        return .object(members)
    }

    private static func json(_ side: AssociationChange.Side) -> JSONValue {
        var members: [(String, JSONValue)] = [("text", .text(side.text))]
        if let index = side.index { members.append(("index", .integer(index))) }
        members.append(("line", .integer(side.position.line)))
        members.append(("column", .integer(side.position.column)))
        return .object(members)
    }
}
