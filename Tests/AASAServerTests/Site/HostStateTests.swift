import AppSiteAssociation
import Testing

@testable import AASAServer

@Suite struct HostStateTests {
    private func text(_ name: String, _ text: String) -> SourceText {
        SourceText(name: name, text: text)
    }

    /// An unchanged source is not built again: what looks the same has to be the same.
    @Test func aSourceIsTheSameByNameAndBytes() {
        let one = text("A.json", "{}")
        #expect(one.isSame(as: one))
        #expect(one.isSame(as: text("A.json", "{}")))
        #expect(!one.isSame(as: text("B.json", "{}")), "its name is its team")
        #expect(!one.isSame(as: text("A.json", "{ }")))
    }

    @Test func aDocumentsSourcesAreComparedOneByOne() {
        let (a, b) = (text("A.json", "{}"), text("B.json", "{}"))
        let both = DocumentSource.fragments([a, b])
        #expect(both.isSame(as: .fragments([text("A.json", "{}"), text("B.json", "{}")])))
        // The order is the priority of the teams.
        #expect(!both.isSame(as: .fragments([b, a])))
        #expect(!both.isSame(as: .fragments([a])))
        #expect(!DocumentSource.fragments([a]).isSame(as: both))
        #expect(!DocumentSource.fragments([a]).isSame(as: .readyMade(a)))
        #expect(DocumentSource.readyMade(a).isSame(as: .readyMade(text("A.json", "{}"))))
        #expect(!DocumentSource.readyMade(a).isSame(as: .readyMade(b)))
        #expect(DocumentSource.none.isSame(as: .none))
        #expect(!DocumentSource.none.isSame(as: .fragments([])))
    }
}
