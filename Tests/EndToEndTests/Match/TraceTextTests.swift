import Foundation
import TestSupport
import Testing

@Suite struct TraceTextTests {
    private func host() throws -> TemporaryFolder {
        let folder = try TemporaryFolder("match")
        try folder.write("example.com/host.json", #"{"order": ["D3KQX62K1A"]}"#)
        try folder.write(
            "example.com/teams/9JA89QQLNQ.json",
            #"{"applinks": {"details": [{"appIDs": ["9JA89QQLNQ.b"], "components": [{"/": "*"}]}]}}"#
        )
        try folder.write(
            "example.com/teams/D3KQX62K1A.json",
            "{\"applinks\": {\"substitutionVariables\": {\"lang\": [\"de\", \"en\"]}, \"details\": [\n"
                + "  {\"appIDs\": [\"D3KQX62K1A.a\"], \"components\": [\n"
                + "    {\"/\": \"/$(lang)/x\", \"?\": {\"q\": \"?*\"}}\n  ]}]}}")
        return folder
    }

    @Test func explainsPartByPart() throws {
        let folder = try host()
        let result = try Tool.aasa(
            ["match", folder.path("example.com"), "/en/x", "--explain", "--app", "D3KQX62K1A.a"])
        #expect(result.status == 1)
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
        #expect(text.status == 1)
        #expect(text.stdout.contains("as for D3KQX62K1A.com.example.a0:"))
        #expect(text.outputBytes.count < 2_000_000)
        let json = try Tool.aasa(["match", file, "/x", "--explain", "--format", "json"])
        let answers = try #require(
            JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [[String: Any]])
        let traces = try #require(answers.first?["traces"] as? [[[String: Any]]])
        #expect(traces.count == 2000)
        #expect(traces.first?.count == 2000)
        #expect(traces.last?.first?["sameAs"] as? String == "D3KQX62K1A.com.example.a0")
    }
}
