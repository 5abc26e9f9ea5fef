// Covers: AppEdit.swift, AppMove.swift, LinkTests.swift, RuleOptions.swift

import Foundation
import TestSupport
import Testing

/// A repository of three teams, edited by a script as its owners would.
@Suite struct AppEditTests {
    private let teams = ["D3KQX62K1A", "9JA89QQLNQ", "Q7LM2X9PRT"]

    private func site() throws -> TemporaryFolder {
        let folder = try TemporaryFolder("edit")
        try folder.write("example.com/host.json", #"{"order": ["Q7LM2X9PRT"]}"#)
        for (number, team) in teams.enumerated() {
            try folder.write(
                "example.com/teams/\(team).json",
                """
                {
                  "applinks": {
                    "details": [
                      {
                        "appIDs": ["\(team).com.example.app"],
                        "components": [
                          { "/": "/team\(number)/*", "comment": "as it was" }
                        ]
                      }
                    ]
                  }
                }

                """)
        }
        return folder
    }

    private func text(_ site: TemporaryFolder, _ team: String) throws -> String {
        String(decoding: try site.read("example.com/teams/\(team).json"), as: UTF8.self)
    }

    @Test func twoHundredEditsLeaveNothingToFind() throws {
        let site = try site()
        let host = site.path("example.com")
        var random = SeededRandom(seed: 16)
        var added: [String: Int] = [:]
        for step in 0..<200 {
            let number = Int.random(in: 0..<3, using: &random)
            let team = teams[number]
            let app = "\(team).com.example.app"
            let rules = added[team, default: 0]
            var arguments: [String]
            switch step % 5 {
            case 0, 1:
                let pattern = "/team\(number)-\(step)/*"
                arguments = ["add", host, app, "--path", pattern, "--comment", "step \(step)"]
                added[team, default: 0] += 1
            case 2:
                arguments = ["add", host, "\(team).com.example.n\(step)", "--like", app]
                if rules == 0 {
                    arguments = ["add", host, app, "--service", "webcredentials"]
                    if try text(site, team).contains("webcredentials") { continue }
                } else {
                    let added = try Tool.aasa(["app"] + arguments)
                    #expect(added.status == 0, "\(arguments) \(added)")
                    arguments = ["remove", host, "\(team).com.example.n\(step)"]
                }
            case 3 where rules > 0:
                arguments = [
                    "edit", host, app, "\(rules + 1)", "--path", "/team\(number)-e\(step)",
                    "--case-insensitive", "--query", "q=?*",
                ]
            case 4 where rules > 1:
                arguments = ["edit", host, app, "\(rules + 1)", "--to", "\(rules)"]
            default: continue
            }
            let result = try Tool.aasa(["app"] + arguments)
            #expect(result.status == 0, "step \(step): \(arguments) \(result)")
            let lint = try Tool.aasa(["lint", site.path(""), "--fail-on", "warning"])
            #expect(lint.status == 0, "step \(step): \(arguments) \(lint)")
        }
        // The first rule of each team was touched by nobody.
        for (number, team) in teams.enumerated() {
            #expect(
                try text(site, team).contains(
                    #"          { "/": "/team\#(number)/*", "comment": "as it was" }"#))
        }
        #expect(try Tool.aasa(["build", host]).status == 0)
    }

    @Test func anAppChangesItsTeam() throws {
        let site = try site()
        let host = site.path("example.com")
        let moved = try Tool.aasa([
            "app", "move", host, "D3KQX62K1A.com.example.app", "9JA89QQLNQ.com.example.shop",
        ])
        #expect(moved.status == 0, "\(moved)")
        #expect(moved.stderr.contains("removed \(host)/teams/D3KQX62K1A.json"), "\(moved)")
        #expect(try text(site, "9JA89QQLNQ").contains("9JA89QQLNQ.com.example.shop"))
        let match = try Tool.aasa(["match", host, "/team0/x"])
        #expect(match.stdout.contains("opens      9JA89QQLNQ.com.example.shop"), "\(match)")
        let again = try Tool.aasa([
            "app", "move", host, "D3KQX62K1A.com.example.app", "9JA89QQLNQ.com.example.shop",
        ])
        #expect(again.status == 1, "\(again)")
        #expect(again.stderr.contains("did you mean 9JA89QQLNQ.com.example.app?"), "\(again)")
    }

    @Test func aChangeThatTakesAnothersLinkIsRefused() throws {
        let site = try site()
        let host = site.path("example.com")
        try site.write(
            "example.com/teams/D3KQX62K1A.links.csv",
            "url,app\nhttps://example.com/team0/x,D3KQX62K1A.com.example.app\n/none,none\n")
        #expect(try Tool.aasa(["lint", host]).status == 0)
        let taking = [
            "app", "add", host, "Q7LM2X9PRT.com.example.grab", "--path", "/*/x", "--allow-warnings",
        ]
        let refused = try Tool.aasa(taking)
        #expect(refused.status == 1, "\(refused)")
        #expect(refused.stderr.contains("D3KQX62K1A.links.csv:2:1"), "\(refused)")
        #expect(refused.stderr.contains("[link-test-failed]"), "\(refused)")
        try site.write("example.com/teams/D3KQX62K1A.links.csv", "/team0/x,none\n")
        let lint = try Tool.aasa(["lint", host])
        #expect(lint.status == 1, "\(lint)")
        #expect(lint.stdout.contains("it opens D3KQX62K1A.com.example.app"), "\(lint)")
    }

    @Test func aDocumentThatIsTooLargeCanBeMadeSmaller() throws {
        let site = try site()
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
        #expect(result.status == 0, "\(result)")
        let more = try Tool.aasa([
            "app", "add", site.path("example.com"), "9JA89QQLNQ.com.example.app", "--path", "/q#",
        ])
        #expect(more.status == 1, "\(more)")
    }

    @Test(arguments: [
        (["edit", "HOST", "D3KQX62K1A.com.example.app", "1"], Int32(2), "say what to change"),
        (
            ["edit", "HOST", "D3KQX62K1A.com.example.app", "9", "--delete"], 1, "has no rule 9"
        ),
        (["edit", "HOST", "D3KQX62K1A.com.example.app", "1", "--query", "q"], 2, "name=pattern"),
        (["edit", "HOST", "D3KQX62K1A.com.example.ap", "1", "--delete"], 1, "did you mean"),
        (
            ["add", "HOST", "D3KQX62K1A.com.example.app", "--component", "[]"], 2,
            "write an object"
        ),
        (["add", "HOST", "--android", "com.a"], 2, "go together"),
        (["add", "HOST", "--android", "com.a", "--fingerprint", "A"], 2, "--team TEAM"),
        (["remove", "HOST", "--android", "com.a"], 1, "nothing is stated"),
        (["move", "HOST", "D3KQX62K1A.com.example.app"], 1, "of its team already"),
    ]) func saysWhatIsWrong(_ arguments: [String], _ status: Int32, _ message: String) throws {
        let site = try site()
        let host = site.path("example.com")
        let result = try Tool.aasa(["app"] + arguments.map { $0 == "HOST" ? host : $0 })
        #expect(result.status == status, "\(result)")
        #expect(result.stderr.contains(message), "\(result)")
    }

    /// An origin on a host without a document left the host's error behind.
    @Test(arguments: [
        ["--origin", "https://a.example"],
        [
            "--android", "com.acme.shop", "--fingerprint",
            Array(repeating: "AB", count: 31).joined(separator: ":") + ":CD",
        ],
    ]) func aHostThatBeginsWithASiblingHasADocument(_ more: [String]) throws {
        let site = try TemporaryFolder("edit")
        try site.write("example.com/README", "a host to come")
        let arguments = ["app", "add", site.path("example.com"), "--team", "D3KQX62K1A"] + more
        let first = try Tool.aasa(arguments)
        #expect(first.status == 0, "\(first)")
        #expect(first.stderr.contains("names no app yet"), "\(first)")
        let lint = try Tool.aasa(["lint", site.path])
        #expect(lint.status == 0, "\(lint)")
        let build = try Tool.aasa(["build", site.path("example.com")])
        #expect(build.status == 0 && !build.outputBytes.isEmpty, "\(build)")
        let second = try Tool.aasa([
            "app", "add", site.path("example.com"), "D3KQX62K1A.com.acme.shop", "--path", "/buy/*",
        ])
        #expect(second.status == 0, "\(second)")
        #expect(try Tool.aasa(["lint", site.path]).stdout.contains("nothing found"))
    }

    @Test func aTestThatWouldFailIsNamedAsTheReason() throws {
        let site = try site()
        try site.write(
            "example.com/teams/Q7LM2X9PRT.links.csv", "/team2/1,Q7LM2X9PRT.com.example.app\n")
        let result = try Tool.aasa([
            "app", "remove", site.path("example.com"), "Q7LM2X9PRT.com.example.app",
        ])
        #expect(result.status == 1)
        #expect(result.stderr.contains("not changed: tests for links would fail"), "\(result)")
    }
}
