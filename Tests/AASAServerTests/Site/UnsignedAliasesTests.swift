import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAServer

@Suite struct UnsignedAliasesTests {
    private func finding(
        _ aliases: [String], _ form: AssociationForm, isReadyMade: Bool = false
    ) -> Diagnostic? {
        UnsignedAliases.finding(
            aliases, of: "a.example", form: form, isReadyMade: isReadyMade)
    }

    @Test func whereAllAreCoveredNothingIsSaid() {
        for form in AssociationForm.allCases { #expect(finding([], form) == nil) }
    }

    @Test func theAliasTheAnswerAndTheRemedyAreNamed() throws {
        let auto = try #require(finding(["w.a.example"], .auto))
        #expect(auto.code == "site-cannot-sign" && auto.severity == .error)
        #expect(auto.file == "a.example" && auto.message.contains("the alias w.a.example:"))
        #expect(auto.message.contains("as JSON"))
        expectEqual(auto.remedy?.contains("one certificate for all names"), true)
        let signed = try #require(finding(["w.a.example"], .signed))
        #expect(signed.severity == .error && signed.message.hasSuffix("503"))
    }

    @Test func aReadyMadeSignatureIsAnErrorWhereItLeavesNoAnswer() throws {
        for form in AssociationForm.allCases {
            let found = try #require(finding(["w.a.example"], form, isReadyMade: true))
            expectEqual(found.code, "cms-wrong-host")
            expectEqual(found.severity, (form == .signed ? .error : .warning))
            expectEqual(found.remedy?.hasPrefix("sign it with one certificate"), true)
        }
    }

    @Test func aThousandAliasesAreCounted() throws {
        let aliases = (0..<1000).map { "w\($0).a.example" }
        let found = try #require(finding(aliases, .signed))
        #expect(found.message.contains("w4.a.example and 995 more"))
        #expect(!found.message.contains("w5.a.example"))
    }
}
