// Covers: OutputFormat.swift

import TestSupport
import Testing

/// `--help` is the manual: sorted, and a screen of 80 columns and 50 lines where possible.
@Suite struct HelpTests {
    private static let lines = 50

    @Test func commandsAreSorted() throws {
        let help = try Tool.aasa(["--help"]).stdout
        let start = try #require(help.firstRange(of: "SUBCOMMANDS:\n"))
        let names = help[start.upperBound...].split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .prefix { !$0.isEmpty }
        .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
        .compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(names.count > 15 && names == names.sorted(), "\(names)")
        #expect(help.count { $0 == "\n" } <= Self.lines)
    }

    /// A command is parsed alone where its line is good; everything else is the whole tree's.
    @Test(arguments: [["serve"], ["lint"], ["certs", "list"]])
    func theUsageNamesTheWholeCommand(command: [String]) throws {
        let name = "aasa " + command.joined(separator: " ")
        let help = try Tool.aasa(command + ["--help"])
        #expect(help.status == 0 && help.stdout.contains("USAGE: \(name) "), "\(help)")
        let other = try Tool.aasa(["help"] + command)
        #expect(other.status == 0 && other.stdout == help.stdout)
        let wrong = try Tool.aasa(command + ["--no-such-option"])
        #expect(wrong.status == 2 && wrong.stdout.isEmpty)
        #expect(wrong.stderr.contains("'\(name) --help'"), "\(wrong)")
        let version = try Tool.aasa(command + ["--version"])
        let expected = try Tool.aasa(["--version"])
        #expect(version.status == 0 && version.stdout == expected.stdout)
        let completions = try Tool.aasa(command + ["--generate-completion-script", "bash"])
        #expect(completions.status == 0 && completions.stdout.contains("_aasa"))
    }

    /// What would not fit is shown by `--help-hidden` and in `deploy/OPTIONS.md`.
    @Test(arguments: [
        "app", "app add", "app edit", "app list", "app move", "app remove", "build", "certs",
        "certs list", "certs make", "certs plan", "check", "device", "device install",
        "device rehearse", "diff", "fleet",
        "fleet diff", "fleet history", "fleet key", "fleet promote", "fleet prune",
        "fleet rollback",
        "fleet status", "fleet verify", "import", "lint", "match", "reload", "schema", "sign",
        "serve", "status", "storm", "storm merge", "storm plan", "storm run", "try", "upgrade",
        "verify",
    ])
    func helpFitsAScreen(command: String) throws {
        let result = try Tool.aasa(command.split(separator: " ").map(String.init) + ["--help"])
        expectEqual(result.status, 0)
        let lines = result.stdout.count { $0 == "\n" }
        #expect(lines <= Self.lines, "\(lines) lines")
        for line in result.stdout.split(separator: "\n") where !line.hasPrefix("USAGE:") {
            #expect(line.count <= 80, "\(line)")
        }
    }
}
