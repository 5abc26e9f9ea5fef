import AppSiteAssociation
import OpenSSL
import Testing

@testable import AASADevice

@Suite struct CheckCatalogTests: CatalogSuite {
    @Test func filesAreSound() {
        #expect(CheckCatalog.table.families.flatMap(\.problems) == [])
    }

    @Test func hasEachCodeOnce() {
        let codes = CheckCatalog.table.entries.map(\.code)
        #expect(Set(codes).count == codes.count)
        #expect(codes.count == CheckCode.allCases.count + CMSFindingCode.allCases.count)
        // A document's findings are the linter's, under their own names.
        #expect(codes.allSatisfy { RuleCatalog.rule($0) == nil })
    }

    @Test func hasWordsForDocuments() {
        expectWords(
            CheckCatalog.table.entries.filter {
                ["document-app-not-listed", "document-more"].contains($0.code)
            }
        )
        #expect(CheckCatalog.entry("document-app-not-listed")?.severity == .error)
        #expect(CheckCatalog.entry("document-more")?.severity == .warning)
        #expect(CheckCatalog.why("json-html") == RuleCatalog.rule("json-html")?.why)
        #expect(CheckCatalog.why("tls-name") == CheckCatalog.entry("tls-name")?.why)
        #expect(CheckCatalog.why("no-such-code") == nil)
    }

    @Test func findsACodeByItsName() {
        #expect(CheckCatalog.entry("tls-name")?.code == "tls-name")
        #expect(CheckCatalog.entry("tls-nam") == nil)
        #expect(CheckCatalog.entry(.tlsName).title == CheckCatalog.entry("tls-name")?.title)
    }

    /// A finding has the catalogue's words unless the judge knows better ones.
    @Test func fillsAFindingFromTheCatalogue() {
        let plain = Diagnostic(.tlsNo12, "m", subject: "s")
        #expect(plain.severity == .note)
        #expect(plain.remedy == CheckCatalog.entry("tls-no-1.2")?.remedy)
        #expect(plain.code == "tls-no-1.2" && plain.message == "m" && plain.file == "s")
        let own = Diagnostic(.tlsNo12, "m", subject: "s", remedy: "r", severity: .error)
        #expect(own.severity == .error && own.remedy == "r")
    }

    @Test func aSignedFilesFindingHasItsOwnName() throws {
        let report = CMSVerifier.verify(Array("{}".utf8), host: nil, trust: .none, now: 0)
        let finding = try #require(report.findings.first)
        let told = Diagnostic(finding, file: "f")
        #expect(told.code == "cms-not-signed" && told.file == "f" && told.severity == .error)
        #expect(told.message == finding.message && told.remedy == finding.remedy)
    }
}
