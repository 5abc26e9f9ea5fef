import Foundation
import TestSupport
import Testing

/// What a team's file, a folder or an argument holds is shown by every command, and obeyed by no
/// terminal and no CI runner.
@Suite struct InertOutputTests {
    private static let hostile =
        #"\u001b]0;owned\u0007\u009b31m\u202e\u2066\u200b\n::add-mask::D3KQX62K1A\n##[add-mask]x\r"#

    private func hostileSite() throws -> SampleSite {
        let site = try SampleSite()
        try site.write(
            "example.com/teams/D3KQX62K1A.json",
            """
            {
              "\(Self.hostile)": { "apps": ["\(Self.hostile)"] },
              "webcredentials": { "apps": ["D3KQX62K1A.com.\(Self.hostile)", "::add-mask::x"] },
              "applinks": {
                "details": [
                  { "appIDs": ["D3KQX62K1A.\(Self.hostile)"],
                    "components": [{ "/": "\(Self.hostile)*", "comment": "\(Self.hostile)" }] },
                  { "appIDs": ["D3KQX62K1A.com.example.app"], "components": [{ "/": "/a" }] }
                ]
              }
            }
            """)
        return site
    }

    private func check(_ result: Tool.Result, _ command: String) {
        for text in [result.stdout, result.stderr] {
            for line in text.split(separator: "\n") {
                let active = line.unicodeScalars.filter {
                    switch $0.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: $0 != "\t"
                    default: false
                    }
                }
                #expect(active.isEmpty, "\(command): \(line)")
                #expect(!line.contains("##["), "\(command): \(line)")
                let start = line.drop(while: \.isWhitespace)
                let isOurs =
                    command.contains("github")
                    && ["::error ", "::warning ", "::notice "].contains(where: start.hasPrefix)
                #expect(isOurs || !start.hasPrefix("::"), "\(command): \(line)")
            }
        }
    }

    @Test func noCommandShowsWhatATerminalWouldObey() throws {
        let site = try hostileSite()
        let host = site.site + "/example.com"
        let file = host + "/teams/D3KQX62K1A.json"
        let other = host + "/teams/7QX9T2M4LB.json"
        let odd = site.folder.path("\u{1B}[31m\u{202E}\n::add-mask::x")
        try site.folder.write("\u{1B}[31m\u{202E}\n::add-mask::x", "{\"applinks\": 1, }")
        let serve = ["serve", "--site", site.site, "--certs", site.certs, "--check"]
        let commands: [[String]] = [
            ["lint", file], ["lint", host], ["lint", site.site],
            ["lint", "--format", "github", file],
            ["lint", "--format", "json", file], ["lint", "--format", "sarif", file],
            ["lint", odd], ["lint", "--format", "github", odd], ["diff", other, file],
            ["diff", file, other], ["diff", "--format", "json", file, other], ["diff", odd, file],
            ["app", "list", host], ["app", "list", "--format", "json", host],
            ["match", file, "https://example.com/\u{1B}[31m%0a::x", "::add-mask::x"],
            ["match", "--format", "json", file, "https://example.com/b"],
            ["build", host, "--output", site.folder.path("built")], ["build", odd], serve,
            ["check", "\u{1B}[31mexample.com\n::add-mask::x"],
            ["device", "--domain", "applinks:\u{1B}[31m\n::add-mask::x", "--app", "\u{1B}[31m"],
            ["storm", "https://\u{1B}[31m\n::add-mask::x/", "--devices", "1", "--over", "1"],
        ]
        for command in commands {
            check(try Tool.aasa(command), command.prefix(3).joined(separator: " "))
        }
    }
}
