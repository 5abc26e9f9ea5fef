import AppSiteAssociation
import TestSupport
import Testing

@Suite struct URLPartsTests {
    private func association(_ text: String) throws -> CompiledAssociation {
        CompiledAssociation(try AssociationFile(reading: SourceText(name: "test", text: text)))
    }

    @Test func onlyWebAddressesOfTheDomainCount() throws {
        let association = try association(
            """
            {"applinks": {"details": [{"appID": "A.one", "paths": ["*"]}]}}
            """)
        func decision(_ url: String, _ domain: String? = nil) -> LinkDecision? {
            association.decide(url: url, domain: domain)?.first?.decision
        }
        #expect(decision("https://example.com/x") == .match)
        #expect(decision("HTTP://example.com/x") == .match)
        #expect(decision("ftp://example.com/x") == LinkDecision.none)
        #expect(decision("https://user@Example.com/x", "example.com") == .match)
        #expect(decision("https://example.com:443/x", "example.com") == .match)
        #expect(decision("https://example.com:8443/x", "example.com") == LinkDecision.none)
        #expect(decision("https://www.example.com/x", "example.com") == LinkDecision.none)
        #expect(decision("/x", "example.com") == .match)
        #expect(decision("example.com/x") == nil)
        #expect(decision("https:///x") == nil)
    }
}
