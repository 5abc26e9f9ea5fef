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
        .present([
            ("code", .text(code)), ("severity", .text(severity.rawValue)),
            ("message", .text(message)), ("file", .text(file)),
            ("remedy", remedy.map { JSONValue.text($0) }), ("start", start?.json),
            ("end", end?.json), ("omitted", omission?.json),
            ("related", related.isEmpty ? nil : .list(related.map(\.json))),
        ])
    }
}

extension Diagnostic.Omission {
    fileprivate var json: JSONValue {
        [
            "code": .text(code), "severity": .text(severity.rawValue), "count": .integer(count),
        ]
    }
}

extension Diagnostic.Related {
    fileprivate var json: JSONValue {
        .present([("message", .text(message)), ("file", .text(file)), ("start", start?.json)])
    }
}

extension JSONValue {
    /// An object of the members that have a value, in this order.
    static func present(_ members: [(String, JSONValue?)]) -> JSONValue {
        .object(members.compactMap { key, value in value.map { (key, $0) } })
    }
}

extension SourcePosition {
    fileprivate var json: JSONValue {
        ["line": .integer(line), "column": .integer(column), "offset": .integer(offset)]
    }
}
