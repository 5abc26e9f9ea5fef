extension LintReport {
    /// `{"findings": […], "summary": {…}}`; lines and columns count from 1, columns in Unicode
    /// scalars, offsets in bytes.
    public var json: [UInt8] {
        JSONWriter.indented(
            .object([
                ("findings", .list(findings.map(Self.json))),
                (
                    "summary",
                    .object([
                        ("documents", .integer(documents)), ("errors", .integer(count(.error))),
                        ("warnings", .integer(count(.warning))), ("notes", .integer(count(.note))),
                    ])
                ),
            ]))
    }

    private static func json(_ finding: Diagnostic) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("code", .text(finding.code)),
            ("severity", .text(finding.severity.rawValue)),
            ("message", .text(finding.message)),
            ("file", .text(finding.file)),
        ]
        if let remedy = finding.remedy { members.append(("remedy", .text(remedy))) }
        if let start = finding.start { members.append(("start", json(start))) }
        if let end = finding.end { members.append(("end", json(end))) }
        if let omission = finding.omission {
            members.append(
                (
                    "omitted",
                    .object([
                        ("code", .text(omission.code)),
                        ("severity", .text(omission.severity.rawValue)),
                        ("count", .integer(omission.count)),
                    ])
                ))
        }
        if !finding.related.isEmpty {
            members.append(
                (
                    "related",
                    .list(
                        finding.related.map { related in
                            var inner: [(String, JSONValue)] = [
                                ("message", .text(related.message)), ("file", .text(related.file)),
                            ]
                            if let start = related.start { inner.append(("start", json(start))) }
                            return .object(inner)
                        })
                ))
        }
        return .object(members)
    }

    private static func json(_ position: SourcePosition) -> JSONValue {
        .object([
            ("line", .integer(position.line)), ("column", .integer(position.column)),
            ("offset", .integer(position.offset)),
        ])
    }
}
