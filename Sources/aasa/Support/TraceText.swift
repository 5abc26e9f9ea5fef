import AppSiteAssociation

/// The rules that were tried, for `aasa match --explain`.
enum TraceText {
    static func lines(_ traces: [RuleTrace], _ document: MatchDocument) -> [String] {
        traces.flatMap { trace -> [String] in
            let (source, range) = document.place(trace.rule.range)
            let flags = [
                trace.excludes ? "exclude" : nil,
                trace.caseSensitive ? nil : "caseSensitive: false",
                trace.percentEncoded ? nil : "percentEncoded: false",
            ].compactMap { $0 }
            let head =
                "    \(trace.isMatch ? "matches" : "no     ") "
                + "\(source.name):\(source.position(at: range.lowerBound))"
                + (flags.isEmpty ? "" : "  (\(flags.joined(separator: ", ")))")
            if trace.parts.isEmpty { return [head + "  every URL"] }
            return [head]
                + trace.parts.map { part in
                    "      \(part.isMatch ? "ok" : "no")  \(part.part.name): \"\(part.value)\" "
                        + "against \"\(part.pattern)\"" + (part.hint.map { " - \($0)" } ?? "")
                }
        }
    }

    static func json(_ traces: [RuleTrace], _ document: MatchDocument) -> JSONValue {
        .list(
            traces.map { trace in
                let (source, range) = document.place(trace.rule.range)
                let position = source.position(at: range.lowerBound)
                return .object([
                    ("file", .text(source.name)), ("line", .integer(position.line)),
                    ("column", .integer(position.column)), ("matches", .flag(trace.isMatch)),
                    ("exclude", .flag(trace.excludes)),
                    ("caseSensitive", .flag(trace.caseSensitive)),
                    ("percentEncoded", .flag(trace.percentEncoded)),
                    ("parts", .list(trace.parts.map { json($0) })),
                ])
            })
    }

    private static func json(_ part: RuleTrace.Part) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("part", .text(part.part.name)), ("pattern", .text(part.pattern)),
            ("value", .text(part.value)), ("matches", .flag(part.isMatch)),
        ]
        if let hint = part.hint { members.append(("hint", .text(hint))) }
        return .object(members)
    }
}
