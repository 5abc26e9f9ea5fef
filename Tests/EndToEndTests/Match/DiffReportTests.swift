import Foundation
import TestSupport
import Testing

@Suite struct DiffReportTests {
    private static let one =
        #"{"applinks": {"details": [{"appIDs": ["D3KQX62K1A.a"], "components": [{"/": "/x"}]}]}}"#
    private static let two =
        #"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.a"],"components":[{"/":"/x"},"#
        + #"{"/":"/y"}]}]}}"#

    @Test func answersInJSON() throws {
        let folder = try TemporaryFolder("diff")
        let a = try folder.write("a.json", Self.one)
        let result = try Tool.aasa(
            ["diff", a, "-", "--format", "json"], stdin: Array(Self.two.utf8))
        expectEqual(result.status, 1)
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [String: Any])
        let changes = try #require(report["changes"] as? [[String: Any]])
        expectEqual(changes.map { $0["kind"] as? String }, ["rule-added"])
        #expect(changes.first?["apps"] as? [String] == ["D3KQX62K1A.a"])
        #expect((changes.first?["after"] as? [String: Any])?["index"] as? Int == 1)
        #expect(report["after"] as? String == "-")
    }

    @Test func pointsToTheTeamsFileAndShowsWhatMoves() throws {
        let folder = try TemporaryFolder("diff")
        let old = try folder.write("a.json", Self.one)
        try folder.write("example.com/teams/D3KQX62K1A.json", Self.one)
        let new = try folder.write(
            "example.com/teams/9JA89QQLNQ.json",
            "{\n \"applinks\": {\"details\": [\n  {\"appIDs\": [\"9JA89QQLNQ.b\"], "
                + "\"components\": [{\"/\": \"*\"}]}]}}")
        let links = try folder.write("links.csv", "/x,D3KQX62K1A.a\n/elsewhere,none\n")
        let result = try Tool.aasa([
            "diff", old, folder.path("example.com"), "--samples", "--links", links,
        ])
        expectEqual(result.status, 1)
        #expect(
            result.stdout.contains("rule {} (takes EVERY URL) of 9JA89QQLNQ.b  (\(new):3:"),
            "\(result)")
        #expect(result.stdout.contains("/x  D3KQX62K1A.a -> 9JA89QQLNQ.b\n"), "\(result)")
        #expect(
            result.stdout.contains("/x  D3KQX62K1A.a -> 9JA89QQLNQ.b  FAIL"), "\(result)")
        let json = try Tool.aasa([
            "diff", old, folder.path("example.com"), "--links", links, "--format", "json",
        ])
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [String: Any])
        expectEqual((report["links"] as? [[String: Any]])?.count, 2)
    }
}
