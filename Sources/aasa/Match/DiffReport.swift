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
            ("samples", samples.map { .list($0.map(Self.json)) }),
            ("links", links.map { .list($0.rows.map(\.json)) }),
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

    static func json(_ sample: LinkSamples.Sample) -> JSONValue {
        .object([
            ("url", .text(sample.url)), ("before", .text(sample.before)),
            ("after", .text(sample.after)),
        ])
    }
}

/// What becomes of link tests between two documents.
struct LinkChanges {
    struct Row {
        let sample: LinkSamples.Sample
        /// Whether the test is passed by the new document.
        let isPassed: Bool
        let reason: String?

        var json: JSONValue {
            .object([
                ("url", .text(sample.url)), ("before", .text(sample.before)),
                ("after", .text(sample.after)), ("passed", .flag(isPassed)),
                ("reason", .text(reason)),
            ])
        }
    }

    /// Tests whose app or outcome changes.
    private(set) var rows: [Row] = []

    /// - Throws: where the file cannot be read, or holds what is no test.
    init(
        _ file: String, _ before: AssociationInput, _ after: AssociationInput
    ) throws(CommandError) {
        let source = try InputFile.source(file)
        var (tests, problems) = LinkExpectationReader.read(source)
        let outcomes = [(before, before.names), (after, after.names)].map { input, names in
            LinkCheck(CompiledAssociation(input.file), hosts: names).outcomes(of: tests)
        }
        problems += outcomes.compactMap { LinkCheck.notRun(tests, after: $0, in: source) }
        if let problem = problems.first { throw CommandError(problem) }
        for (old, new) in zip(outcomes[0], outcomes[1]) {
            let sample = LinkSamples.Sample(
                url: new.expectation.url, before: old.opening.first?.app,
                after: new.opening.first?.app)
            if sample.before == sample.after, old.isPassed == new.isPassed { continue }
            rows.append(
                Row(
                    sample: sample, isPassed: new.isPassed, reason: new.reason))
        }
    }

    var lines: [String] {
        if rows.isEmpty { return [] }
        return ["links"]
            + rows.map { row in
                DiffReport.line(row.sample)
                    + (row.isPassed ? "" : "  FAIL" + (row.reason.map { ": \($0)" } ?? ""))
            }
    }
}
