import AppSiteAssociation
import Foundation
import TestSupport
import Testing

/// Every file of the shared corpus; `AASA_LINT_TABLE=1` prints the findings per rule.
@Suite struct CorpusLintTests {
    private static func sources(_ folder: String, suffix: String) -> [SourceText] {
        Corpus.files(in: folder).filter { $0.lastPathComponent.hasSuffix(suffix) }.compactMap {
            guard let data = try? Data(contentsOf: $0) else { return nil }
            return SourceText(name: "\(folder)/\($0.lastPathComponent)", bytes: [UInt8](data))
        }
    }

    private static func lint(_ source: SourceText) -> [Diagnostic] {
        let kind: LintKind =
            source.name.hasPrefix("assetlinks/")
            ? .assetLinks : source.name.hasSuffix(".entitlements") ? .entitlements : .association
        return Linter.lint(source, as: kind, options: LintOptions(now: exampleDate))
    }

    @Test func everyFindingIsInTheCatalogueAndInTheFile() {
        let sources =
            Self.sources("aasa", suffix: ".json") + Self.sources("assetlinks", suffix: ".json")
            + Self.sources("entitlements", suffix: ".entitlements")
        if sources.isEmpty { return }
        var table: [String: (findings: Int, files: Set<String>)] = [:]
        for source in sources {
            for finding in Self.lint(source) {
                #expect(RuleCatalog.rule(finding.code) != nil, "\(finding.code) has no rule")
                if let range = finding.range {
                    #expect(range.upperBound <= source.bytes.count, "\(finding)")
                }
                table[finding.code, default: (0, [])].findings += 1
                table[finding.code, default: (0, [])].files.insert(source.name)
            }
        }
        if ProcessInfo.processInfo.environment["AASA_LINT_TABLE"] != nil {
            for (code, row) in table.sorted(by: { $0.value.findings > $1.value.findings }) {
                print(code, row.findings, row.files.count, row.files.sorted().prefix(8))
            }
        }
    }

    /// One line per file: what is found in it, and how often. The lines were looked through by
    /// people; `AASA_UPDATE_GOLDEN=1` writes them anew: look at the difference before it is
    /// committed.
    @Test func findingsAreThoseThatWereReviewed() throws {
        let sources =
            Self.sources("aasa", suffix: ".json") + Self.sources("assetlinks", suffix: ".json")
            + Self.sources("entitlements", suffix: ".entitlements")
        if sources.isEmpty { return }
        let lines = sources.map { source in
            var counts: [String: Int] = [:]
            for finding in Self.lint(source) {
                counts[finding.omission?.code ?? finding.code, default: 0] +=
                    finding.omission?.count ?? 1
            }
            let said = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            return source.name + ": " + (said.isEmpty ? "clean" : said.joined(separator: ", "))
        }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("CorpusGolden/findings.txt")
        if ProcessInfo.processInfo.environment["AASA_UPDATE_GOLDEN"] != nil {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        }
        let golden = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let known = Set(golden.map(String.init))
        for line in lines { #expect(known.contains(line), "another finding than reviewed") }
        expectEqual(lines.count, golden.count)
    }

    /// What the manifest says of a file, the linter must say too.
    @Test func whatTheManifestKnowsIsFound() throws {
        guard let folder = Corpus.folder("aasa") else { return }
        let manifest = try String(
            contentsOf: folder.appendingPathComponent("MANIFEST.tsv"), encoding: .utf8)
        let expectations = [
            ("invalid JSON", "json-"), ("appID is array", "app-id-array"),
            ("unknown detail keys: compnents", "entry-key-misspelt"),
            ("path entry is dict", "path-not-string"),
            ("details is a dictionary", "details-dictionary"),
            ("paths+components in one detail", "components-beside-paths"),
            ("all-digit prefix", "app-id-store-number"),
            ("detail without paths/components", "entry-"),
            ("applinks.apps not empty", "applinks-apps-used"),
            ("no applinks.details", "details-missing"),
        ]
        var checked = 0
        for line in manifest.split(whereSeparator: \.isNewline).dropFirst() {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count > 3 else { continue }
            let file = folder.appendingPathComponent("\(fields[0]).json")
            guard let data = try? Data(contentsOf: file) else { continue }
            let codes = Self.lint(SourceText(name: "aasa/\(fields[0])", bytes: [UInt8](data)))
                .map(\.code)
            for (remark, code) in expectations where fields[3].contains(remark) {
                checked += 1
                #expect(
                    codes.contains { $0.hasPrefix(code) }, "\(fields[0]) (\(remark)): \(codes)")
            }
        }
        #expect(checked > 20)
    }

    @Test func hostileBytesOnlyMakeFindings() {
        var random = SeededRandom(seed: 7)
        for source in Self.sources("aasa", suffix: ".json").prefix(60) {
            var bytes = source.bytes
            for _ in 0..<4 where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            for kind in LintKind.allCases {
                let mutated = SourceText(name: "mutated", bytes: bytes)
                for finding in Linter.lint(mutated, as: kind) {
                    #expect((finding.range?.upperBound ?? 0) <= bytes.count)
                }
            }
        }
    }
}
