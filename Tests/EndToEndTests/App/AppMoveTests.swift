import Foundation
import TestSupport
import Testing

@Suite struct AppMoveTests {
    @Test func anAppChangesItsTeam() throws {
        let site = try AppSite.ofThreeTeams()
        let host = site.path("example.com")
        let moved = try Tool.aasa([
            "app", "move", host, "D3KQX62K1A.com.example.app", "9JA89QQLNQ.com.example.shop",
        ])
        expectEqual(moved.status, 0, "\(moved)")
        #expect(moved.stderr.contains("removed \(host)/teams/D3KQX62K1A.json"), "\(moved)")
        #expect(try AppSite.text(site, "9JA89QQLNQ").contains("9JA89QQLNQ.com.example.shop"))
        let match = try Tool.aasa(["match", host, "/team0/x"])
        #expect(match.stdout.contains("opens      9JA89QQLNQ.com.example.shop"), "\(match)")
        let again = try Tool.aasa([
            "app", "move", host, "D3KQX62K1A.com.example.app", "9JA89QQLNQ.com.example.shop",
        ])
        expectEqual(again.status, 1, "\(again)")
        #expect(again.stderr.contains("did you mean 9JA89QQLNQ.com.example.app?"), "\(again)")
    }

    @Test func keepsTheOldIdentifierWhereThatIsAsked() throws {
        let site = try AppSite.ofThreeTeams()
        let host = site.path("example.com")
        let moved = try Tool.aasa([
            "app", "move", host, "D3KQX62K1A.com.example.app", "9JA89QQLNQ.com.example.shop",
            "--keep", "--allow-warnings",
        ])
        expectEqual(moved.status, 0, "\(moved)")
        #expect(try AppSite.text(site, "D3KQX62K1A").contains("D3KQX62K1A.com.example.app"))
        #expect(try AppSite.text(site, "9JA89QQLNQ").contains("9JA89QQLNQ.com.example.shop"))
        let renamed = try Tool.aasa([
            "app", "move", host, "Q7LM2X9PRT.com.example.app", "Q7LM2X9PRT.com.example.new",
            "--keep",
        ])
        expectEqual(renamed.status, 0, "\(renamed)")
        #expect(renamed.stderr.contains("added Q7LM2X9PRT.com.example.new beside"), "\(renamed)")
        let alone = try Tool.aasa([
            "app", "move", host, "Q7LM2X9PRT.com.example.new", "Q7LM2X9PRT.com.example.newer",
        ])
        #expect(alone.stderr.contains("renamed Q7LM2X9PRT.com.example.new to"), "\(alone)")
        let left = try AppSite.text(site, "Q7LM2X9PRT")
        #expect(left.contains("com.example.newer\"") && !left.contains("com.example.new\""))
        #expect(left.contains("com.example.app\""))
    }

    @Test func bringsAnAppFromTheWrongFileToItsOwn() throws {
        let site = try AppSite.ofThreeTeams()
        try site.write(
            "example.com/teams/9JA89QQLNQ.json",
            ##"{"webcredentials": {"apps": ["9JA89QQLNQ.x", "D3KQX62K1A.com.example.lost"]}}"##)
        let moved = try Tool.aasa([
            "app", "move", site.path("example.com"), "D3KQX62K1A.com.example.lost",
        ])
        expectEqual(moved.status, 0, "\(moved)")
        #expect(try !AppSite.text(site, "9JA89QQLNQ").contains("lost"))
        #expect(try AppSite.text(site, "D3KQX62K1A").contains("D3KQX62K1A.com.example.lost"))
    }

    @Test(arguments: [
        (["D3KQX62K1A.com.a", "D3KQX62K1A.com.a"], "both identifiers are the same"),
        (["D3KQX62K1A.com.a", "--keep"], "--keep needs a new identifier"),
        (["com.a"], "prefix"),
    ]) func refusesWhatIsNoMove(_ arguments: [String], _ message: String) throws {
        let site = try AppSite.ofThreeTeams()
        let result = try Tool.aasa(["app", "move", site.path("example.com")] + arguments)
        #expect(result.status == 2 && result.stderr.contains(message), "\(result)")
    }
}
