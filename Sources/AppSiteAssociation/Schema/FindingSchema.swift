extension LintReport {
    private static let severity = SchemaNode.choice(Severity.allCases.map(\.rawValue))
    private static let positionMembers = [
        SchemaMember("line", .integer, "Counted from 1."),
        SchemaMember("column", .integer, "In Unicode scalars, counted from 1."),
        SchemaMember("offset", .integer, "In bytes, counted from 0."),
    ]
    private static let position = SchemaNode.object(
        SchemaObject(
            "position", positionMembers, needs: positionMembers.map { SchemaNeed([$0.key]) }))
    private static let relatedMembers = [
        SchemaMember("message", .string(), "How the place relates to the finding."),
        SchemaMember("file", .string(), "The file."),
        SchemaMember("start", position, "Where in the file."),
    ]
    private static let omittedMembers = [
        SchemaMember("code", .string(), "Their code."),
        SchemaMember("severity", severity, "Their severity."),
        SchemaMember("count", .integer, "Their number."),
    ]
    private static let findingMembers = [
        SchemaMember("code", .string(), "A stable name; aasa lint --explain CODE tells more."),
        SchemaMember("severity", severity, "How much it matters."),
        SchemaMember("message", .string(), "What is wrong, in one sentence."),
        SchemaMember("file", .string(), "The file, folder, host or URL that it is about."),
        SchemaMember("remedy", .string(), "What to do."),
        SchemaMember("start", position, "Where in the file; not if it is whole."),
        SchemaMember("end", position, "The position after the last byte."),
        SchemaMember(
            "omitted", .object(omittedMembers), "Findings that are counted here and not listed."),
        SchemaMember(
            "related", .list(of: .object(relatedMembers, needs: [["message"], ["file"]])),
            "Other places that belong to it."),
    ]
    private static let finding = SchemaObject(
        "finding", findingMembers, needs: [["code"], ["severity"], ["message"], ["file"]])
    private static let summaryMembers = ["documents", "errors", "warnings", "notes"].map {
        SchemaMember($0, .integer, "The number of \($0).")
    }

    /// The JSON Schema of `aasa lint --format json`. Its `finding` is the form of a finding in the
    /// JSON of every other command.
    public static var schema: JSONValue {
        SchemaNode.object(
            [
                SchemaMember("findings", .list(of: .object(finding)), "In their order."),
                SchemaMember(
                    "summary",
                    .object(summaryMembers, needs: summaryMembers.map { SchemaNeed([$0.key]) }),
                    "Their number."),
            ], needs: [["findings"], ["summary"]]
        ).document(title: "findings of aasa (--format json)")
    }
}
