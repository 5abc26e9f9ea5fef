import AppSiteAssociation
import Foundation
import OpenSSL
import TestSupport
import Testing

@testable import AASADevice

@Suite struct CheckCatalogTests: CatalogSuite {
    @Test func hasEachCodeOnce() {
        let codes = CheckCatalog.table.entries.map(\.code)
        expectEqual(Set(codes).count, codes.count)
        // A document's findings are the linter's, under their own names.
        #expect(codes.allSatisfy { RuleCatalog.rule($0) == nil })
    }

    /// A code is a literal: neither may be without the other.
    @Test func hasTheCodesThatTheSourcesName() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/AASADevice")
        let groups =
            #/"((?:address|agent|answer|association|build|cdn|certificate|check|clip|device|document|link|profile|redirect|sibling|signed|status|tls)(?:-[a-z0-9.]+)+)"/#
        var named: Set<Substring> = []
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: groups) {
                named.insert(match.1)
            }
        }
        let codes = CheckCatalog.table.entries.map { $0.code[...] }
        expectEqual(named, Set(codes.filter { !$0.hasPrefix("cms-") }))
        for word in codes.flatMap({ $0.split(separator: "-", omittingEmptySubsequences: false) }) {
            #expect(word.wholeMatch(of: #/[a-z0-9.]+/#) != nil, "\(word)")
        }
    }

    @Test("each code of a build has all its texts")
    func builds() {
        let entries = family("builds")
        #expect(entries.count > 40)
        for entry in entries {
            for text in [entry.title, entry.why, entry.remedy] {
                #expect(!text.isEmpty, "\(entry.code)")
            }
            #expect(!entry.title.hasSuffix("."), "\(entry.code)")
            #expect(entry.why.hasSuffix(".") && entry.remedy.hasSuffix("."), "\(entry.code)")
        }
    }

    @Test func hasWordsForDocuments() {
        expectWords(
            CheckCatalog.table.entries.filter {
                ["document-app-not-listed", "document-more"].contains($0.code)
            }
        )
        expectEqual(CheckCatalog.entry("document-app-not-listed")?.severity, .error)
        expectEqual(CheckCatalog.entry("document-more")?.severity, .warning)
        expectEqual(CheckCatalog.why("json-html"), RuleCatalog.rule("json-html")?.why)
        expectEqual(CheckCatalog.why("tls-name"), CheckCatalog.entry("tls-name")?.why)
        #expect(CheckCatalog.why("no-such-code") == nil)
    }

    @Test func findsACodeByItsName() {
        expectEqual(CheckCatalog.entry("tls-name")?.code, "tls-name")
        #expect(CheckCatalog.entry("tls-nam") == nil)
    }

    /// A finding has the catalogue's words unless the judge knows better ones.
    @Test func fillsAFindingFromTheCatalogue() {
        let plain = Diagnostic("tls-no-1.2", "m", subject: "s")
        expectEqual(plain.severity, .note)
        expectEqual(plain.remedy, CheckCatalog.entry("tls-no-1.2")?.remedy)
        #expect(plain.code == "tls-no-1.2" && plain.message == "m" && plain.file == "s")
        let own = Diagnostic("tls-no-1.2", "m", subject: "s", remedy: "r", severity: .error)
        #expect(own.severity == .error && own.remedy == "r")
        let cut = Diagnostic("answer-cut", "m", subject: "s", fix: "chunked")
        expectEqual(
            cut.remedy?.hasPrefix("End the body with a chunk of size 0: look for a crash"), true)
        expectEqual(Diagnostic("tls-no-1.2", "m", subject: "s", fix: "x").remedy, plain.remedy)
    }

    @Test(arguments: [
        ("answer-cut", ["chunked"]), ("answer-surplus", ["chunked"]),
        ("answer-endless", ["length", "lastChunk", "close", "endStream"]),
        ("answer-compressed-broken", ["brotli"]), ("status-not-found", ["untyped"]),
        ("status-forbidden", ["S3", "dot"]), ("tls-untrusted", ["alone"]),
        ("cdn-unknown-failure", ["001", "002", "003", "004"]),
        ("cdn-negative-cached", ["blocked"]), ("sibling-status", ["absent"]),
    ])
    func hasTheFixesOfParticularCases(code: String, words: [String]) {
        let fixes = CheckCatalog.entry(code)?.remedies ?? [:]
        expectEqual(Set(fixes.keys), Set(words))
        #expect(fixes.values.allSatisfy { $0.hasSuffix(".") && !$0.contains("  ") })
    }

    @Test func aSignedFilesFindingHasItsOwnName() throws {
        let report = CMSVerifier.verify(Array("{}".utf8), host: nil, trust: .none, now: 0)
        let finding = try #require(report.findings.first)
        let told = Diagnostic(finding, file: "f")
        #expect(told.code == "cms-not-signed" && told.file == "f" && told.severity == .error)
        #expect(told.message == finding.message && told.remedy == finding.remedy)
    }
}
