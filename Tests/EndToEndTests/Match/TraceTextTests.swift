import Foundation
import TestSupport
import Testing

@Suite struct TraceTextTests {
    @Test func explainsPartByPart() throws {
        let folder = try MatchSite.ofTwoTeams()
        let result = try Tool.aasa(
            ["match", folder.path("example.com"), "/en/x", "--explain", "--app", "D3KQX62K1A.a"])
        expectEqual(result.status, 1)
        #expect(result.stdout.contains("ok  path: \"/en/x\" against \"/$(lang)/x\""), "\(result)")
        #expect(result.stdout.contains("no  query item q: \"\" against \"?*\""), "\(result)")
    }

    /// Two thousand apps that share two thousand rules: four million lines, without a bound.
    @Test func explainsASharedEntryOnce() throws {
        let folder = try TemporaryFolder("match")
        let apps = (0..<2000).map { "\"D3KQX62K1A.com.example.a\($0)\"" }.joined(separator: ",")
        let rules = (0..<2000).map { "{\"/\":\"/p\($0)/*\"}" }.joined(separator: ",")
        let file = try folder.write(
            "file.json",
            "{\"applinks\":{\"details\":[{\"appIDs\":[\(apps)],\"components\":[\(rules)]}]}}")
        let text = try Tool.aasa(["match", file, "/x", "--explain"])
        expectEqual(text.status, 1)
        #expect(text.stdout.contains("as for D3KQX62K1A.com.example.a0:"))
        #expect(text.outputBytes.count < 2_000_000)
        let json = try Tool.aasa(["match", file, "/x", "--explain", "--format", "json"])
        let answers = try #require(
            JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [[String: Any]])
        let traces = try #require(answers.first?["traces"] as? [[[String: Any]]])
        expectEqual(traces.count, 2000)
        expectEqual(traces.first?.count, 2000)
        #expect(traces.last?.first?["sameAs"] as? String == "D3KQX62K1A.com.example.a0")
    }
}
