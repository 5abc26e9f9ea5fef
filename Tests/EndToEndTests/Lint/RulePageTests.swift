import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@testable import aasa

/// `deploy/reference/rules.md`: all codes as a page, made from the catalogue.
@Suite struct RulePageTests {
    /// `AASA_UPDATE_GOLDEN=1` writes the page anew.
    @Test func thePageIsThatOfTheCatalogue() throws {
        let page = Self.introduction + CodeCatalog.table.families.map(Self.section).joined()
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../deploy/reference/rules.md").standardizedFileURL
        if ProcessInfo.processInfo.environment["AASA_UPDATE_GOLDEN"] != nil {
            try Data(page.utf8).write(to: file)
        }
        try expectEqual(
            String(contentsOf: file, encoding: .utf8), page,
            "write it anew: AASA_UPDATE_GOLDEN=1 swift test --filter RulePageTests")
    }

    @Test func signsOfMarkdownAreText() {
        expectEqual(Self.prose(#"a * <b> [c] \d `|_"#), #"a \* \<b> \[c\] \\d \`\|\_"#)
    }

    private static let introduction = """
        # Findings and their codes

        This page lists every code that aasa reports, with its severity, its reason and its fix.
        It comes from the texts in `Sources` that the commands print.
        `aasa lint --explain CODE` prints one entry, and `aasa lint --rules` lists all of them.

        An **error** does not work or must not be published.
        A **warning** is only tolerated by Apple, or is probably unintended.
        A **note** works and is worth knowing.
        "Both paths" are `/.well-known/apple-app-site-association` and
        `/apple-app-site-association`.
        [Lint in CI](../guides/ci.md) shows how to change a severity or ignore a code.

        """

    private static func section(_ family: CodeFamily) -> String {
        "\n## \(family.name.prefix(1).uppercased() + family.name.dropFirst())\n"
            + family.entries.map(entry).joined()
    }

    private static func entry(_ entry: CodeEntry) -> String {
        var text = "\n### \(entry.code)\n\n"
        func paragraph(_ title: String, _ words: String) {
            text += "**\(title):** \(words)\n\n"
        }
        paragraph(entry.severity.rawValue.capitalized, prose(entry.title) + ".")
        text += prose(entry.why) + "\n\n"
        if let device = entry.device { text += prose(device) + "\n\n" }
        if !entry.remedy.isEmpty { paragraph("Fix", prose(entry.remedy)) }
        if !entry.page.isEmpty { paragraph("Source", "[\(entry.source)](\(entry.page))") }
        if let bad = RuleCatalog.rule(entry.code)?.bad, CodeCatalog.isPrintable(bad) {
            text += "```text\n\(bad.text)```\n"
        }
        return text.hasSuffix("\n\n") ? String(text.dropLast()) : text
    }

    /// The text with its signs, which Markdown would read as something else.
    private static func prose(_ text: String) -> String {
        text.map { #"\`*_<[]|"#.contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }
}
