// Covers: AppListing.swift, FileReplacement.swift, HostEdit.swift, HostFiles.swift
// Covers: HostInput.swift, AppAdd.swift, AppList.swift, AppRemove.swift

import Foundation
import TestSupport
import Testing

@Suite struct AppCommandTests {
    private static let team = "D3KQX62K1A"
    private static let fragment = """
        {
            "applinks": {
                "details": [
                    { "appIDs": ["D3KQX62K1A.com.example.shop"], "components": [{ "/": "/buy/*" }] }
                ]
            },
            "webcredentials": { "apps": ["D3KQX62K1A.com.example.shop"] }
        }

        """

    private func site() throws -> TemporaryFolder {
        let folder = try TemporaryFolder("app")
        try folder.write("example.com/teams/\(Self.team).json", Self.fragment)
        return folder
    }

    private func fragment(_ site: TemporaryFolder, _ team: String = Self.team) throws -> String {
        String(decoding: try site.read("example.com/teams/\(team).json"), as: UTF8.self)
    }

    @Test func listsApps() throws {
        let site = try site()
        let text = try Tool.aasa(["app", "list", site.path("example.com")])
        #expect(text.status == 0)
        #expect(
            text.stdout
                == "D3KQX62K1A.com.example.shop  applinks (1 rule), webcredentials  "
                + "\(site.path("example.com"))/teams/D3KQX62K1A.json\n", "\(text)")
        let json = try Tool.aasa(["app", "list", site.path("example.com"), "--format", "json"])
        let list = try #require(
            JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [[String: Any]])
        #expect(list.map { $0["app"] as? String } == ["D3KQX62K1A.com.example.shop"])
        #expect(list.first?["services"] as? [String] == ["applinks", "webcredentials"])
        #expect(list.first?["rules"] as? Int == 1)
    }

    @Test func addsAndRemovesAndLeavesTheRestAlone() throws {
        let site = try site()
        let host = site.path("example.com")
        let added = try Tool.aasa([
            "app", "add", host, "D3KQX62K1A.com.example.beta", "--like",
            "D3KQX62K1A.com.example.shop", "--service", "webcredentials",
        ])
        #expect(added.status == 0, "\(added)")
        let text = try fragment(site)
        #expect(
            text
                == Self.fragment.replacingOccurrences(
                    of: #"["D3KQX62K1A.com.example.shop"]"#,
                    with: #"["D3KQX62K1A.com.example.shop", "D3KQX62K1A.com.example.beta"]"#))
        let removed = try Tool.aasa(["app", "remove", host, "D3KQX62K1A.com.example.beta"])
        #expect(removed.status == 0, "\(removed)")
        #expect(try fragment(site) == Self.fragment)
    }

    @Test func makesTheFragmentOfANewTeam() throws {
        let site = try site()
        let result = try Tool.aasa([
            "app", "add", site.path("example.com"), "9JA89QQLNQ.com.example.news", "--path",
            "NOT /news/old/*", "--path", "/news/*", "--new-team",
        ])
        #expect(result.status == 0, "\(result)")
        #expect(
            try fragment(site, "9JA89QQLNQ") == """
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

    @Test func changesNothingOnADryRun() throws {
        let site = try site()
        let result = try Tool.aasa([
            "app", "remove", site.path("example.com"), "D3KQX62K1A.com.example.shop", "--service",
            "webcredentials", "--dry-run",
        ])
        #expect(result.status == 0)
        #expect(!result.stdout.contains("webcredentials"))
        #expect(result.stdout.contains("/buy/*"))
        #expect(try fragment(site) == Self.fragment)
    }

    @Test func refusesWhatCouldNotBePublished() throws {
        let site = try site()
        let result = try Tool.aasa([
            "app", "add", site.path("example.com"), "D3KQX62K1A.com.example.new", "--path", "/a#b",
        ])
        #expect(result.status == 1)
        #expect(result.stderr.contains("not changed"), "\(result)")
        #expect(try fragment(site) == Self.fragment)
    }

    @Test(arguments: [
        (
            ["add", "HOST", "com.example.app", "--service", "appclips"], Int32(2),
            "prefix is missing"
        ),
        (["add", "HOST", "D3KQX62K1A.com.a"], 2, "say what for"),
        (["add", "HOST", "D3KQX62K1A.com.a", "--service", "applinks"], 2, "needs rules"),
        (["add", "HOST", "D3KQX62K1A.com.a", "--service", "links"], 2, "is no service"),
        (["add", "HOST", "D3KQX62K1A.com.a", "--path", "buy"], 2, "begins with a slash"),
        (
            ["add", "HOST", "D3KQX62K1A.com.a", "--like", "D3KQX62K1A.com.b"], 1,
            "no universal links"
        ),
        (
            ["add", "HOST", "D3KQX62K1A.com.example.shop", "--service", "webcredentials"], 1,
            "already"
        ),
        (["remove", "HOST", "D3KQX62K1A.com.a"], 1, "listed nowhere"),
        (
            ["remove", "HOST", "D3KQX62K1A.com.example.shop", "--service", "appclips"], 1,
            "not listed"
        ),
        (["list", "HOST/missing"], 3, "no such folder"), (["rename", "HOST"], 2, "unexpected"),
    ]) func saysWhatIsWrong(_ arguments: [String], _ status: Int32, _ message: String) throws {
        let site = try site()
        let result = try Tool.aasa(
            ["app"]
                + arguments.map {
                    $0.replacingOccurrences(of: "HOST", with: site.path("example.com"))
                })
        #expect(result.status == status, "\(result)")
        #expect(result.stderr.contains(message), "\(result)")
        #expect(try fragment(site) == Self.fragment)
    }

    @Test func editsAtOnceDoNotLoseEachOther() throws {
        let site = try site()
        let binary = try Tool.aasa()
        let pids = try (0..<12).map { number in
            try Tool.spawn(
                binary,
                [
                    "app", "add", site.path("example.com"), "D3KQX62K1A.com.example.n\(number)",
                    "--service", "webcredentials",
                ], output: site.path("out\(number)"), errors: site.path("err\(number)"))
        }
        for pid in pids { #expect(Tool.wait(for: pid, timeout: .seconds(120)).status == 0) }
        let text = try fragment(site)
        for number in 0..<12 { #expect(text.contains("D3KQX62K1A.com.example.n\(number)\"")) }
        let left = try FileManager.default.contentsOfDirectory(
            atPath: site.path("example.com/teams"))
        #expect(left == ["D3KQX62K1A.json"])
    }

    @Test func keepsModesAndFollowsLinks() throws {
        let folder = try TemporaryFolder("app")
        let real = try folder.write("example.com/shared.txt", Self.fragment)
        try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: real)
        try folder.makeFolder("example.com/teams")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("example.com/teams/\(Self.team).json"),
            withDestinationPath: "../shared.txt")
        let result = try Tool.aasa([
            "app", "remove", folder.path("example.com"), "D3KQX62K1A.com.example.shop", "--service",
            "webcredentials",
        ])
        #expect(result.status == 0, "\(result)")
        let attributes = try FileManager.default.attributesOfItem(atPath: real)
        #expect(attributes[.posixPermissions] as? Int == 0o604)
        #expect(try !folder.read("example.com/shared.txt").isEmpty)
        let link = try FileManager.default.destinationOfSymbolicLink(
            atPath: folder.path("example.com/teams/\(Self.team).json"))
        #expect(link == "../shared.txt")
    }

    @Test func aTypoInThePrefixStartsNoTeam() throws {
        let site = try site()
        let result = try Tool.aasa([
            "app", "add", site.path("example.com"), "D3KQX62K1B.com.example.shop", "--service",
            "webcredentials",
        ])
        #expect(result.status == 2)
        #expect(result.stderr.contains("did you mean D3KQX62K1A?"), "\(result)")
        #expect(result.stderr.contains("--new-team"), "\(result)")
        let left = try FileManager.default.contentsOfDirectory(
            atPath: site.path("example.com/teams"))
        #expect(left == ["D3KQX62K1A.json"])
    }

    @Test func namesTheHostsOfASite() throws {
        let site = try site()
        for arguments in [["list"], ["add"], ["remove"]] {
            let rest =
                arguments == ["list"] ? [] : ["D3KQX62K1A.com.example.shop"]
            let more = arguments == ["add"] ? ["--service", "appclips"] : []
            let result = try Tool.aasa(["app"] + arguments + [site.path("")] + rest + more)
            #expect(result.status == 2, "\(result)")
            #expect(result.stderr.contains("its hosts are example.com"), "\(result)")
        }
        let inside = try Tool.aasa(["app", "list", site.path("example.com/teams")])
        #expect(inside.status == 2, "\(inside)")
        #expect(!FileManager.default.fileExists(atPath: site.path("teams")))
    }

    @Test func theLastAppOfATeamTakesTheFileWithIt() throws {
        let site = try site()
        let host = site.path("example.com")
        try site.write(
            "example.com/teams/9JA89QQLNQ.json",
            #"{"webcredentials": {"apps": ["9JA89QQLNQ.com.example.news"]}}"#)
        let removed = try Tool.aasa(["app", "remove", host, "9JA89QQLNQ.com.example.news"])
        #expect(removed.status == 0, "\(removed)")
        #expect(removed.stderr.contains("removed \(host)/teams/9JA89QQLNQ.json"), "\(removed)")
        #expect(!FileManager.default.fileExists(atPath: "\(host)/teams/9JA89QQLNQ.json"))

        let last = try Tool.aasa(["app", "remove", host, "D3KQX62K1A.com.example.shop"])
        #expect(last.status == 0, "\(last)")
        #expect(last.stderr.contains("kept \(host)/teams/D3KQX62K1A.json"), "\(last)")
        let build = try Tool.aasa(["build", host])
        #expect(build.status == 0, "\(build)")
        #expect(build.stdout == #"{"applinks":{"details":[]}}"#)
        let again = try Tool.aasa([
            "app", "add", host, "D3KQX62K1A.com.example.shop", "--path", "/buy/*",
        ])
        #expect(again.status == 0, "\(again)")
    }

    @Test func oneBrokenNeighbourIsSaidAndTheOthersAreListed() throws {
        let site = try site()
        let host = site.path("example.com")
        try site.write("example.com/teams/9JA89QQLNQ.json", "{")
        let list = try Tool.aasa(["app", "list", host])
        #expect(list.status == 3)
        #expect(list.stdout.hasPrefix("D3KQX62K1A.com.example.shop"), "\(list)")
        #expect(list.stderr.contains("9JA89QQLNQ.json:1:"), "\(list)")
        let removed = try Tool.aasa([
            "app", "remove", host, "D3KQX62K1A.com.example.shop", "--service", "webcredentials",
        ])
        #expect(removed.status == 0, "\(removed)")
        #expect(removed.stderr.contains("not looked at"), "\(removed)")
    }

    @Test func findsThePrefixesOfABundle() throws {
        let site = try site()
        try site.write(
            "example.com/teams/9JA89QQLNQ.json",
            #"{"webcredentials": {"apps": ["9JA89QQLNQ.com.example.shop", "9JA89QQLNQ.x.y"]}}"#)
        let found = try Tool.aasa([
            "app", "list", site.path("example.com"), "--bundle", "com.example.shop", "--format",
            "json",
        ])
        let list = try #require(
            JSONSerialization.jsonObject(with: Data(found.outputBytes)) as? [[String: Any]])
        #expect(list.compactMap { $0["prefix"] as? String } == ["9JA89QQLNQ", "D3KQX62K1A"])
        let none = try Tool.aasa(["app", "list", site.path("example.com"), "--bundle", "a.b"])
        #expect(none.status == 1)
    }

    @Test func leavesReadyMadeFilesAlone() throws {
        let folder = try TemporaryFolder("app")
        try folder.write("example.com/apple-app-site-association", Self.fragment)
        let result = try Tool.aasa([
            "app", "remove", folder.path("example.com"), "D3KQX62K1A.com.example.shop",
        ])
        #expect(result.status == 3)
        #expect(result.stderr.contains("ready-made"), "\(result)")
        #expect(try Tool.aasa(["app", "list", folder.path("example.com")]).status == 0)
    }
}
