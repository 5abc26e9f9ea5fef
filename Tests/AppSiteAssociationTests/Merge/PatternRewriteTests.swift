import Testing

@testable import AppSiteAssociation

@Suite struct PatternRewriteTests {
    private let rewrite = PatternRewrite(renames: ["v": "w"])

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

    @Test(arguments: [
        ("$(v)", "$(long)"), ("a$(v)b$(v)c", "a$(long)b$(long)c"), ("$(V)$(vv)$()", "$(V)$(vv)$()"),
        ("$(v", "$(v"), ("$v)", "$v)"), ("$(u)", "$(v)"), ("$(u)$(v)", "$(v)$(long)"),
        ("$($(v)", "$($(long)"), ("$((v)", "$((v)"), ("é$(v)é", "é$(long)é"), ("", ""),
    ]) func namesAreReplacedAtOnce(_ before: String, _ after: String) {
        #expect(PatternRewrite.renaming(before, ["v": "long", "u": "v"]) == after)
    }

    @Test(
        arguments: [
            ("$(a)", ["a"], [0..<4]), ("x$(a)$(b)", ["a", "b"], [1..<5, 5..<9]),
            ("$()", [""], [0..<3]),
            ("$$(a)", ["a"], [1..<5]), ("$(a$(b)", ["b"], [3..<7]), ("$(a(b)", [], []),
            ("$(", [], []), ("$", [], []), ("$(a", [], []), ("(a)", [], []),
            ("$(a b)", ["a b"], [0..<6]),
        ] as [(String, [String], [Range<Int>])])
    func referencesAreFound(_ text: String, _ names: [String], _ ranges: [Range<Int>]) {
        let found = VariableReference.all(in: Array(text.utf8))
        #expect(found.map(\.name.text) == names && found.map(\.range) == ranges)
        // In step with the matcher: what is no reference is text that stands for itself.
        if names.isEmpty { #expect(Pattern(text, place: .text).matches(text)) }
    }

    @Test func namesAreListedOnce() {
        #expect(VariableReference.names(in: "$(b)$(a)$(b)$(A)") == ["b", "a", "A"])
        // By their bytes, as they are compared.
        #expect(VariableReference.names(in: "$(\u{E9})$(e\u{301})").count == 2)
    }
}
