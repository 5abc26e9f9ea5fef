import AppSiteAssociation
import TestSupport
import Testing

@Suite struct PatternRulesTests: LintSuite {
    /// What is said of the patterns of a component.
    private func found(_ component: String) -> [String] {
        codes(components(component)).filter {
            $0.hasPrefix("pat") || $0.hasPrefix("fragment") || $0 == "component-with-not"
        }.sorted()
    }

    private func path(_ path: String, more: String = "") -> [String] {
        found("{\"/\": \"\(path)\"\(more)}")
    }

    @Test(arguments: [
        ("/a", nil as String?), ("", "path-empty"), ("NOT /a", "component-with-not"),
        ("!/a", "component-with-not"), ("not /a", "component-with-not"),
        ("!/a", "component-with-not"), ("^/a$", "pattern-not-glob"), ("\\\\a", "pattern-not-glob"),
        ("/NOT /a", "pattern-with-blank"), ("/a#b", "path-with-fragment"),
        ("https://example.com/buy", "path-is-url"), ("http?://*", "path-is-url"),
        // A path may hold a URL, and a URL another one.
        ("/proxy/https://*", nil), ("https://a.example/x/http://b", "path-is-url"),
        ("*://*", nil), ("1a://b", "path-without-slash"),
        ("/a?b=c", "path-with-query"), ("/a?b-_1=", "path-with-query"), ("/a?=c", nil),
        ("/a?b", nil), ("/a?b*=c", nil), ("/??/color=*", nil), ("/a?é?b=c", "path-with-query"),
        ("a/b", "path-without-slash"), ("*a", nil), ("?a", nil), ("$(lang)", nil),
    ]) func pathsAreNoURLs(_ text: String, _ code: String?) {
        expectEqual(path(text), [code].compactMap { $0 })
    }

    @Test(arguments: [
        ("/a b", "pattern-with-blank" as String?), ("/a\\tb", "pattern-with-blank"),
        ("/a\u{7F}", "pattern-with-blank"), ("/é", "pattern-not-ascii"),
        ("/%c3", "pattern-lower-hex"), ("/%3A%3b", "pattern-lower-hex"),
        ("/%C3%3A", nil), ("/%cg", "pattern-not-encoded"),
        ("/%gc", "pattern-not-encoded"), ("/%c", "pattern-not-encoded"),
        ("/%", "pattern-not-encoded"), ("/%*", nil), ("/%c?", nil), ("/%$(alpha)", nil),
        ("/%09", nil),
    ]) func charactersAreThoseOfAURL(_ text: String, _ code: String?) {
        expectEqual(path(text), [code].compactMap { $0 })
        expectEqual(
            found("{\"/\": \"/x\", \"#\": \"\(text.dropFirst())\"}"), [code].compactMap { $0 })
    }

    /// The advice names the sign that is there.
    @Test(arguments: [
        ("/ü/東京", "Write \"/%C3%BC/%E6%9D%B1%E4%BA%AC\", or set percentEncoded to false."),
        ("/a\u{200B}*", "Remove the invisible character U+200B."),
        ("/50%", "Write %25, or set percentEncoded to false."),
    ]) func theEncodedFormIsTold(_ path: String, _ remedy: String) {
        let found = lint(components("{\"/\": \"\(path)\"}"))
        #expect(found.compactMap(\.remedy).contains(remedy), "\(found)")
    }

    /// Parts of a regular expression also stand in queries and fragments.
    @Test(arguments: ["[0-9]+", "x[a-z]", "[A-Z"])
    func classesOfCharactersAreNone(_ text: String) {
        expectEqual(found("{\"/\": \"/x\", \"#\": \"\(text)\"}"), ["pattern-not-glob"])
        expectEqual(found("{\"/\": \"/x\", \"?\": {\"a\": \"\(text)\"}}"), ["pattern-not-glob"])
        expectEqual(found("{\"/\": \"/x\", \"?\": \"filter[a]=[b-c]\"}"), [])
    }

    @Test func aCommaSeparatesNothing() {
        #expect(path("/a,/b") == ["pattern-not-glob"] && path("/a,b/c,") == [])
    }

    /// Those that only stand percent-encoded in a URL; escaped as JSON has them.
    @Test(arguments: ["\\\"", "<", ">", "^", "`", "{", "|", "}", "*|?", "$(alpha)^"])
    func signsThatURLsEncodeAreTold(_ sign: String) {
        expectEqual(path("/a\(sign)"), ["pattern-not-encoded"])
        expectEqual(found("{\"/\": \"/x\", \"#\": \"a\(sign)\"}"), ["pattern-not-encoded"])
        expectEqual(path("/a\(sign)", more: ", \"percentEncoded\": false"), [])
        let old = "{\"appID\": \"\(Self.shop)\", \"paths\": [\"NOT /a\(sign)\"]}"
        #expect(codes(details(old)).contains("pattern-not-encoded"))
    }

    @Test(arguments: ["/a!$&'()*+,;=:@-._~[]%7C", "/$(alpha)", "/$(a|b é#c)/x"])
    func signsThatURLsHoldAreNotTold(_ text: String) {
        expectEqual(path(text).filter { $0 != "pattern-not-glob" }, [])
    }

    @Test func theSignAndItsEncodedFormAreNamed() {
        let finding = lint(components(#"{"/": "/a|b"}"#)).first
        expectEqual(finding?.message, "\"/a|b\" has |, which URLs contain as %7C")
    }

    @Test(
        arguments: [
            ("/%41", ["pattern-percent-literal"]), ("/%4", []), ("/é b", []),
            (
                "/%c3",
                [
                    "pattern-percent-literal"
                ]
            ),
        ] as [(String, [String])])
    func decodedURLsHaveOtherCharacters(_ text: String, _ wanted: [String]) {
        expectEqual(path(text, more: ", \"percentEncoded\": false"), wanted)
    }

    @Test(arguments: [
        ("/^a", true), ("/a^", false), ("/a\\\\b", true), ("/[ab]", true), ("/[ab", false),
        ("/(.*)", true), ("/a/(.*)", true), ("/.*", true), ("/a/.*", true), ("/a.*", false),
        ("/(.*)/b", false), ("/a$", true), ("/$a", false), ("/:id", true), ("/a/:id/b", true),
        ("/:", false), ("/a:b", false), ("/{id}", true), ("/a/{id", false), ("/x{id}", true),
        ("/item-{id}.html", true), ("/${lang}/x", true), ("/<id>", true), ("/a<b", false),
        ("/a}{b", false), ("/{a/b}", false),
        ("/(a|b)", true), ("/x(a|b)y/z", true), ("/(a)/|", false), ("/a|b", false),
        ("/$(lang)/*", false), ("/a.html", false),
    ]) func patternsOfOtherFormatsAreTold(_ text: String, _ isForeign: Bool) {
        expectEqual(path(text).contains("pattern-not-glob"), isForeign)
    }

    @Test func fragmentsHaveNoSign() {
        expectEqual(found(##"{"#": "#a"}"##), ["fragment-with-hash"])
        expectEqual(found(##"{"#": "a#"}"##), [])
        expectEqual(found(##"{"#": ""}"##), [])
    }

    /// What stands there once is said once: of several faults the one that explains the others.
    @Test func oneFaultHidesThoseThatFollowFromIt() {
        expectEqual(path("https://a.example/x?y=z#é b"), ["path-is-url"])
        expectEqual(path("NOT /a#b"), ["component-with-not"])
        expectEqual(path("/a?b=c#d"), ["path-with-fragment"])
        expectEqual(path("/{id}"), ["pattern-not-glob"])
        expectEqual(path("a é"), ["path-without-slash", "pattern-not-ascii", "pattern-with-blank"])
    }
}
