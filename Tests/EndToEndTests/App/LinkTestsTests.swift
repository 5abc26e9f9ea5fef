import Foundation
import TestSupport
import Testing

@Suite struct LinkTestsTests {
    @Test func aChangeThatTakesAnothersLinkIsRefused() throws {
        let site = try AppSite.ofThreeTeams()
        let host = site.path("example.com")
        try site.write(
            "example.com/teams/D3KQX62K1A.links.csv",
            "url,app\nhttps://example.com/team0/x,D3KQX62K1A.com.example.app\n/none,none\n")
        try expectEqual(Tool.aasa(["lint", host]).status, 0)
        let taking = [
            "app", "add", host, "Q7LM2X9PRT.com.example.grab", "--path", "/*/x", "--allow-warnings",
        ]
        let refused = try Tool.aasa(taking)
        expectEqual(refused.status, 1, "\(refused)")
        #expect(refused.stderr.contains("D3KQX62K1A.links.csv:2:1"), "\(refused)")
        #expect(refused.stderr.contains("[link-test-failed]"), "\(refused)")
        try site.write("example.com/teams/D3KQX62K1A.links.csv", "/team0/x,none\n")
        let lint = try Tool.aasa(["lint", host])
        expectEqual(lint.status, 1, "\(lint)")
        #expect(lint.stdout.contains("it opens D3KQX62K1A.com.example.app"), "\(lint)")
    }

    @Test func aTestThatWouldFailIsNamedAsTheReason() throws {
        let site = try AppSite.ofThreeTeams()
        try site.write(
            "example.com/teams/Q7LM2X9PRT.links.csv", "/team2/1,Q7LM2X9PRT.com.example.app\n")
        let result = try Tool.aasa([
            "app", "remove", site.path("example.com"), "Q7LM2X9PRT.com.example.app",
        ])
        expectEqual(result.status, 1)
        #expect(result.stderr.contains("not changed: link tests would fail"), "\(result)")
    }
}
