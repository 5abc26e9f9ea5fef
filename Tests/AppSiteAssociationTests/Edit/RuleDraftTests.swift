import AppSiteAssociation
import TestSupport
import Testing

@Suite struct RuleDraftTests {
    @Test(arguments: [
        ("/a", #"{"/":"/a"}"#), ("NOT /a", #"{"/":"/a","exclude":true}"#), ("", #"{"/":""}"#),
    ]) func aPatternOfPathsBecomesAComponent(_ pattern: String, _ component: String) {
        expectEqual(RuleDraft(path: pattern).description, component)
    }

    @Test func membersAreSetInPlaceAndTakenOut() {
        var draft = RuleDraft()
        #expect(draft.description == "{}" && draft[.path] == nil)
        draft[.path] = .text("/a")
        draft[.query] = .text("q=1")
        draft[.exclude] = .flag(true)
        draft[.path] = .text("/b")
        expectEqual(draft.description, #"{"/":"/b","?":"q=1","exclude":true}"#)
        draft[.query] = nil
        draft[.fragment] = nil
        expectEqual(draft.description, #"{"/":"/b","exclude":true}"#)
        #expect(draft[.exclude]?.bool == true && draft[.query] == nil)
    }

    /// Readers take the last of a repeated member, so that is the one to read and to change.
    @Test func theLastOfARepeatedMemberCounts() throws {
        let component = try JSONReader.read(text: #"{"/":"/a","exclude":true,"/":"/b"}"#).root
        var draft = try #require(RuleDraft(component: component))
        expectEqual(draft[.path]?.string, "/b")
        draft[.path] = .text("/c")
        expectEqual(draft.description, #"{"/":"/a","exclude":true,"/":"/c"}"#)
        draft[.path] = nil
        expectEqual(draft.description, #"{"/":"/a","exclude":true}"#)
    }

    @Test func onlyAnObjectIsAComponent() throws {
        let values = try JSONReader.read(text: #"["/a", [], {"x": 1}]"#).root.array ?? []
        expectEqual(values.map { RuleDraft(component: $0)?.description }, [nil, nil, #"{"x":1}"#])
    }

    @Test(arguments: [
        (#"{"/":"/a"}"#, "/a" as String?), (#"{"/":"/a","exclude":true}"#, "NOT /a"),
        (#"{"/":"/a","exclude":false}"#, "/a"), (#"{"/":"/a","comment":"c"}"#, "/a"),
        (#"{"/":"/a","?":"q=1"}"#, nil), (##"{"/":"/a","#":"x"}"##, nil),
        (#"{"/":"/a","caseSensitive":false}"#, nil), (#"{"/":"/a","percentEncoded":false}"#, nil),
        (#"{"exclude":true}"#, nil), (#"{"/":1}"#, nil), (#"{"/":"/a","exclude":"true"}"#, nil),
        (##"{"/":"/a","?":"*","#":"*"}"##, "/a"),
    ]) func aPathAloneSaysNoMoreThanItCan(_ component: String, _ text: String?) throws {
        let draft = RuleDraft(component: try JSONReader.read(text: component).root)
        try expectEqual(#require(draft).pathText, text)
    }
}
