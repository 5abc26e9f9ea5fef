import AppSiteAssociation
import OpenSSL
import Testing

@testable import AASADevice

@Suite struct CheckEntryTests: CatalogSuite {
    @Test func hasEachCodeOnce() {
        let codes = CheckCatalog.all.map(\.code)
        #expect(Set(codes).count == codes.count)
        #expect(
            codes.count
                == CheckCode.allCases.count + CMSFindingCode.allCases.count + RuleCatalog.all.count)
    }

    /// The linter's rules keep their words and how much they matter.
    @Test func takesOverTheLintersRules() {
        for rule in RuleCatalog.all {
            let entry = CheckCatalog.entry(CheckCatalog.documentCode(rule.code))
            #expect(entry?.severity == rule.severity)
            #expect(entry?.what == rule.title)
            #expect(entry?.why == rule.explanation)
            #expect(entry?.remedy == rule.remedy)
        }
        #expect(CheckCatalog.documentCode("json-html") == "document-html")
        #expect(CheckCatalog.documentCode("app-id-placeholder") == "document-app-id-placeholder")
        #expect(CheckCatalog.documentCode("jsonish") == "document-jsonish")
        expectWords(
            CheckCatalog.all.filter {
                ["document-app-not-listed", "document-more"].contains($0.code)
            }
        )
        #expect(CheckCatalog.entry("document-app-not-listed")?.severity == .error)
        #expect(CheckCatalog.entry("document-more")?.severity == .warning)
    }

    @Test func findsACodeByItsName() {
        #expect(CheckCatalog.entry("tls-name")?.code == "tls-name")
        #expect(CheckCatalog.entry("tls-nam") == nil)
        #expect(CheckCatalog.entry(.tlsName).what == CheckCatalog.entry("tls-name")?.what)
    }

    @Test func suggestsCodesThatAreLikeAWrongOne() {
        let tls = CheckCatalog.similar(to: "tls-nme")
        #expect(tls.contains("tls-name") && tls.contains("tls-expired"))
        #expect(tls.allSatisfy { $0.hasPrefix("tls") })
        #expect(CheckCatalog.similar(to: "expired").contains("tls-expired"))
        #expect(CheckCatalog.similar(to: "nonsense") == [])
    }

    /// A finding has the catalogue's words unless the judge knows better ones.
    @Test func fillsAFindingFromTheCatalogue() {
        let plain = CheckFinding(.tlsNo12, "m", subject: "s")
        #expect(plain.severity == .note)
        #expect(plain.remedy == CheckCatalog.entry("tls-no-1.2")?.remedy)
        #expect(plain.code == "tls-no-1.2" && plain.message == "m" && plain.subject == "s")
        let own = CheckFinding(.tlsNo12, "m", subject: "s", remedy: "r", severity: .error)
        #expect(own.severity == .error && own.remedy == "r")
    }
}
