import AASADevice
import AppSiteAssociation

/// Every code that any command prints: the linter's rules, the codes of site folders, settings,
/// property lists, signed files and builds, and those of `aasa check`.
enum CodeCatalog {
    static let table = CodeTable(
        [RuleCatalog.table, SiteCodes.table, CheckCatalog.table].flatMap(\.families))

    static func isKnown(_ code: String) -> Bool { table[code] != nil }

    /// Prints all codes, for `aasa lint --rules` and `aasa check --explain all`.
    static func list() {
        for family in table.families {
            Terminal.print("\(family.name)")
            for entry in family.entries {
                let severity = entry.severity.rawValue.padded(to: 8)
                Terminal.print("  \(severity)\(entry.code): \(entry.title)")
            }
        }
    }

    /// Prints what a code means, for `--explain`.
    static func explain(_ code: String) throws(CommandError) {
        Terminal.print(lines: String(try explanation(of: code).dropLast()))
    }

    /// Returns what a code means, as lines.
    static func explanation(of code: String) throws(CommandError) -> String {
        guard let entry = table[code] else {
            throw CommandError(unknown(code), status: .usage)
        }
        let remedy = entry.remedy.isEmpty ? "Nothing needs to be done." : entry.remedy
        var text =
            "\(code) (\(entry.severity.rawValue)): \(entry.title)\n\n\(entry.why)\n\n"
            + "Fix: \(remedy)\n"
        if let rule = RuleCatalog.rule(code) { text += evidence(of: rule) }
        return text
    }

    static func unknown(_ code: String) -> String {
        let hint = suggestion(for: code).map { "; did you mean \($0)?" } ?? ""
        return "unknown code \"\(code)\"\(hint) (aasa lint --rules lists all codes)"
    }

    /// The nearest code; for names of 1.1 such as `document-html`, the one of today.
    private static func suggestion(for code: String) -> String? {
        let ending = code.drop { $0 != "-" }
        let codes = table.entries.map(\.code)
        if code.hasPrefix("signed-"), table["cms" + ending] != nil { return "cms" + ending }
        return RuleCatalog.suggestion(for: code) ?? codes.first { $0.contains(code) }
            ?? codes.first { !ending.isEmpty && $0.hasSuffix(ending) }
            ?? codes.first { table[String(ending.dropFirst())] != nil && ending.hasSuffix($0) }
    }

    private static func evidence(of rule: CodeEntry) -> String {
        var text = rule.device.map { $0 + "\n" } ?? ""
        text += "Evidence: \(words(rule.standing ?? .advice)) (\(rule.source))\n"
        text += "Page: \(rule.page)\n"
        // Examples of file formats that are no text would only disturb the terminal.
        for case (let name, let example?) in [("Bad", rule.bad), ("Good", rule.good)]
        where isPrintable(example) {
            text += "\n\(name): \(example.file)\n\(indented(example.text))\n"
        }
        return text
    }

    private static func words(_ standing: LintConfidence) -> String {
        switch standing {
        case .documented: "documented"
        case .appleTool: "shown by Apple's own tool"
        case .observed: "observed in public"
        case .reported: "reported by third parties, not promised by Apple"
        case .advice: "good practice"
        }
    }

    static func isPrintable(_ example: LintExample) -> Bool {
        example.bytes.count <= 2_000 && example.padding == 0
            && example.bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D }
            && !example.text.unicodeScalars.contains("\u{FFFD}")
    }

    private static func indented(_ text: String) -> String {
        InertText.joined(
            text.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.isEmpty ? "" : "    \($0)"
            })
    }
}
