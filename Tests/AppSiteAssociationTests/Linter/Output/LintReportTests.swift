import AppSiteAssociation
import Foundation
import TestSupport
import Testing

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

    @Test func summaries() {
        expectEqual(
            LintReport(findings: [], documents: 2).summary, "2 documents checked, nothing found"
        )
        let found = report("{\"x\": 1, \"webcredentials\": {\"apps\": []}}")
        expectEqual(found.summary, "1 warning and 1 note in 1 of 1 document")
        #expect(found.has(.warning) && !found.has(.error))
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
            expectEqual((result["message"] as? [String: String])?["text"]?.isEmpty, false)
            let location = try #require((result["locations"] as? [[String: Any]])?.first)
            let place = try #require(location["physicalLocation"] as? [String: Any])
            let artifact = try #require(place["artifactLocation"] as? [String: String])
            // A relative reference: the colon would read as a scheme.
            expectEqual(artifact["uri"], "a%20b/t,1%3Ax.json")
            let region = try #require(place["region"] as? [String: Int])
            #expect(region["startLine"] == 3 && region["startColumn"] == 50)
            expectEqual(region["endColumn"], 61)
        }
    }
}
