import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct TextReportTests {
    private func report(_ text: String, name: String = "f.json") -> LintReport {
        LintReport(findings: Linter.lint(SourceText(name: name, text: text)), documents: 1)
    }

    private func text(
        _ source: String, _ range: Range<Int>, _ severity: Severity = .error, color: Bool = false
    ) -> [Substring] {
        let finding = Diagnostic(
            code: "c", severity: severity, message: "m",
            source: SourceText(name: "f", text: source), range: range)
        return LintReport(findings: [finding], documents: 1).text(color: color)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    private let misspelt = """
        {
          "applinks": { "details": [
            { "appIDs": ["9JA89QQLNQ.com.example.shop"], "compnents": [] }
          ] }
        }
        """

    @Test func pointsAtThePlace() {
        expectEqual(
            report(misspelt, name: "aasa.json").text(color: false),
            """
            aasa.json:3:50: error: "compnents" is ignored; "components" was probably meant \
            [entry-key-misspelt]
               3 |     { "appIDs": ["9JA89QQLNQ.com.example.shop"], "compnents": [] }
                 |                                                  ^^^^^^^^^^^
               = fix: Write "components".

            1 error in 1 of 1 document

            """)
    }

    @Test(arguments: [
        ("ab", 0..<1, "^"), ("ab", 1..<2, " ^"), ("ab", 0..<2, "^^"), ("ab", 0..<0, "^"),
        ("aéb", 1..<3, " ^"), ("a\tb", 2..<3, "  ^"), ("ab\ncd", 0..<5, "^"),
        // Not beyond the end of the line.
        ("ab", 2..<2, "  ^"), ("ab\ncd", 1..<2, " ^"),
    ]) func theCaretStandsUnderThePlace(_ source: String, _ range: Range<Int>, _ caret: String) {
        let line = source.split(separator: "\n")[0].replacing("\t", with: " ")
        expectEqual(text(source, range)[1...2], ["   1 | \(line)", "     | \(caret)"][...])
    }

    @Test func numbersOfLinesStandInAColumn() {
        let source = String(repeating: "\n", count: 11_999) + "x"
        expectEqual(text(source, 11_999..<12_000)[1], "12000 | x")
        expectEqual(text("\nx", 1..<2)[1], "   2 | x")
        // Nothing to point at in a line of blanks.
        expectEqual(text("  \nx", 0..<1).count, 4)
    }

    @Test func coloursOnlyWhenAsked() {
        #expect(!report(misspelt).text(color: false).contains("\u{1B}"))
        for (severity, style) in [(Severity.error, "1;31"), (.warning, "1;33"), (.note, "1;34")] {
            let lines = text("ab", 0..<1, severity, color: true)
            let word = severity == .note ? "note" : severity.rawValue
            #expect(lines[0].contains("\u{1B}[\(style)m\(word):\u{1B}[0m"))
            #expect(lines[2].hasSuffix("\u{1B}[\(style)m^\u{1B}[0m"))
        }
    }

    /// A document must not be able to drive the terminal of whoever looks at it, nor a runner.
    @Test func controlCharactersDoNotReachTheTerminal() {
        let text = report("{\"web\\u001b[2Jcredentials\": {}, \"\u{202E}x\": 1}").text(color: false)
        #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"))
        expectEqual(self.text("##[error]", 0..<1)[1], "   1 | ##\u{FFFD}error]")
        expectEqual(self.text("#[a] # #[b]", 0..<1)[1], "   1 | #[a] # #[b]")
        expectEqual(self.text("é##[error]", 0..<2)[1], "   1 | é##\u{FFFD}error]")
    }

    @Test func namesOfFilesAreInert() {
        let many = (0..<9).map { "\"bad\($0)\"" }.joined(separator: ",")
        let text = report("{\"appclips\": {\"apps\": [\(many)]}}", name: "\u{1B}[2J.json")
            .text(color: false)
        #expect(text.contains(": and 4 more of"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test func relatedPlacesAreNamed() {
        let source = SourceText(name: "g", text: "x\ny")
        let finding = Diagnostic(
            code: "c", severity: .error, message: "m", file: "f",
            related: [
                Diagnostic.Related(message: "here", source: source, range: 2..<3),
                Diagnostic.Related(message: "there", file: "h"),
            ])
        expectEqual(
            LintReport(findings: [finding], documents: 1).text(color: false),
            "f: error: m [c]\n   = here: g:2:1\n   = there: h\n\n1 error in 1 of 1 document\n"
        )
    }

    /// Five of a code are written in full; one more takes no more lines than the note about it.
    @Test(arguments: [(5, 5, nil as String?), (6, 6, nil), (7, 5, "1:6, 1:7"), (25, 5, "…")])
    func repeatsAreFolded(_ count: Int, _ whole: Int, _ places: String?) {
        let source = SourceText(name: "f", text: String(repeating: "x", count: 30))
        let findings = (0..<count).map {
            Diagnostic(
                code: "c", severity: .error, message: "m", source: source, range: $0..<$0 + 1)
        }
        let report = LintReport(findings: findings, documents: 1)
        let lines = report.text(color: false).split(separator: "\n")
        expectEqual(lines.filter { $0.contains("error: m [c]") }.count, whole)
        let note = lines.first { $0.contains(" more of [c]") }
        expectEqual((note == nil), (places == nil))
        if let places, places != "…" {
            expectEqual(note, "f: and \(count - 5) more of [c] at \(places)")
        }
        // Twenty places are named, and no more.
        #expect(note?.hasSuffix(", …") != true || count > 25)
        expectEqual(
            report.text(color: false, whole: true).split(separator: "\n").filter {
                $0.contains("error: m [c]")
            }.count, count)
    }

    @Test func placesOfRepeatsAreBounded() {
        let source = SourceText(name: "f", text: String(repeating: "x", count: 30))
        func note(_ count: Int) -> Substring? {
            let findings = (0..<count).map {
                Diagnostic(
                    code: "c", severity: .error, message: "m", source: source, range: $0..<$0 + 1)
            }
            return LintReport(findings: findings, documents: 1).text(color: false)
                .split(separator: "\n").first { $0.contains(" more of [c]") }
        }
        expectEqual(note(25)?.hasSuffix("1:24, 1:25"), true)
        expectEqual(note(26)?.hasSuffix("1:24, 1:25, …"), true)
    }

    /// Repeats are those of one file and code; what was omitted is told for each code.
    @Test func otherFilesAndCodesAreNoRepeats() {
        func finding(_ code: String, _ file: String) -> Diagnostic {
            Diagnostic(code: code, severity: .error, message: "m", file: file)
        }
        let mixed = ["a", "b", "c"].flatMap { file in
            ["x", "y"].flatMap { code in (0..<5).map { _ in finding(code, file) } }
        }
        #expect(!LintReport(findings: mixed, documents: 3).text(color: false).contains("more of"))
        let omitted = (0..<8).map {
            Diagnostic(
                code: "findings-omitted", severity: .note, message: "m\($0)", file: "f",
                omission: Diagnostic.Omission(code: "c\($0)", severity: .error, count: 1))
        }
        #expect(!LintReport(findings: omitted, documents: 1).text(color: false).contains("more of"))
        let whole = (0..<7).map { _ in finding("c", "f") }
        #expect(
            LintReport(findings: whole, documents: 1).text(color: false).contains(
                "f: and 2 more of [c]\n"))
    }

    @Test func longLinesAreCut() {
        let apps = (0..<400).map { "\"9JA89QQLNQ.com.example.a\($0)\"" }.joined(separator: ",")
        let text = report("{\"webcredentials\":{\"apps\":[\(apps),\"com.example.b\"]}}")
            .text(color: false)
        let lines = text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count < 220 })
        let caret = lines.first { $0.contains("^") }
        let source = lines.first { $0.contains("com.example.b\"") && $0.contains(" | ") }
        // The caret stands under the first quote of the identifier.
        let column = caret?.firstIndex(of: "^").map {
            caret?.distance(from: caret?.startIndex ?? $0, to: $0) ?? 0
        }
        let place = source.map { Array($0) }.flatMap { line in
            line.indices.first { String(line[$0...].prefix(15)) == "\"com.example.b\"" }
        }
        #expect(column != nil && column == place)
    }
}
