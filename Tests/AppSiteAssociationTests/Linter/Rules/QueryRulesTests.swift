import AppSiteAssociation
import TestSupport
import Testing

@Suite struct QueryRulesTests: LintSuite {
    private func found(_ query: String, more: String = "") -> [String] {
        codes(components("{\"/\": \"/a\", \"?\": \(query)\(more)}"))
    }

    @Test(arguments: [
        ("a=1", nil as String?), ("?a=1", "query-with-mark"), ("?a", nil), ("?*", nil),
        ("???", nil), ("?=a", nil), ("?*=?*", nil), ("a?b=1", nil), ("é", "pattern-not-ascii"),
        ("a b", "pattern-with-blank"), ("a=b|c", "pattern-not-encoded"), ("a=1&b=2", nil),
        ("a=1#z", "query-with-hash"), ("a=1%23z", nil),
    ]) func aQueryIsNoPartOfAURL(_ query: String, _ code: String?) {
        expectEqual(found("\"\(query)\""), [code].compactMap { $0 })
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
            (#"{"a": "b|c"}"#, ["pattern-not-encoded"]),
            (#"{"a": "1&b=2"}"#, ["query-value-with-separator"]),
            (##"{"a": "1#z"}"##, ["query-with-hash"]), (#"{"a": "1%26b=2%23z"}"#, []),
            // Names are compared with the URL as values are.
            (#"{"a b": "1"}"#, ["pattern-with-blank"]), (#"{"é": "1"}"#, ["pattern-not-ascii"]),
            (#"{"a|b": "1"}"#, ["pattern-not-encoded"]),
            (#"{"%c3": "1"}"#, ["pattern-lower-hex"]), (#"{"%C3": "1"}"#, []),
        ] as [(String, [String])])
    func itemsHaveNamesAndPatterns(_ query: String, _ wanted: [String]) {
        expectEqual(found(query), wanted)
    }

    @Test func theRuleSaysHowURLsAreRead() {
        let query = ##"{"a": "é", "b c": "1", "é": "b|c", "d": "1&2#3"}"##
        expectEqual(found(query, more: ", \"percentEncoded\": false"), [])
        expectEqual(found(##""a=1#z""##, more: ", \"percentEncoded\": false"), [])
        expectEqual(
            found(#"{"%C3": "1"}"#, more: ", \"percentEncoded\": false"),
            ["pattern-percent-literal"])
        expectEqual(
            found(#""%41""#, more: ", \"percentEncoded\": false"), ["pattern-percent-literal"])
    }

    @Test func aVariableInANameIsSaidToBeOne() {
        let found = lint(components(#"{"/": "/a", "?": {"$(lang)": "1"}}"#))
        expectEqual(found.first?.message.hasSuffix("names cannot contain variables"), true)
    }
}
