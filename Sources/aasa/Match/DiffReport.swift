import AppSiteAssociation

/// Differences for people and for machines.
struct DiffReport {
    let before: AssociationInput
    let after: AssociationInput
    let changes: [AssociationChange]
    /// URLs whose app changes; nil unless asked for.
    let samples: [LinkSamples.Sample]?
    /// What becomes of link tests; nil unless asked for.
    let links: LinkChanges?

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
                change.after.map { after.place(of: $0.range) }
                ?? change.before.map { before.place(of: $0.range) }
            lines.append("  \(change)  (\(place?.text ?? ""))")
        }
        if let samples, !samples.isEmpty {
            lines.append("URLs whose app changes")
            lines += samples.map { Self.line($0) }
        }
        if let links { lines += links.lines }
        return InertText.joined(lines)
    }

    static func line(_ sample: LinkSamples.Sample) -> String {
        "  \(sample.url)  \(sample.before ?? "browser") -> \(sample.after ?? "browser")"
    }

    /// `{"before": …, "after": …, "changes": [{"kind": …, "service": …, …}]}`
    var json: JSONValue {
        .object(known: [
            ("before", .text(before.file.source.name)), ("after", .text(after.file.source.name)),
            ("changes", .list(changes.map { json($0) })),
            ("samples", samples.map { .list($0.map { .object(Self.members($0)) }) }),
            ("links", links.map { .list($0.rows.map(Self.json)) }),
        ])
    }

    private func json(_ change: AssociationChange) -> JSONValue {
        let apps = change.apps.map { JSONValue.text($0) }
        return .object(known: [
            ("kind", .text(change.kind.rawValue)), ("service", .text(change.service)),
            ("subject", .text(change.subject)), ("apps", apps.isEmpty ? nil : .list(apps)),
            ("before", change.before.map { json($0, before) }),
            ("after", change.after.map { json($0, after) }),
        ])
    }

    private func json(
        _ side: AssociationChange.Side, _ input: AssociationInput
    ) -> JSONValue {
        .object(
            known: [("text", .text(side.text)), ("index", side.index.map { .integer($0) })]
                + input.place(of: side.range).members)
    }

    private static func members(_ sample: LinkSamples.Sample) -> [(String, JSONValue)] {
        [
            ("url", .text(sample.url)), ("before", .text(sample.before)),
            ("after", .text(sample.after)),
        ]
    }

    private static func json(_ row: LinkChanges.Row) -> JSONValue {
        .object(
            members(row.sample) + [
                ("passed", .flag(row.outcome.isPassed)), ("reason", .text(row.outcome.reason)),
            ])
    }
}

/// What becomes of link tests between two documents.
struct LinkChanges {
    struct Row {
        let sample: LinkSamples.Sample
        /// By the new document.
        let outcome: LinkCheck.Outcome
    }

    /// Tests whose app or outcome changes.
    private(set) var rows: [Row] = []

    /// - Throws: where the file cannot be read, or holds what is no test.
    init(
        _ file: String, _ before: AssociationInput, _ after: AssociationInput
    ) throws(CommandError) {
        let source = try InputFile.source(file)
        let runs = [before, after].map { LinkTests.run(source, LinkCheck($0)) }
        if let problem = runs.flatMap(\.problems).first { throw CommandError(problem) }
        for (old, new) in zip(runs[0].outcomes, runs[1].outcomes) {
            let sample = LinkSamples.Sample(
                url: new.expectation.url, before: old.opening.first?.app,
                after: new.opening.first?.app)
            if sample.before == sample.after, old.isPassed == new.isPassed { continue }
            rows.append(Row(sample: sample, outcome: new))
        }
    }

    var lines: [String] {
        if rows.isEmpty { return [] }
        return ["links"]
            + rows.map { row in
                DiffReport.line(row.sample) + (row.outcome.reason.map { "  FAIL: \($0)" } ?? "")
            }
    }
}
