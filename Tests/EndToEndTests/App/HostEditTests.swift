import Foundation
import TestSupport
import Testing

@Suite struct HostEditTests {
    @Test func editsAtOnceDoNotLoseEachOther() throws {
        let site = try AppSite.make()
        let binary = try Tool.aasa()
        let pids = try (0..<12).map { number in
            try Tool.spawn(
                binary,
                [
                    "app", "add", site.path("example.com"), "D3KQX62K1A.com.example.n\(number)",
                    "--service", "webcredentials",
                ], output: site.path("out\(number)"), errors: site.path("err\(number)"))
        }
        for pid in pids { expectEqual(Tool.wait(for: pid, timeout: .seconds(120)).status, 0) }
        let text = try AppSite.text(site)
        for number in 0..<12 { #expect(text.contains("D3KQX62K1A.com.example.n\(number)\"")) }
        let left = try FileManager.default.contentsOfDirectory(
            atPath: site.path("example.com/teams"))
        expectEqual(left, ["D3KQX62K1A.json"])
    }

    @Test func leavesReadyMadeFilesAlone() throws {
        let folder = try TemporaryFolder("app")
        try folder.write("example.com/apple-app-site-association", AppSite.fragment)
        let result = try Tool.aasa([
            "app", "remove", folder.path("example.com"), "D3KQX62K1A.com.example.shop",
        ])
        expectEqual(result.status, 3)
        #expect(result.stderr.contains("ready-made"), "\(result)")
        try expectEqual(Tool.aasa(["app", "list", folder.path("example.com")]).status, 0)
    }

    @Test func aDocumentThatIsTooLargeCanBeMadeSmaller() throws {
        let site = try AppSite.ofThreeTeams()
        let paths = (0..<6_000).map { "{\"/\": \"/a-long-enough-path-\($0)\"}" }
        let apps = ["com.example.app", "com.example.other"].map { app in
            "{\"appIDs\": [\"D3KQX62K1A.\(app)\"], \"components\": ["
                + paths.joined(separator: ",") + "]}"
        }
        try site.write(
            "example.com/teams/D3KQX62K1A.json",
            "{\"applinks\": {\"details\": [" + apps.joined(separator: ",") + "]}}")
        let result = try Tool.aasa([
            "app", "remove", site.path("example.com"), "D3KQX62K1A.com.example.other",
        ])
        expectEqual(result.status, 0, "\(result)")
        let more = try Tool.aasa([
            "app", "add", site.path("example.com"), "9JA89QQLNQ.com.example.app", "--path", "/q#",
        ])
        expectEqual(more.status, 1, "\(more)")
    }

    @Test func saysWhatItWouldHaveDone() throws {
        let site = try AppSite.make()
        let dry = try AppSite.run(
            site, "add", AppSite.app, "--path", "/sell/*", "--dry-run")
        #expect(dry.status == 0 && dry.stderr.contains("would have added"), "\(dry)")
        #expect(dry.stdout.contains("/sell/*"), "\(dry)")
        try expectEqual(AppSite.text(site), AppSite.fragment)
    }

    /// The file of another team keeps the host from being served, and no other edit from its file.
    @Test func saysWhatKeepsTheHostFromBeingServed() throws {
        let site = try AppSite.make()
        try site.write("example.com/teams/Q7W2M8TR4Z.json", "{")
        let result = try AppSite.run(site, "add", AppSite.app, "--path", "/sell/*")
        #expect(result.status == 0 && result.stderr.contains("added"), "\(result)")
        #expect(result.stderr.contains("not served as its files are: "), "\(result)")
        #expect(result.stderr.contains("teams/Q7W2M8TR4Z.json"), "\(result)")
    }

    /// What the host serves is not known then, and a fragment beside it may be one too many.
    @Test(arguments: ["apple-app-site-association", "host.json"])
    func aHostWhoseFilesCannotBeReadIsLeftAlone(_ name: String) throws {
        let folder = try TemporaryFolder("app")
        try folder.write("example.com/\(name)", String(repeating: " ", count: 1_100_000))
        let result = try AppSite.run(folder, "add", AppSite.app, "--path", "/new")
        expectEqual(result.status, 3, "\(result)")
        #expect(result.stderr.contains("example.com/\(name): "), "\(result)")
        try expectEqual(
            FileManager.default.contentsOfDirectory(atPath: folder.path("example.com")),
            [name])
    }

    /// Neither is read then, so that a team's file looked as if it were not there.
    @Test func fragmentsBesideAReadyMadeDocumentAreLeftAlone() throws {
        let site = try AppSite.make()
        try site.write("example.com/apple-app-site-association", AppSite.fragment)
        let result = try AppSite.run(site, "add", AppSite.app, "--path", "/new")
        expectEqual(result.status, 3, "\(result)")
        try expectEqual(AppSite.text(site), AppSite.fragment)
    }
}
