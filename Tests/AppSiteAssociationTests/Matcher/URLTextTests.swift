import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct URLTextTests {
    /// The parts of a URL in one form: path, query, fragment, and the items.
    private func parts(
        _ url: String, caseSensitive: Bool = true, percentEncoded: Bool = true
    ) throws -> [String] {
        let text = URLText(
            try #require(URLParts(url)), caseSensitive: caseSensitive,
            percentEncoded: percentEncoded, Steps())
        return [text.path, text.query, text.fragment].map(\.string)
            + text.items.sorted { $0.key < $1.key }.flatMap { name, values in
                values.map { "\(name.text):\($0.string)" }
            }
    }

    @Test(arguments: [
        ("/a", ["a", "", ""]), ("/a?", ["a", "", "", ":"]), ("/a#", ["a", "", ""]),
        ("/?q", ["", "q", "", "q:"]), ("/?q=", ["", "q=", "", "q:"]),
        ("/?q=1&r=2#f?g", ["", "q=1&r=2", "f?g", "q:1", "r:2"]),
        ("/?a=b=c", ["", "a=b=c", "", "a:b=c"]), ("/?&", ["", "&", "", ":", ":"]),
        ("/?=x&", ["", "=x&", "", ":x", ":"]),
        ("https://Ex.example/P?Q#F", ["P", "Q", "F", "Q:"]),
    ]) func aURLIsTakenApart(_ url: String, _ wanted: [String]) throws {
        try expectEqual(parts(url), wanted)
    }

    /// As Foundation writes what may not stand in a URL, in capitals.
    @Test func whatMayNotStandIsPercentEncoded() throws {
        try expectEqual(parts("/é |~?\"#<>"), ["%C3%A9%20%7C~", "%22", "%3C%3E", "%22:"])
        try expectEqual(parts("/\u{7F}\u{1}"), ["%7F%01", "", ""])
        // What is encoded stays as it is written.
        try expectEqual(parts("/%c3%A9%zz%"), ["%c3%A9%zz%", "", ""])
    }

    @Test func foldedTextHasNoCapitals() throws {
        try expectEqual(
            parts("/AbÉ?Q=X#Y", caseSensitive: false),
            ["ab%c3%89", "q=x", "y", "q:x"])
        try expectEqual(parts("/%C3%A9/%2F", caseSensitive: false), ["%c3%a9/%2f", "", ""])
    }

    @Test(arguments: [
        ("/%41%42", "AB"), ("/%c3%A9é", "éé"), ("/%2Fa%2f", "a"), ("/a%2Fb", "a/b"), ("/%", "%"),
        ("/%4", "%4"), ("/%4g", "%4g"), ("/%g4", "%g4"), ("/%%41", "%A"), ("/%2541", "%41"),
        ("/%09%40%5A%7a", "\t@Zz"), ("/%:0%0:%/0%@0%G0%`0%g0", "%:0%0:%/0%@0%G0%`0%g0"),
        ("/%0a%0F%a0", "\n\u{F}\u{FFFD}"),
    ]) func decodedTextHasNoEscapes(_ url: String, _ path: String) throws {
        try expectEqual(parts(url, percentEncoded: false).first, path)
    }

    /// What is decoded does not become a separator, but a part of what it stands in.
    @Test func separatorsAreFoundBeforeDecoding() throws {
        try expectEqual(
            parts("/?a%26b=c%3Dd&e%3d=%23", percentEncoded: false),
            ["", "a&b=c=d&e==#", "", "a&b:c=d", "e=:#"])
    }

    /// Folding may lengthen what was decoded: U+023A becomes three bytes.
    @Test func foldedLettersMayBeLonger() throws {
        let long = String(repeating: "%C8%BA", count: 300)
        let small = String(repeating: "\u{2C65}", count: 300)
        try expectEqual(
            parts("/\(long)?\(long)#x", caseSensitive: false, percentEncoded: false),
            [small, small, "x", "\(small):"])
    }

    /// Each rule is compared with the form that it asks for, whatever those around it ask for.
    @Test(arguments: [
        ("/A%4a", 0), ("/a%4A", 1), ("/AJ", 2), ("/a%4a", 1), ("/%41%6A", 3), ("/x", nil),
    ]) func rulesOfAllFormsStandInOneList(_ url: String, _ rule: Int?) throws {
        let association = CompiledAssociation(
            AssociationFile(
                document: try JSONReader.read(
                    text: """
                        {"applinks": {"details": [{"appID": "A.a", "components": [
                          {"/": "/A%4a"}, {"/": "/a%4A", "caseSensitive": false},
                          {"/": "/AJ", "percentEncoded": false},
                          {"/": "/aj", "percentEncoded": false, "caseSensitive": false}]}]}}
                        """)))
        let decision = try #require(association.decide(url: url)?.first)
        expectEqual(decision.rule?.rule, rule.map { RuleReference.Rule.component($0) })
    }
}
