import Testing

@testable import AppSiteAssociation

@Suite struct VariableRenamingTests {
    private let rewrite = VariableRenaming(["v": "w"])

    private func members(_ text: String) throws -> [JSONMember] {
        try #require(try JSONReader.read(text: text).root.members)
    }

    private func text(_ members: [JSONMember]) -> String {
        String(decoding: JSONWriter.minified(JSONValue(.object(members))), as: UTF8.self)
    }

    @Test(arguments: [
        // Patterns of a component, and nothing else.
        (##"{"/":"$(v)","#":"$(v)","?":"$(v)"}"##, ##"{"/":"$(w)","#":"$(w)","?":"$(w)"}"##),
        (#"{"?":{"$(v)":"$(v)","a":1}}"#, #"{"?":{"$(v)":"$(w)","a":1}}"#),
        (#"{"comment":"$(v)","x":"$(v)","?":["$(v)"]}"#, nil as String?),
        (#"{"/":["$(v)"],"exclude":true}"#, nil),
    ]) func patternsOfComponentsAreRewritten(_ before: String, _ after: String?) throws {
        #expect(text(rewrite.component(try members(before))) == after ?? before)
    }

    @Test(arguments: [
        (
            #"{"paths":["$(v)","NOT $(v)",1],"components":[{"/":"$(v)"},"$(v)",{"?":{"a":"$(v)"}}]}"#,
            #"{"paths":["$(w)","NOT $(w)",1],"components":[{"/":"$(w)"},"$(v)",{"?":{"a":"$(w)"}}]}"#
                as String?
        ),
        (#"{"defaults":{"/":"$(v)"}}"#, #"{"defaults":{"/":"$(w)"}}"#),
        (#"{"appIDs":["$(v)"],"x":{"/":"$(v)"},"paths":"$(v)","defaults":"$(v)"}"#, nil),
    ]) func patternsOfEntriesAreRewritten(_ before: String, _ after: String?) throws {
        #expect(text(rewrite.detail(try members(before))) == after ?? before)
    }

    /// Findings of a merge point into the fragments: what is rewritten keeps its place.
    @Test func placesAreKept() throws {
        let before = try members(#"{"paths":["$(v)"],"components":[{"/":"$(v)"}]}"#)
        let after = rewrite.detail(before)
        #expect(after.map(\.range) == before.map(\.range))
        #expect(
            after.map { $0.value.array?.first?.range }
                == before.map { $0.value.array?.first?.range })
    }
}
