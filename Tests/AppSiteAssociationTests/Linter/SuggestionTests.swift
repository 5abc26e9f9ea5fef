import Foundation
import TestSupport
import Testing

@testable import AppSiteAssociation

/// Suggestions that say what to write, followed to the letter, over the bad examples of all rules
/// and over the corpus: the finding goes, and nothing else comes.
@Suite struct SuggestionTests {
    @Test(arguments: RuleCatalog.all.map(\.code))
    func badExamplesAreHelped(code: String) throws {
        let rule = try #require(RuleCatalog.rule(code))
        let bad = try #require(rule.bad)
        guard bad.companions.isEmpty, bad.padding == 0 else { return }
        follow(bad.source, as: LintKind(fileName: bad.file), only: code)
    }

    @Test func theCorpusIsHelped() throws {
        for file in Corpus.files(in: "aasa", withExtension: "json") {
            let bytes = [UInt8](try Data(contentsOf: file))
            follow(SourceText(name: file.lastPathComponent, bytes: bytes), as: .association)
        }
    }

    private func follow(_ source: SourceText, as kind: LintKind, only code: String? = nil) {
        func serious(_ source: SourceText) -> [String: Int] {
            Linter.lint(source, as: kind, options: LintOptions(now: exampleDate)).reduce(into: [:])
            {
                if $1.severity >= .warning { $0[$1.code, default: 0] += 1 }
            }
        }
        guard let root = try? JSONReader.read(source).root else { return }
        let findings = Linter.lint(source, as: kind, options: LintOptions(now: exampleDate))
        let before = serious(source)
        for finding in findings.prefix(20) where code == nil || finding.code == code {
            guard let range = finding.range, let remedy = finding.remedy,
                let edits = Self.edits(remedy, range, root),
                let bytes = TextEdit.apply(edits, to: source.bytes)
            else { continue }
            let result = SourceText(name: source.name, bytes: bytes)
            let after = serious(result)
            #expect((try? JSONReader.read(result)) != nil, "\(finding): \(remedy)")
            let left = Linter.lint(result, as: kind, options: LintOptions(now: exampleDate)).filter
            {
                $0.code == finding.code
            }
            #expect(
                left.count < findings.count { $0.code == finding.code }, "\(finding): \(remedy)")
            for (other, count) in after where !Self.isRevealed(other, by: finding) {
                #expect(count <= before[other, default: 0], "\(other) after \(finding): \(remedy)")
            }
        }
    }

    /// A corrected key lets its value be read, with what is wrong in it.
    private static func isRevealed(_ code: String, by finding: Diagnostic) -> Bool {
        finding.code.hasSuffix("-misspelt") || finding.code.hasPrefix("key-")
    }

    /// What a suggestion says to the letter; nil where a person has to choose.
    private static func edits(_ remedy: String, _ range: Range<Int>, _ root: JSONValue)
        -> [TextEdit]?
    {
        let quotes = remedy.count { $0 == "\"" }
        if remedy.hasPrefix("Write \""), remedy.hasSuffix("\"."), quotes == 2 {
            return [TextEdit(range, Array(remedy.dropFirst(6).dropLast().utf8))]
        }
        if remedy == "Rename appID to appIDs." {
            return [TextEdit(range, Array("\"appIDs\"".utf8))]
        }
        let removals = ["Remove it:", "Remove paths", "Remove the member", "Remove the exclusion"]
        guard removals.contains(where: remedy.hasPrefix) else { return nil }
        return removal(of: range, from: root)
    }

    /// An element, or the member with this key, without its comma.
    private static func removal(of range: Range<Int>, from root: JSONValue) -> [TextEdit]? {
        var waiting = [root]
        while let value = waiting.popLast() {
            let names = value.array?.map(\.range) ?? value.members?.map(\.keyRange) ?? []
            if let index = names.firstIndex(of: range), names.count > 1 {
                return JSONTextEditor.removals(of: [index], from: value)
            }
            waiting += value.array ?? value.members?.map(\.value) ?? []
        }
        return nil
    }
}
