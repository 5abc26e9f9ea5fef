import Foundation
import Reactor
import TestSupport
import Testing

@Suite struct AppAddTests {
    @Test func addsAndRemovesAndLeavesTheRestAlone() throws {
        let site = try AppSite.make()
        let host = site.path("example.com")
        let added = try Tool.aasa([
            "app", "add", host, "D3KQX62K1A.com.example.beta", "--like",
            "D3KQX62K1A.com.example.shop", "--service", "webcredentials",
        ])
        expectEqual(added.status, 0, "\(added)")
        let text = try AppSite.text(site)
        expectEqual(
            text,
            AppSite.fragment.replacingOccurrences(
                of: #"["D3KQX62K1A.com.example.shop"]"#,
                with: #"["D3KQX62K1A.com.example.shop", "D3KQX62K1A.com.example.beta"]"#))
        let removed = try Tool.aasa(["app", "remove", host, "D3KQX62K1A.com.example.beta"])
        expectEqual(removed.status, 0, "\(removed)")
        try expectEqual(AppSite.text(site), AppSite.fragment)
    }

    @Test func makesTheFragmentOfANewTeam() throws {
        let site = try AppSite.make()
        let result = try Tool.aasa([
            "app", "add", site.path("example.com"), "9JA89QQLNQ.com.example.news", "--path",
            "NOT /news/old/*", "--path", "/news/*", "--new-team",
        ])
        expectEqual(result.status, 0, "\(result)")
        try expectEqual(
            AppSite.text(site, "9JA89QQLNQ"),
            """
            {
              "applinks": {
                "details": [
                  {
                    "appIDs": ["9JA89QQLNQ.com.example.news"],
                    "components": [
                      {"/": "/news/old/*", "exclude": true},
                      {"/": "/news/*"}
                    ]
                  }
                ]
              }
            }

            """)
    }

    /// It would be listed in two files, from where nothing can move it.
    @Test func anAppInTheFileOfAnotherTeamIsNotAddedOnceMore() throws {
        let site = try AppSite.make()
        let other = AppSite.fragment.replacingOccurrences(
            of: "D3KQX62K1A.com.example.shop", with: "D3KQX62K1A.com.example.stray")
        try site.write("example.com/teams/9JA89QQLNQ.json", other)
        let host = site.path("example.com")
        let app = "D3KQX62K1A.com.example.stray"
        let result = try Tool.aasa(["app", "add", host, app, "--service", "webcredentials"])
        expectEqual(result.status, 1, "\(result)")
        #expect(result.stderr.contains("listed in the file of team 9JA89QQLNQ"), "\(result)")
        #expect(result.stderr.contains("aasa app move \(host) \(app)"), "\(result)")
        try expectEqual(Tool.aasa(["app", "move", host, app]).status, 0)
        let again = try Tool.aasa(["app", "add", host, app, "--path", "/stray/*"])
        expectEqual(again.status, 0, "\(again)")
    }

    /// One that is suspended may never end.
    @Test func aTrialWaitsForNoOtherEdit() throws {
        let site = try AppSite.make()
        let host = site.path("example.com")
        try Files.locked("\(host)/teams") {
            let trial = try Tool.aasa([
                "app", "add", host, "D3KQX62K1A.com.example.beta", "--service", "webcredentials",
                "--dry-run",
            ])
            expectEqual(trial.status, 0, "\(trial)")
        }
    }

    @Test func refusesWhatCouldNotBePublished() throws {
        let site = try AppSite.make()
        let result = try Tool.aasa([
            "app", "add", site.path("example.com"), "D3KQX62K1A.com.example.new", "--path", "/a#b",
        ])
        expectEqual(result.status, 1)
        #expect(result.stderr.contains("not changed"), "\(result)")
        try expectEqual(AppSite.text(site), AppSite.fragment)
    }

    @Test func putsANewRuleInFrontOfTheOneThatWouldDecide() throws {
        let site = try AppSite.make()
        let added = try AppSite.run(
            site, "add", AppSite.app, "--path", "NOT /buy/old/*", "--component",
            ##"{"/": "/sell/*", "?": {"q": "?*"}}"##)
        expectEqual(added.status, 0, "\(added)")
        let rules = try AppSite.run(site, "list", "--rules").stdout.split(separator: "\n")
        expectEqual(
            rules.dropFirst(), ["  1  NOT /buy/old/*", "  2  /buy/*", "  3  /sell/* ?q=?*"],
            "\(rules)")
        let first = try AppSite.run(
            site, "add", AppSite.app, "--path", "/first", "--at", "1", "--comment", "why")
        expectEqual(first.status, 0, "\(first)")
        #expect(try AppSite.text(site).contains(##"{"/": "/first", "comment": "why"}"##))
        #expect(try AppSite.run(site, "list", "--rules").stdout.contains("  1  /first\n"))
    }

    @Test func aPathOpensWhateverDefaultsSay() throws {
        let site = try AppSite.make(
            #"{"applinks":{"defaults":{"exclude":true},"details":[{"appIDs":["#
                + #""D3KQX62K1A.com.example.shop"],"components":[{"/":"/b/*"},"#
                + #"{"/":"/c","exclude":false}]}]}}"#)
        let added = try AppSite.run(site, "add", AppSite.app, "--path", "/b/c")
        expectEqual(added.status, 0, "\(added)")
        #expect(try AppSite.text(site).contains(#"[{"/":"/b/c","exclude":false},{"/":"/b/*"}"#))
        let match = try Tool.aasa(["match", site.path("example.com"), "/b/c"])
        #expect(match.stdout.contains("opens      \(AppSite.app)"), "\(match)")
    }

    @Test func addsAnAndroidAppAndAnOriginBesideAnApp() throws {
        let site = try AppSite.make()
        let print = Array(repeating: "AB", count: 31).joined(separator: ":") + ":CD"
        let added = try AppSite.run(
            site, "add", AppSite.app + ".Clip", "--service", "appclips", "--android",
            "com.example.shop",
            "--fingerprint", print, "--origin", "https://a.example")
        expectEqual(added.status, 0, "\(added)")
        #expect(
            added.stderr.contains(
                "added \(AppSite.app).Clip to appclips and com.example.shop to assetlinks.json and "
                    + "https://a.example to webauthn"), "\(added)")
        let links = try site.read("example.com/teams/\(AppSite.team).assetlinks.json")
        let text = String(decoding: links, as: UTF8.self)
        #expect(text.contains(print) && text.contains("delegate_permission/common.handle_all_urls"))
    }

    @Test(arguments: [
        (["--path", "/a", "--like", "D3KQX62K1A.b"], "give either --path or --like"),
        (["--component", "{}", "--comment", "x"], "put the rest into it"),
        (["--component", "{"], "--component"),
        (["--service", "appclips", "--android", "com.a"], "go together"),
        (
            ["--service", "appclips", "--origin", "https://a.example", "--team", "x"],
            "is not a team"
        ),
    ]) func refusesWhatContradictsItself(_ more: [String], _ message: String) throws {
        let site = try AppSite.make()
        let result = try Tool.aasa(
            ["app", "add", site.path("example.com"), "D3KQX62K1A.com.a"] + more)
        #expect(result.status == 2 && result.stderr.contains(message), "\(result)")
        try expectEqual(AppSite.text(site), AppSite.fragment)
    }
}
