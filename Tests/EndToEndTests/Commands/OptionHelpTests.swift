import Foundation
import TestSupport
import Testing

/// The help of every command: as a page, and in the words of the house.
@Suite struct OptionHelpTests {
    /// A command as `--experimental-dump-help` describes it.
    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                let kind: String
                let name: String
            }
            let kind: String
            let names: [Name]?
            let valueName: String?
            let isRepeating: Bool
            let abstract: String?
            let defaultValue: String?
            let allValues: [String]?
            let sectionTitle: String?
        }
        let commandName: String
        let superCommands: [String]?
        let abstract: String?
        let discussion: String?
        let subcommands: [Command]?
        let arguments: [Argument]?

        var name: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

        /// Itself and all below it, but for the parser's own `help`.
        var all: [Command] {
            [self] + (subcommands ?? []).filter { $0.commandName != "help" }.flatMap(\.all)
        }
    }

    private struct Dump: Decodable { let command: Command }

    private static func commands() throws -> [Command] {
        let dump = try Tool.aasa(["--experimental-dump-help"])
        return try JSONDecoder().decode(Dump.self, from: Data(dump.outputBytes)).command.all
    }

    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../deploy/OPTIONS.md").standardized

    private static func text() throws -> String {
        var lines = [
            "# Options", "",
            "Every command with all its options. `--help` shows the common ones, `--help-hidden` all.",
            "Each option of `aasa serve` except `--check` is also an environment variable. The command line overrides it.",
            "`AASA_UPDATE_GOLDEN=1 swift test --filter OptionHelpTests` writes this page.",
        ]
        for command in try commands() {
            // Without a help text it is an old name, accepted for one release.
            let arguments = (command.arguments ?? []).filter { argument in
                argument.abstract != nil
                    && !(argument.names ?? []).contains { ["help", "version"].contains($0.name) }
            }
            if arguments.isEmpty { continue }
            let isServe = command.name == "aasa serve"
            lines += ["", "## \(command.name)", "", "\(command.abstract ?? "")", ""]
            lines += [isServe ? "| option | variable | meaning |" : "| option | meaning |"]
            lines += [isServe ? "|---|---|---|" : "|---|---|"]
            for argument in arguments {
                lines.append(row(argument, isServe: isServe))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(_ argument: Command.Argument, isServe: Bool) -> String {
        let names = (argument.names ?? []).map { ($0.kind == "short" ? "-" : "--") + $0.name }
        let value = argument.kind == "flag" ? "" : "<\(argument.valueName ?? "")>"
        let option = [names.joined(separator: ", "), value].filter { !$0.isEmpty }
            .joined(separator: " ")
        var text = argument.abstract ?? ""
        var notes = argument.allValues.map { ["values: " + $0.joined(separator: ", ")] } ?? []
        if let value = argument.defaultValue, !value.isEmpty, !text.contains("default:") {
            notes.append("default: \(value)")
        }
        if !notes.isEmpty { text += " (\(notes.joined(separator: "; ")))" }
        var cells = ["`\(option)`"]
        if isServe {
            let long = names.first { $0.hasPrefix("--") }?.dropFirst(2) ?? ""
            let variable = "AASA_" + long.uppercased().replacing("-", with: "_")
            cells.append(long == "check" ? "" : "`\(variable)`")
        }
        cells.append(text)
        return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }

    @Test func thePageOfOptionsIsCurrent() throws {
        let text = try Self.text()
        if ProcessInfo.processInfo.environment["AASA_UPDATE_GOLDEN"] != nil {
            try Data(text.utf8).write(to: Self.page)
        }
        let written = try String(contentsOf: Self.page, encoding: .utf8)
        expectEqual(written, text, "AASA_UPDATE_GOLDEN=1 swift test --filter OptionHelpTests")
        #expect(text.contains("| `--hsts <seconds>` | `AASA_HSTS` |"))
    }

    @Test func everyAbstractIsAnInstruction() throws {
        let verbs: Set = [
            "Add", "Change", "Check", "Compute", "Create", "Distribute", "Find", "Install", "List",
            "Make", "Merge", "Move", "Print", "Publish", "Read", "Rehearse", "Remove", "Replace",
            "Run", "Serve", "Show", "Sign", "Simulate",
        ]
        for command in try Self.commands() where command.name != "aasa" {
            let abstract = command.abstract ?? ""
            #expect(
                verbs.contains(String(abstract.prefix { $0.isLetter })) && abstract.hasSuffix("."),
                "\(command.name): \(abstract)")
        }
    }

    /// See the table of the language page: the house has one word for each thing.
    @Test func helpUsesTheWordsOfTheHouse() throws {
        let banned: Set = [
            "mend", "mends", "mended", "played", "plays", "story", "stories", "wants", "remark",
            "forever", "judges", "judged",
        ]
        let phrases = ["looked at", "look at", "by itself", "of itself", "is said"]
        for command in try Self.commands() {
            let texts =
                [command.abstract, command.discussion].compactMap { $0 }
                + (command.arguments ?? []).compactMap(\.abstract)
            for text in texts {
                let words = text.lowercased().split { !$0.isLetter }.map(String.init)
                #expect(banned.isDisjoint(with: words), "\(command.name): \(text)")
                for phrase in phrases {
                    #expect(
                        !text.contains(phrase), "\(command.name): \(text)")
                }
            }
            // Examples are copied: a wrapped one is none.
            for line in (command.discussion ?? "").split(separator: "\n")
            where line.hasPrefix("  ") {
                #expect(line.count <= 80, "\(command.name): \(line)")
            }
        }
    }
}
