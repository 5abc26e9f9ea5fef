import AppSiteAssociation
import Foundation
import Testing

// Covers: TextReport.swift, JSONReport.swift, SARIFReport.swift, GitHubReport.swift

@Suite struct LintReportTests {
    private func report(_ text: String, name: String = "a b/t,1:x.json") -> LintReport {
        LintReport(findings: Linter.lint(SourceText(name: name, text: text)), documents: 1)
    }
    private let misspelt = """
        {
          "applinks": { "details": [
            { "appIDs": ["9JA89QQLNQ.com.example.shop"], "compnents": [] }
          ] }
        }
        """

    @Test func textPointsAtThePlace() {
        let text = report(misspelt, name: "aasa.json").text(color: false)
        #expect(
            text == """
                aasa.json:3:50: error: "compnents" is ignored; "components" was probably meant \
                [entry-key-misspelt]
                   3 |     { "appIDs": ["9JA89QQLNQ.com.example.shop"], "compnents": [] }
                     |                                                  ^^^^^^^^^^^
                   = remedy: write "components"

                1 error in 1 of 1 document

                """)
    }

    @Test func colourOnlyWhenAsked() {
        #expect(!report(misspelt).text(color: false).contains("\u{1B}"))
        #expect(report(misspelt).text(color: true).contains("\u{1B}[1;31m"))
    }

    /// A document must not be able to drive the terminal of whoever looks at it.
    @Test func controlCharactersDoNotReachTheTerminal() {
        let text = report("{\"web\\u001b[2Jcredentials\": {}, \"\u{202E}x\": 1}").text(color: false)
        #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"))
    }

    /// SARIF 2.1.0, section 3.11.6: a viewer makes a link of `[words](0)`.
    @Test func textOfADocumentMakesNoLinkInSARIF() {
        let text = String(
            decoding: report("{\"[a](0)\": {}}").sarif(version: "1"), as: UTF8.self)
        #expect(text.contains("\\\\[a\\\\](0)") && !text.contains("\"[a](0)"), "\(text)")
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

    @Test func summaries() {
        #expect(
            LintReport(findings: [], documents: 2).summary == "2 documents looked at, nothing found"
        )
        let found = report("{\"x\": 1, \"webcredentials\": {\"apps\": []}}")
        #expect(found.summary == "1 warning and 1 note in 1 of 1 document")
        #expect(found.has(.warning) && !found.has(.error))
    }

    @Test func jsonIsReadable() throws {
        let object = try JSONSerialization.jsonObject(with: Data(report(misspelt).json))
        let root = try #require(object as? [String: Any])
        let finding = try #require((root["findings"] as? [[String: Any]])?.first)
        #expect(finding["code"] as? String == "entry-key-misspelt")
        #expect((finding["start"] as? [String: Int])?["line"] == 3)
        #expect((root["summary"] as? [String: Int])?["errors"] == 1)
    }

    @Test func gitHubPropertiesAreEscaped() {
        let text = report(misspelt).github
        #expect(
            text == "::error file=a b/t%2C1%3Ax.json,line=3,endLine=3,col=50,endColumn=61,"
                + "title=entry-key-misspelt::\"compnents\" is ignored; \"components\" was "
                + "probably meant"
                + "%0Aremedy: write \"components\"\n")
    }

    @Test func gitHubMessagesCannotBreakOut() {
        let lines = report("{\"a%\\n::error::b\": 1}").github.split(separator: "\n")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("::") })
        #expect(lines.allSatisfy { !$0.dropFirst(2).contains("%\n") })
        #expect(lines.contains { $0.contains(#"a%25\u000a\u003a:error::b"#) })
    }

    /// The parts of the official schema that this output uses, copied by hand: the schema itself
    /// cannot be fetched in a test.
    @Test func sarifHasTheRequiredParts() throws {
        let bytes = report(misspelt + "\n").sarif(version: "1.0.0")
        let object = try JSONSerialization.jsonObject(with: Data(bytes))
        let root = try #require(object as? [String: Any])
        #expect(root["version"] as? String == "2.1.0")
        let run = try #require((root["runs"] as? [[String: Any]])?.first)
        let tool = try #require(run["tool"] as? [String: Any])
        let driver = try #require(tool["driver"] as? [String: Any])
        #expect(driver["name"] as? String == "aasa lint")
        let rules = try #require(driver["rules"] as? [[String: Any]])
        let results = try #require(run["results"] as? [[String: Any]])
        for result in results {
            let index = try #require(result["ruleIndex"] as? Int)
            #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
            #expect(["none", "note", "warning", "error"].contains(result["level"] as? String))
            #expect((result["message"] as? [String: String])?["text"]?.isEmpty == false)
            let location = try #require((result["locations"] as? [[String: Any]])?.first)
            let place = try #require(location["physicalLocation"] as? [String: Any])
            let artifact = try #require(place["artifactLocation"] as? [String: String])
            // A relative reference: the colon would read as a scheme.
            #expect(artifact["uri"] == "a%20b/t,1%3Ax.json")
            let region = try #require(place["region"] as? [String: Int])
            #expect(region["startLine"] == 3 && region["startColumn"] == 50)
            #expect(region["endColumn"] == 61)
        }
    }
}
