import Foundation
import TestSupport
import Testing

@Suite struct LinkReportTests {
    @Test func runsTestsForLinks() throws {
        let folder = try MatchSite.ofTwoTeams()
        let good = try folder.write("good.csv", "/de/x?q=1,D3KQX62K1A.a\n/other,9JA89QQLNQ.b\n")
        let host = folder.path("example.com")
        let passed = try Tool.aasa(["match", host, "--expect", good])
        expectEqual(passed.status, 0, "\(passed)")
        expectEqual(passed.stdout, "2 of 2 tests passed\n")
        let bad = try folder.write("bad.json", #"[{"url": "/de/x?q=1", "app": "9JA89QQLNQ.b"}]"#)
        let failed = try Tool.aasa(["match", host, "--expect", bad])
        expectEqual(failed.status, 1)
        #expect(failed.stdout.contains("D3KQX62K1A.a of another team opens it"), "\(failed)")
        let json = try Tool.aasa(["match", host, "--expect", bad, "--format", "json"])
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [String: Any])
        #expect(report["failed"] as? Int == 1)
        try expectEqual(Tool.aasa(["match", host]).status, 2)
        try expectEqual(Tool.aasa(["match", host, "/x", "--expect", good]).status, 2)
        let broken = try folder.write("broken.csv", "/x\n")
        try expectEqual(Tool.aasa(["match", host, "--expect", broken]).status, 1)
    }
}
