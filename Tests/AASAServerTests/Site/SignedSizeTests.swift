import AppSiteAssociation
import OpenSSL
import Testing

@testable import AASAServer

@Suite struct SignedSizeTests {
    private let fixture: SiteFixture

    init() throws { fixture = try SiteFixture() }

    private func warning(_ bytes: Int, _ settings: String) throws -> Diagnostic? {
        let text = SiteFixture.fragment
        let blanks = String(repeating: " ", count: bytes - text.utf8.count)
        try fixture.write("a.example/apple-app-site-association", text + blanks)
        try fixture.write("a.example/host.json", settings)
        let host = HostFolder.read(name: "a.example", path: fixture.site + "/a.example")
        return SignedSize.warning(
            of: host, DocumentBuilder.build(host.document, check: .readable).document)
    }

    @Test func onlyWhereNoSignatureFitsItIsSaid() throws {
        let most = SiteLimits.documentBytesMaximum - SignedSize.bytesAddedMinimum
        #expect(try warning(most, "{\"form\": \"signed\"}") == nil)
        #expect(try warning(most + 1, "{}") == nil)
        #expect(try warning(most + 1, "{\"form\": \"auto\"}") == nil)
        let signed = try #require(try warning(most + 1, "{\"form\": \"signed\"}"))
        #expect(signed.code == "site-signed-too-large" && signed.severity == .warning)
        #expect(signed.file.hasSuffix("a.example/host.json"))
        #expect(signed.message.contains("will not be served"))
    }

    @Test func theSmallestCertificateAddsNoLess() throws {
        let pair = try fixture.certify("a.example")
        let document = [UInt8](repeating: 0x20, count: 130_000)
        let der = try CMSSigner.sign(document, with: pair)
        #expect(der.count - document.count >= SignedSize.bytesAddedMinimum)
    }
}
