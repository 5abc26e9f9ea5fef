// Covers: Text+JSON.swift

import TestSupport
import Testing

@testable import AppSiteAssociation

/// What validators of other people say of the schema is asked in Tests/Deploy/test_schema.py.
@Suite struct FindingSchemaTests {
    /// Every member that a finding can have is in the schema, and no other.
    @Test func hasEveryMemberOfAFinding() throws {
        let source = SourceText(name: "f", text: "ab")
        let placed = Diagnostic(
            code: "c", severity: .warning, message: "m", remedy: "r", source: source, range: 0..<1,
            related: [Diagnostic.Related(message: "here", source: source, range: 1..<2)])
        let omitted = Diagnostic(
            code: "c", severity: .note, message: "m", file: "f",
            omission: Diagnostic.Omission(code: "d", severity: .error, count: 2))
        func keys(_ value: JSONValue?) -> Set<String> { Set((value?.members ?? []).map(\.key)) }
        let definitions = LintReport.schema["definitions"]
        let members = definitions?["finding"]?["properties"]
        expectEqual(keys(members), keys(placed.json).union(keys(omitted.json)))
        expectEqual(keys(members?["omitted"]?["properties"]), keys(omitted.json["omitted"]))
        expectEqual(keys(definitions?["position"]?["properties"]), keys(placed.json["start"]))
        let related = placed.json["related"]?.array?.first
        expectEqual(keys(members?["related"]?["items"]?["properties"]), keys(related))
        let required = definitions?["finding"]?["required"]?.array?.compactMap(\.string) ?? []
        expectEqual(Set(required), ["code", "severity", "message", "file"])
        let severities = members?["severity"]?["enum"]?.array?.compactMap(\.string)
        expectEqual(severities, Severity.allCases.map(\.rawValue))
    }
}
