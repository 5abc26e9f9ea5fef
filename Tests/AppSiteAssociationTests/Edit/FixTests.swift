import AppSiteAssociation
import Testing

@Suite struct FixTests {
    private func fixed(_ text: String, as kind: LintKind = .association) -> (String, [String]) {
        let (bytes, codes) = Fixer.fixed(SourceText(name: "f", text: text)) {
            Linter.lint($0, as: kind)
        }
        return (String(decoding: bytes, as: UTF8.self), codes)
    }

    private func rules(_ rules: String) -> String {
        #"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.a"],"components":[\#(rules)]}]}}"#
    }

    @Test func mendsJSON() {
        let text =
            "\u{FEFF}{ // note\n  \"webcredentials\": {\"apps\": [ /* one */ \"D3KQX62K1A.com.a\", ] },\n}\n"
        let (result, codes) = fixed(text)
        #expect(result == "{\n  \"webcredentials\": {\"apps\": [ \"D3KQX62K1A.com.a\" ] }\n}\n")
        #expect(codes.first == "json-byte-order-mark")
        #expect(codes.count == 5)
    }

    @Test func mendsRules() {
        let (result, codes) = fixed(
            rules(##"{"/":"/a/*"}, {"/":"/a/b"},  {"/":"/%c3","#":"#x"}, {"/":"/a/c"}"##))
        #expect(result == rules(##"{"/":"/a/*"}, {"/":"/%C3","#":"x"}"##), "\(result)")
        #expect(codes.contains("rule-redundant"))
    }

    @Test func mendsSiblings() {
        #expect(
            fixed(#"{"origins":["https://a.example", "https://a.example"]}"#, as: .webAuthn).0
                == #"{"origins":["https://a.example"]}"#)
    }

    @Test func leavesTheRestAlone() {
        let text = rules(#"{"/":"/a"},   {"/":"/b?x=1"}"#)
        #expect(fixed(text).0 == text)
        #expect(fixed(text).1.isEmpty)
    }
}
