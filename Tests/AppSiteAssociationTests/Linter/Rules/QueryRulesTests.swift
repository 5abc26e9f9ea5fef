import AppSiteAssociation
import Testing

@Suite struct QueryRulesTests: LintSuite {
    private func found(_ query: String, more: String = "") -> [String] {
        codes(components("{\"/\": \"/a\", \"?\": \(query)\(more)}"))
    }

    @Test(arguments: [
        ("a=1", nil as String?), ("?a=1", "query-with-mark"), ("?a", nil), ("?*", nil),
        ("???", nil), ("?=a", nil), ("?*=?*", nil), ("a?b=1", nil), ("é", "pattern-not-ascii"),
        ("a b", "pattern-with-blank"),
    ]) func aQueryIsNoPartOfAURL(_ query: String, _ code: String?) {
        #expect(found("\"\(query)\"") == [code].compactMap { $0 })
    }

    @Test(
        arguments: [
            (#"{}"#, ["query-empty"]), (#"{"a": "1"}"#, []), (#"{"a": ""}"#, []),
            (#"{"a": "*"}"#, ["query-star-matches-absent"]),
            (#"{"a": "***"}"#, ["query-star-matches-absent"]),
            (#"{"a": "?*"}"#, []), (#"{"a": "*1"}"#, []), (#"{"a": "é"}"#, ["pattern-not-ascii"]),
            (#"{"a": "%c3"}"#, ["pattern-lower-hex"]),
            (#"{"": "1"}"#, ["query-item-name"]), (#"{"a=b": "1"}"#, ["query-item-name"]),
            (#"{"a&": "1"}"#, ["query-item-name"]), (#"{"?a": "1"}"#, ["query-item-name"]),
            (##"{"#a": "1"}"##, ["query-item-name"]), (#"{"a*": "1"}"#, ["query-item-name"]),
            (#"{"$(lang)": "1"}"#, ["query-item-name"]), (#"{"$": "1"}"#, []),
            (#"{"$(": "1"}"#, []), (#"{"a[]": "1"}"#, []),
        ] as [(String, [String])])
    func itemsHaveNamesAndPatterns(_ query: String, _ wanted: [String]) {
        #expect(found(query) == wanted)
    }

    @Test func theRuleSaysHowURLsAreRead() {
        #expect(found(#"{"a": "é"}"#, more: ", \"percentEncoded\": false") == [])
        #expect(
            found(#""%41""#, more: ", \"percentEncoded\": false") == ["pattern-percent-literal"])
    }

    @Test func aVariableInANameIsSaidToBeOne() {
        let found = lint(components(#"{"/": "/a", "?": {"$(lang)": "1"}}"#))
        #expect(found.first?.message.hasSuffix("variables are not read in names") == true)
    }
}
