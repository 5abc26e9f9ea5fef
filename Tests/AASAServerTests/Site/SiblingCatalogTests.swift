import TestSupport
import Testing

@testable import AASAServer

@Suite struct SiblingCatalogTests {
    @Test(arguments: [
        ("assetlinks.json", "[]", "application/json"),
        ("webauthn", "{}", "application/json"),
        ("passkey-endpoints", "{}", "application/json"),
        ("security.txt", "Contact:", "text/plain; charset=utf-8"),
        ("apple-developer-merchantid-domain-association", "7B22", "text/plain"),
        ("acme-challenge/abc", "{", "application/octet-stream"),
        ("something", " \n{}", "application/json"), ("something", "x", "application/octet-stream"),
        ("something.JSON", "", "application/json"), ("a/b.txt", "", "text/plain; charset=utf-8"),
    ])
    func everyDocumentHasTheTypeItRequires(name: String, text: String, type: String) {
        expectEqual(SiblingCatalog.mediaType(of: name, bytes: Array(text.utf8)), type)
    }

    @Test(arguments: [
        ("webauthn.json", "webauthn" as String?), ("asset-links.json", "assetlinks.json"),
        ("passkey-endpoint", "passkey-endpoints"), ("assetlinks", "assetlinks.json"),
        ("webauthn", nil), ("host-meta.json", nil), ("nodeinfo/x", nil), ("x", nil),
    ])
    func nearlyKnownNamesAreNamed(name: String, known: String?) {
        expectEqual(SiblingCatalog.correction(of: name), known)
    }

    @Test func ordinaryDocumentsAreNotRefused() {
        #expect(SiblingCatalog.refusal(of: "assetlinks.json", bytes: [91, 93]) == nil)
        #expect(SiblingCatalog.refusal(of: "a/b-c_d.txt", bytes: []) == nil)
    }

    @Test func theProbeForSoftErrorsStaysAway() {
        let name = "resource-that-should-not-exist-whose-status-code-should-not-be-200"
        #expect(SiblingCatalog.refusal(of: name, bytes: []) != nil)
    }
}
