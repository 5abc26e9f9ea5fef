import AppSiteAssociation
import TestSupport
import Testing

@Suite struct GitHubReportTests {
    private func line(
        _ severity: Severity, _ range: Range<Int>, message: String = "m", remedy: String? = nil,
        related: [Diagnostic.Related] = [], name: String = "f"
    ) -> String {
        let source = SourceText(name: name, text: "ab\ncd\n")
        return LintReport(
            findings: [
                Diagnostic(
                    code: "c", severity: severity, message: message, remedy: remedy,
                    source: source, range: range, related: related)
            ], documents: 1
        ).github
    }

    @Test(arguments: [
        (Severity.error, "error"), (.warning, "warning"), (.note, "notice"),
    ]) func severitiesAreCommands(_ severity: Severity, _ command: String) {
        expectEqual(
            line(severity, 3..<5),
            "::\(command) file=f,line=2,endLine=2,col=1,endColumn=3,title=c::m\n")
    }

    /// GitHub refuses columns for a range of several lines.
    @Test func severalLinesHaveNoColumns() {
        expectEqual(line(.error, 1..<4), "::error file=f,line=1,endLine=2,title=c::m\n")
        expectEqual(
            line(.error, 1..<1), "::error file=f,line=1,endLine=1,col=2,endColumn=2,title=c::m\n")
    }

    @Test func aFileAsAWholeHasNoLine() {
        let finding = Diagnostic(code: "c", severity: .error, message: "m", file: "f")
        expectEqual(
            LintReport(findings: [finding, finding], documents: 1).github,
            "::error file=f,title=c::m\n::error file=f,title=c::m\n")
    }

    @Test func remedyAndRelatedPlacesAreLinesOfTheMessage() {
        let source = SourceText(name: "g", text: "x\ny")
        let text = line(
            .error, 0..<1, remedy: "r",
            related: [
                Diagnostic.Related(message: "here", source: source, range: 2..<3),
                Diagnostic.Related(message: "there", file: "h"),
            ])
        #expect(text.hasSuffix("::m%0Afix: r%0Ahere: g:2%0Athere: h\n"))
    }

    @Test func propertiesAreEscaped() {
        let text = line(.error, 0..<1, message: "a,b:c%", name: "a b/t,1:x%.json")
        #expect(text.hasPrefix("::error file=a b/t%2C1%3Ax%25.json,line=1"))
        #expect(text.hasSuffix("::a,b:c%25\n"))
    }

    @Test func messagesCannotBreakOut() {
        let source = SourceText(
            name: "f", text: "{\"appclips\": {\"apps\": []}, \"a%\\n::error::b\": 1}")
        let lines = LintReport(findings: Linter.lint(source), documents: 1).github
            .split(separator: "\n")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("::") })
        #expect(lines.contains { $0.contains(#"a%25\u000a\u003a:error::b"#) })
        let broken = line(.error, 0..<1, message: "a\r\n::error::b", name: "f\n::stop")
        #expect(broken.split(separator: "\n").count == 1 && !broken.contains("\r"))
    }
}
