extension LintReport {
    /// `{"findings": […], "summary": {…}}`; lines and columns count from 1, columns in Unicode
    /// scalars, offsets in bytes.
    public var json: [UInt8] {
        JSONWriter.indented([
            "findings": .list(findings.map(\.json)),
            "summary": [
                "documents": .integer(documents), "errors": .integer(count(.error)),
                "warnings": .integer(count(.warning)), "notes": .integer(count(.note)),
            ],
        ])
    }
}

extension Diagnostic {
    /// A finding as every command writes it in JSON: `aasa schema findings`.
    ///
    /// Members that have no value are omitted.
    public var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("code", .text(code)), ("severity", .text(severity.rawValue)),
            ("message", .text(message)), ("file", .text(file)),
        ]
        if let remedy { members.append(("remedy", .text(remedy))) }
        if let start { members.append(("start", start.json)) }
        if let end { members.append(("end", end.json)) }
        if let omission {
            let omitted: JSONValue = [
                "code": .text(omission.code), "severity": .text(omission.severity.rawValue),
                "count": .integer(omission.count),
            ]
            members.append(("omitted", omitted))
        }
        if !related.isEmpty { members.append(("related", .list(related.map(\.json)))) }
        return .object(members)
    }
}

extension Diagnostic.Related {
    fileprivate var json: JSONValue {
        var members: [(String, JSONValue)] = [("message", .text(message)), ("file", .text(file))]
        if let start { members.append(("start", start.json)) }
        return .object(members)
    }
}

extension SourcePosition {
    fileprivate var json: JSONValue {
        ["line": .integer(line), "column": .integer(column), "offset": .integer(offset)]
    }
}
