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
        expectEqual(decision("https://example.com/x"), .match)
        expectEqual(decision("HTTP://example.com/x"), .match)
        expectEqual(decision("ftp://example.com/x"), LinkDecision.none)
        expectEqual(decision("https://user@Example.com/x", "example.com"), .match)
        expectEqual(decision("https://example.com:443/x", "example.com"), .match)
        expectEqual(decision("https://example.com:8443/x", "example.com"), LinkDecision.none)
        expectEqual(decision("https://www.example.com/x", "example.com"), LinkDecision.none)
        expectEqual(decision("/x", "example.com"), .match)
        #expect(decision("example.com/x") == nil)
        #expect(decision("https:///x") == nil)
    }
}
