import AppSiteAssociation
import Foundation
import TestSupport
import Testing

/// 2026-11-21T00:00:00Z: the examples of `security.txt` are made for it.
let exampleDate = 1_795_219_200

@Suite struct RuleCatalogTests {
    @Test func codesAreUniqueAndInKebabCase() {
        var seen: Set<String> = []
        for rule in RuleCatalog.all {
            #expect(seen.insert(rule.code).inserted, "\(rule.code) twice")
            let legal = rule.code.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }
            #expect(legal && rule.code.first?.isLetter == true, "\(rule.code)")
        }
    }

    @Test func wordsAreWhole() {
        for rule in RuleCatalog.all {
            #expect(!rule.title.isEmpty && !rule.title.hasSuffix("."), "\(rule.code)")
            #expect(rule.why.hasSuffix("."), "\(rule.code)")
            #expect(!rule.remedy.isEmpty && !rule.source.isEmpty, "\(rule.code)")
        }
    }

    @Test(arguments: RuleCatalog.all.map(\.code))
    func badExampleIsFoundAndGoodIsNot(code: String) throws {
        let rule = try #require(RuleCatalog.rule(code))
        let bad = try #require(rule.bad).lint(now: exampleDate)
        let hits = bad.filter { $0.code == code }
        #expect(!hits.isEmpty, "\(code): the bad example only gave \(bad.map(\.code))")
        #expect(hits.allSatisfy { $0.severity == rule.severity }, "\(code): severity differs")
        let good = try #require(rule.good).lint(now: exampleDate)
        #expect(!good.contains { $0.code == code }, "\(code): the good example has it too")
    }

    /// Whoever copies a good example must not be scolded for it.
    @Test(arguments: RuleCatalog.all.map(\.code))
    func goodExampleHasNoError(code: String) throws {
        let rule = try #require(RuleCatalog.rule(code))
        let errors = try #require(rule.good).lint(now: exampleDate).filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(code): \(errors)")
    }

    /// The whole report of every example, byte by byte. `AASA_UPDATE_GOLDEN=1` writes them anew:
    /// look at the difference before it is committed.
    @Test(arguments: RuleCatalog.all.map(\.code))
    func reportIsGolden(code: String) throws {
        let rule = try #require(RuleCatalog.rule(code))
        let report = [("bad", try #require(rule.bad)), ("good", try #require(rule.good))].map {
            name, example in
            "=== \(name)\n" + Self.document(of: example) + Self.report(of: example)
        }.joined()
        let file = Self.folder.appendingPathComponent("\(code).txt")
        if ProcessInfo.processInfo.environment["AASA_UPDATE_GOLDEN"] != nil {
            try Data(report.utf8).write(to: file)
        }
        let golden = try? String(decoding: Data(contentsOf: file), as: UTF8.self)
        expectEqual(report, golden, "\(code): no golden file, or another report")
    }

    @Test func noGoldenFileIsLeftOver() throws {
        let codes = Set(RuleCatalog.all.map(\.code))
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        for file in files {
            #expect(codes.contains(String(file.prefix { $0 != "." })), "\(file) has no rule")
        }
    }

    @Test func unknownCodesGetASuggestion() {
        expectEqual(RuleCatalog.suggestion(for: "catchall"), "catch-all")
        expectEqual(RuleCatalog.suggestion(for: "placeholder"), "app-id-placeholder")
        #expect(RuleCatalog.suggestion(for: "qqqqqqqq") == nil)
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Golden")

    private static func document(of example: LintExample) -> String {
        // Sizes are the point of some examples, not their content.
        let isLong = example.bytes.count > 2_000
        let text = isLong ? "(\(example.bytes.count) bytes)\n" : example.text
        let padding = example.padding > 0 ? "\n(and \(example.padding) blanks)" : ""
        return "--- \(example.file)\n\(text)\(padding)"
            + example.companions.map { document(of: $0) }.joined()
    }

    private static func report(of example: LintExample) -> String {
        "--- report\n"
            + LintReport(findings: example.lint(now: exampleDate), documents: 1).text(color: false)
    }
}
