// Covers: AppEdit.swift

import Foundation
import TestSupport
import Testing

/// A repository of three teams, edited by a script as its owners would.
@Suite struct AppEditTests {
    @Test func eightyEditsLeaveNothingToFind() throws {
        let site = try AppSite.ofThreeTeams()
        let host = site.path("example.com")
        var random = SeededRandom(seed: 16)
        var added: [String: Int] = [:]
        for step in 0..<80 {
            let number = Int.random(in: 0..<3, using: &random)
            let team = AppSite.teams[number]
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
                    if try AppSite.text(site, team).contains("webcredentials") { continue }
                } else {
                    let added = try Tool.aasa(["app"] + arguments)
                    expectEqual(added.status, 0, "\(arguments) \(added)")
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
            expectEqual(result.status, 0, "step \(step): \(arguments) \(result)")
            guard step % 5 == 4 else { continue }
            let lint = try Tool.aasa(["lint", site.path(""), "--fail-on", "warning"])
            expectEqual(lint.status, 0, "step \(step): \(arguments) \(lint)")
        }
        // The first rule of each team was touched by nobody.
        for (number, team) in AppSite.teams.enumerated() {
            #expect(
                try AppSite.text(site, team).contains(
                    #"          { "/": "/team\#(number)/*", "comment": "as it was" }"#))
        }
        try expectEqual(Tool.aasa(["build", host]).status, 0)
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
        (["move", "HOST", "D3KQX62K1A.com.example.app"], 1, "already in its team's file"),
    ]) func saysWhatIsWrong(_ arguments: [String], _ status: Int32, _ message: String) throws {
        let site = try AppSite.ofThreeTeams()
        let host = site.path("example.com")
        let result = try Tool.aasa(["app"] + arguments.map { $0 == "HOST" ? host : $0 })
        expectEqual(result.status, status, "\(result)")
        #expect(result.stderr.contains(message), "\(result)")
    }
}
