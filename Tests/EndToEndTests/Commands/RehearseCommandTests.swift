import Foundation
import TestSupport
import Testing

@Suite struct RehearseCommandTests {
    @Test func rehearsesAStory() throws {
        let server = try ServerProcess(try SampleSite())
        let folder = try TemporaryFolder("rehearse")
        let story = try folder.write(
            "story.json",
            """
            {"app": "\(SampleSite.teams[1]).com.example.app", "era": "ios13",
             "domains": ["webcredentials:example.com"],
             "accounts": [{"account": "ada", "password": "lovelace"}],
             "safari": [{"account": "ada", "password": "lovelace"}],
             "steps": [{"do": "log-in", "user": {"picks": "ada"}, "expect": "logged-in"},
                       {"do": "request", "site": "other.example", "expect": "not-associated"}]}
            """)
        let result = try Tool.aasa(
            ["device", "rehearse", story] + CheckCommandTests.options(server))
        expectEqual(result.status, 0, "\(result)")
        let bad = try Tool.aasa(["device", "rehearse", try folder.write("bad.json", "{}")])
        expectEqual(bad.status, 3)
        let help = try Tool.aasa(["device", "rehearse", "--words"])
        #expect(help.stdout.contains("delete-app") && help.stdout.contains("declined"))
        try expectEqual(Tool.aasa(["device", "rehearse"]).status, 2)
    }

    @Test func anOutcomeThatWasNotExpectedIsAFinding() throws {
        let server = try ServerProcess(try SampleSite())
        let folder = try TemporaryFolder("rehearse")
        func play(_ expected: String) throws -> (status: Int32, report: [String: Any]) {
            let story = try folder.write(
                "story.json",
                """
                {"app": "\(SampleSite.teams[1]).com.example.app", "era": "ios13",
                 "domains": ["webcredentials:example.com"],
                 "steps": [{"do": "change-site", "status": 404},
                           {"do": "relaunch", "expect": "\(expected)"}]}
                """)
            let result = try Tool.aasa(
                ["device", "rehearse", story] + CheckCommandTests.options(server))
            let object = try JSONSerialization.jsonObject(with: Data(result.outputBytes))
            return (result.status, try #require(object as? [String: Any], "\(result)"))
        }
        // Only an install or an update asks: the association stays.
        let good = try play("associated")
        #expect(good.status == 0 && good.report["good"] as? Bool == true, "\(good)")
        let bad = try play("not-associated")
        #expect(bad.status == 1 && bad.report["good"] as? Bool == false, "\(bad)")
        let outcomes = try #require(bad.report["outcomes"] as? [[String: Any]])
        #expect(outcomes.last?["outcome"] as? String == "associated")
        #expect(outcomes.last?["expected"] as? String == "not-associated")
    }

    @Test func aStoryThatSaysAnUnknownWordIsRefusedAtItsPlace() throws {
        let folder = try TemporaryFolder("rehearse")
        let story = try folder.write(
            "story.json",
            ##"{"app": "D3KQX62K1A.a", "domains": ["webcredentials:e.com"],\n "stepps": []}"##
                .replacingOccurrences(of: "\\n", with: "\n"))
        let result = try Tool.aasa(["device", "rehearse", story])
        #expect(result.status == 3 && result.stderr.contains("story.json:2:"), "\(result)")
        #expect(result.stderr.contains("fix: aasa device rehearse --words"), "\(result)")
    }
}
