import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct JSONReportTests {
    private let source = SourceText(name: "f", text: "é\nab\n")

    private func root(_ findings: [Diagnostic], documents: Int = 1) throws -> JSONValue {
        let bytes = LintReport(findings: findings, documents: documents).json
        return try JSONReader.read(SourceText(name: "report", bytes: bytes)).root
    }

    private func text(_ value: JSONValue?) -> String {
        value.map { String(decoding: JSONWriter.minified($0), as: UTF8.self) } ?? "nothing"
    }

    /// Lines and columns from 1, columns in scalars, offsets in bytes from 0.
    @Test func aFindingIsWhole() throws {
        let finding = Diagnostic(
            code: "c", severity: .warning, message: "m", remedy: "r", source: source, range: 4..<5,
            related: [
                Diagnostic.Related(message: "here", source: source, range: 0..<2),
                Diagnostic.Related(message: "there", file: "g"),
            ])
        expectEqual(
            text(try root([finding])["findings"]),
            #"[{"code":"c","severity":"warning","message":"m","file":"f","remedy":"r","#
                + #""start":{"line":2,"column":2,"offset":4},"end":{"line":2,"column":3,"#
                + #""offset":5},"related":[{"message":"here","file":"f","start":{"line":1,"#
                + #""column":1,"offset":0}},{"message":"there","file":"g"}]}]"#)
    }

    @Test func whatIsMissingIsLeftOut() throws {
        let finding = Diagnostic(code: "c", severity: .note, message: "m", file: "f")
        expectEqual(
            text(try root([finding])["findings"]),
            #"[{"code":"c","severity":"note","message":"m","file":"f"}]"#)
    }

    /// What was counted and not listed is in the summary, and named.
    @Test func omissionsAreCounted() throws {
        let omission = Diagnostic(
            code: "findings-omitted", severity: .note, message: "m", file: "f",
            omission: Diagnostic.Omission(code: "c", severity: .error, count: 7))
        let warning = Diagnostic(code: "w", severity: .warning, message: "m", file: "f")
        let note = Diagnostic(code: "n", severity: .note, message: "m", file: "f")
        let root = try root([omission, warning, note, note], documents: 3)
        expectEqual(
            text(root["summary"]), #"{"documents":3,"errors":7,"warnings":1,"notes":2}"#)
        expectEqual(
            text(root["findings"]?.array?.first?["omitted"]),
            #"{"code":"c","severity":"error","count":7}"#)
    }

    @Test func nothingFoundIsAnEmptyList() throws {
        expectEqual(
            text(try root([], documents: 0)),
            #"{"findings":[],"summary":{"documents":0,"errors":0,"warnings":0,"notes":0}}"#)
    }
}
