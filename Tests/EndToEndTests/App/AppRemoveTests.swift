import Foundation
import TestSupport
import Testing

@Suite struct AppRemoveTests {
    @Test func changesNothingOnADryRun() throws {
        let site = try AppSite.make()
        let result = try Tool.aasa([
            "app", "remove", site.path("example.com"), "D3KQX62K1A.com.example.shop", "--service",
            "webcredentials", "--dry-run",
        ])
        expectEqual(result.status, 0)
        #expect(!result.stdout.contains("webcredentials"))
        #expect(result.stdout.contains("/buy/*"))
        try expectEqual(AppSite.text(site), AppSite.fragment)
    }

    @Test func theLastAppOfATeamTakesTheFileWithIt() throws {
        let site = try AppSite.make()
        let host = site.path("example.com")
        try site.write(
            "example.com/teams/9JA89QQLNQ.json",
            #"{"webcredentials": {"apps": ["9JA89QQLNQ.com.example.news"]}}"#)
        try site.write("example.com/host.json", #"{"order": ["9JA89QQLNQ", "D3KQX62K1A"]}"#)
        let removed = try Tool.aasa(["app", "remove", host, "9JA89QQLNQ.com.example.news"])
        expectEqual(removed.status, 0, "\(removed)")
        #expect(removed.stderr.contains("removed \(host)/teams/9JA89QQLNQ.json"), "\(removed)")
        #expect(!FileManager.default.fileExists(atPath: "\(host)/teams/9JA89QQLNQ.json"))

        expectEqual(
            String(decoding: try site.read("example.com/host.json"), as: UTF8.self),
            #"{"order": ["D3KQX62K1A"]}"#)

        let last = try Tool.aasa(["app", "remove", host, "D3KQX62K1A.com.example.shop"])
        expectEqual(last.status, 0, "\(last)")
        #expect(last.stderr.contains("kept \(host)/teams/D3KQX62K1A.json"), "\(last)")
        let build = try Tool.aasa(["build", host])
        expectEqual(build.status, 0, "\(build)")
        expectEqual(build.stdout, #"{"applinks":{"details":[]}}"#)
        let again = try Tool.aasa([
            "app", "add", host, "D3KQX62K1A.com.example.shop", "--path", "/buy/*",
        ])
        expectEqual(again.status, 0, "\(again)")
    }

    @Test func takesAnAppOutOfTheFilesThatListIt() throws {
        let site = try AppSite.make()
        try site.write(
            "example.com/teams/9JA89QQLNQ.json",
            ##"{"webcredentials": {"apps": ["\##(AppSite.app)", "9JA89QQLNQ.x"]}}"##)
        // Only the file of another team has the service: the own one is left alone.
        let removed = try AppSite.run(site, "remove", AppSite.app, "--service", "webcredentials")
        expectEqual(removed.status, 0, "\(removed)")
        #expect(try !AppSite.text(site, "9JA89QQLNQ").contains(AppSite.app))
        #expect(try !AppSite.text(site).contains("webcredentials"))
        #expect(try AppSite.text(site).contains("/buy/*"))
    }

    @Test func anAppThatIsNotThereIsSaid() throws {
        let site = try AppSite.make()
        let gone = try AppSite.run(site, "remove", "D3KQX62K1A.com.example.shob")
        #expect(gone.status == 1 && gone.stderr.contains("did you mean"), "\(gone)")
        let nothing = try AppSite.run(site, "remove")
        #expect(nothing.status == 2 && nothing.stderr.contains("name the app"), "\(nothing)")
        try expectEqual(AppSite.text(site), AppSite.fragment)
    }
}
