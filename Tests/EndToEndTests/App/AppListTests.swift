import Foundation
import TestSupport
import Testing

@Suite struct AppListTests {
    @Test func listsApps() throws {
        let site = try AppSite.make()
        let text = try Tool.aasa(["app", "list", site.path("example.com")])
        expectEqual(text.status, 0)
        expectEqual(
            text.stdout,
            "D3KQX62K1A.com.example.shop  applinks (1 rule), webcredentials  "
                + "\(site.path("example.com"))/teams/D3KQX62K1A.json\n", "\(text)")
        let json = try Tool.aasa(["app", "list", site.path("example.com"), "--format", "json"])
        let list = try #require(
            JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [[String: Any]])
        expectEqual(list.map { $0["app"] as? String }, ["D3KQX62K1A.com.example.shop"])
        #expect(list.first?["services"] as? [String] == ["applinks", "webcredentials"])
        #expect(list.first?["rules"] as? Int == 1)
    }

    @Test func findsThePrefixesOfABundle() throws {
        let site = try AppSite.make()
        try site.write(
            "example.com/teams/9JA89QQLNQ.json",
            #"{"webcredentials": {"apps": ["9JA89QQLNQ.com.example.shop", "9JA89QQLNQ.x.y"]}}"#)
        let found = try Tool.aasa([
            "app", "list", site.path("example.com"), "--bundle", "com.example.shop", "--format",
            "json",
        ])
        let list = try #require(
            JSONSerialization.jsonObject(with: Data(found.outputBytes)) as? [[String: Any]])
        expectEqual(list.compactMap { $0["prefix"] as? String }, ["9JA89QQLNQ", "D3KQX62K1A"])
        let none = try Tool.aasa(["app", "list", site.path("example.com"), "--bundle", "a.b"])
        expectEqual(none.status, 1)
    }

    @Test func oneBrokenNeighbourIsSaidAndTheOthersAreListed() throws {
        let site = try AppSite.make()
        let host = site.path("example.com")
        try site.write("example.com/teams/9JA89QQLNQ.json", "{")
        let list = try Tool.aasa(["app", "list", host])
        expectEqual(list.status, 3)
        #expect(list.stdout.hasPrefix("D3KQX62K1A.com.example.shop"), "\(list)")
        #expect(list.stderr.contains("9JA89QQLNQ.json:1:"), "\(list)")
        let removed = try Tool.aasa([
            "app", "remove", host, "D3KQX62K1A.com.example.shop", "--service", "webcredentials",
        ])
        expectEqual(removed.status, 0, "\(removed)")
        #expect(removed.stderr.contains("not checked"), "\(removed)")
    }

    @Test func aHostWithoutAppsIsSaid() throws {
        let site = try AppSite.make(##"{"applinks": {"details": []}}"##)
        let list = try AppSite.run(site, "list")
        #expect(list.status == 0 && list.stdout.isEmpty && list.stderr == "no app\n", "\(list)")
    }
}
