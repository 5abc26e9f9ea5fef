import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct DiagnosticTests {
    @Test func carriesItsPlace() {
        let source = SourceText(name: "a.json", text: "{\n  \"x\": 1\n}")
        let diagnostic = Diagnostic(
            code: "c", severity: .warning, message: "m", remedy: "r", source: source, range: 4..<7,
            related: [Diagnostic.Related(message: "first", source: source, range: 0..<1)])
        expectEqual(diagnostic.description, "a.json:2:3: warning: m [c]")
        expectEqual(diagnostic.end, SourcePosition(offset: 7, line: 2, column: 6))
        expectEqual(diagnostic.sourceLine, "  \"x\": 1")
        expectEqual(diagnostic.sourceLineColumn, 1)
        expectEqual(diagnostic.related.first?.start?.line, 1)
    }

    @Test func canBeAboutAFile() {
        let diagnostic = Diagnostic(code: "c", severity: .error, message: "m", file: "a.json")
        expectEqual(diagnostic.description, "a.json: error: m [c]")
        #expect(diagnostic.start == nil && diagnostic.sourceLine == nil)
    }

    @Test func ordersSeverities() {
        expectEqual(Severity.allCases.sorted(), [.note, .warning, .error])
    }

    /// `info` until 1.1.
    @Test func readsTheNamesOfSeverities() {
        for severity in Severity.allCases {
            expectEqual(Severity(parsing: severity.rawValue), severity)
        }
        #expect(Severity(parsing: "info") == .note && Severity(parsing: "remark") == nil)
    }
}
