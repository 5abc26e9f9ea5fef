import AppSiteAssociation
import OpenSSL
import TestSupport
import Testing

@testable import AASAServer

@Suite struct SignedFindingsTests {
    private func signed(_ host: String) throws -> SourceText {
        let authority = try LocalAuthority.make(now: SiteFixture.now - 86_400)
        let plan = CertificateTemplate(
            commonName: host, names: [host], notBefore: SiteFixture.now - 1000,
            notAfter: SiteFixture.now + 100_000)
        let pair = try plan.make(issuer: authority.pair)
        let der = try CMSSigner.sign(Array(SiteFixture.fragment.utf8), with: pair)
        return SourceText(name: "signed", bytes: der)
    }

    private func codes(_ source: SourceText, host: String?, now: Int64?) -> [String] {
        SignedFindings(source, host: host, now: now, authorities: nil).findings.map(\.code)
    }

    @Test func whatCannotBeCheckedIsANote() throws {
        let source = try signed("a.example")
        let found = SignedFindings(
            source, host: nil, now: SiteFixture.now, authorities: nil)
        let note = try #require(found.findings.first { $0.code == "cms-not-checked" })
        #expect(note.severity == .note && note.message.contains("--host"))
        #expect(note.message.contains("--cacert") && found.signer != nil)
    }

    @Test func namesAndDatesAreErrorsWhereTheyAreKnown() throws {
        let source = try signed("a.example")
        let now = SiteFixture.now
        #expect(codes(source, host: "b.example", now: now).contains("cms-wrong-host"))
        #expect(!codes(source, host: "a.example", now: now).contains("cms-wrong-host"))
        #expect(codes(source, host: nil, now: now + 200_000).contains("cms-expired"))
        #expect(!codes(source, host: nil, now: nil).contains("cms-expired"))
    }

    @Test func aFileWithoutADocumentHasNoSigner() {
        let source = SourceText(name: "signed", bytes: [0x30, 0x80])
        let found = SignedFindings(source, host: nil, now: nil, authorities: nil)
        #expect(found.signer == nil && found.findings.contains { $0.severity == .error })
    }
}
