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
        #expect(result == rules(##"{"/":"/a/*"}, {"/":"/%c3","#":"x"}"##), "\(result)")
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

    /// Each of these fixes once changed which URLs open.
    @Test(arguments: [
        // The opposite of a member: its value has to change as well.
        ##"{"/":"/a","include":true}"##, ##"{"/":"/a","ignoreCase":true}"##,
        ##"{"/":"/a","case_insensitive":true}"##, ##"{"/":"/a","percentDecoded":true}"##,
        // A pattern where its sign belongs, and a value that does not fit the right name.
        ##"{"/buy/*":"all products"}"##, ##"{"paths":["/buy/*"]}"##, ##"{"Exclude":"yes"}"##,
        // Both forms of an escape, as URLs are written in both.
        ##"{"/":"/caf%C3%A9/*"}, {"/":"/caf%c3%a9/*"}"##,
        // Any item that is not empty.
        ##"{"/":"/a","?":"?*=?*"}, {"/":"/b","?":"?=*"}"##,
    ])
    func leavesWhatWouldOpenOtherURLs(rules text: String) {
        #expect(fixed(rules(text)).0 == rules(text))
    }

    @Test func keepsAnEmptyQueryThatOverridesDefaults() {
        let defaults = ##"{"applinks":{"defaults":{"?":{"q":"?*"}},"details":["##
        let text =
            defaults + ##"{"appIDs":["D3KQX62K1A.com.a"],"components":[{"/":"/a","?":{}}]}]}}"##
        #expect(fixed(text).0 == text)
        let own = rules(##"{"/":"/a","?":{}}"##)
        #expect(fixed(own).0 == rules(##"{"/":"/a"}"##))
    }

    @Test func mendsEveryMemberOfAGroup() {
        let covered = (0..<120).map { ##"{"/":"/a/\##($0)"}"## }.joined(separator: ", ")
        #expect(fixed(rules(##"{"/":"/a/*"}, \##(covered)"##)).0 == rules(##"{"/":"/a/*"}"##))
    }

    @Test(arguments: [
        (#"{applinks: {"details": []}}"#, #"{"applinks": {"details": []}}"#),
        (
            #"{"webcredentials": {"apps": [D3KQX62K1A.com.a]}}"#,
            #"{"webcredentials": {"apps": ["D3KQX62K1A.com.a"]}}"#
        ),
        (
            #"{"webcredentials": {"apps": "D3KQX62K1A.com.a"}}"#,
            #"{"webcredentials": {"apps": ["D3KQX62K1A.com.a"]}}"#
        ),
    ]) func mendsSlips(_ text: String, _ wanted: String) {
        #expect(fixed(text).0 == wanted)
    }

    @Test(arguments: [
        (#"{"/":"/a","exclude":"TRUE"}"#, #"{"/":"/a","exclude":true},{"/":"*"}"#),
        (#"{"/":"/a","exclude":True}"#, #"{"/":"/a","exclude":true},{"/":"*"}"#),
        (#"{"/":"/a","exlude":true}"#, #"{"/":"/a","exclude":true},{"/":"*"}"#),
        (#"{"/":"/a","exclude":true,"?":{}}"#, #"{"/":"/a","exclude":true},{"/":"*"}"#),
    ]) func mendsMembers(_ rule: String, _ wanted: String) {
        #expect(fixed(rules(rule + #",{"/":"*"}"#)).0 == rules(wanted))
    }

    @Test func mendsEntries() {
        func paths(_ paths: String) -> String {
            #"{"applinks":{"details":[{"appID":"D3KQX62K1A.com.a","paths":[\#(paths)]}]}}"#
        }
        #expect(
            fixed(paths(#""not /a", "NOT  /b", "!/c", "Not/d", "*""#)).0
                == paths(#""NOT /a", "NOT /b", "NOT /c", "NOT /d", "*""#))
        let entry =
            #"{"applinks":{"details":[{"appID":["D3KQX62K1A.com.a"],"components":{"/":"/a"}}]}}"#
        #expect(fixed(entry).0 == rules(#"{"/":"/a"}"#))
        #expect(
            fixed(
                #"{"appLinks":{"detials":[{"app_ids":["D3KQX62K1A.com.a"],"Components":[{"/":"/a"}]}]}}"#
            )
            .0 == rules(#"{"/":"/a"}"#))
        #expect(
            fixed(
                "Contact: a@b.example\nExpires: 2999-01-01T00:00:00Z\n", as: .securityText
            ).0.hasPrefix("Contact: mailto:a@b.example\n"))
    }

    /// What is a guess is left to a person.
    @Test(arguments: [
        #"{"webcredentials": {"apps": ["a""b"]}}"#,
        #"{"applinks":{"details":{"0":{"appIDs":["D3KQX62K1A.com.a"]}}}}"#,
        #"{"webcredentials":{"apps":["D3KQX62K1A.com.a"]},"webCredentials":{"apps":["D3KQX62K1A.com.b"]}}"#,
    ]) func doesNotGuess(_ text: String) {
        #expect(fixed(text).0 == text)
    }
    /// A pass for every finding, or for a hundred of them, would read the document as often.
    @Test(arguments: [
        // Side by side, every other one goes with each pass.
        (
            ##"{"webcredentials":{"apps":[@]}}"##, ##""D3KQX62K1A.com.a""##, "app-listed-twice", 16
        ),
        (
            ##"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.a"],"components":[{"/":"/a*"},@]}]}}"##,
            ##"{"/":"/ab"}"##, "rule-redundant", 16
        ),
        (
            ##"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.a"],"components":[@]}]}}"##,
            ##"{"/":"/#","exclude":"true"}"##, "flag-not-boolean", 3
        ),
        (
            ##"{"applinks":{"details":[@]}}"##,
            ##"{"appIDs":["D3KQX62K1A.com.a"],"Components":[{"/":"/#"}]}"##, "entry-key-misspelt", 3
        ),
    ])
    func mendsManyInFewPasses(frame: String, item: String, code: String, maximum: Int) {
        let count = 3_000
        let items = (0..<count).map { item.replacing("#", with: "\($0)x") }
        let text = frame.replacing("@", with: items.joined(separator: ","))
        var passes = 0
        let file = LintFile(SourceText(name: "f", text: text), as: .association)
        let (bytes, codes) = Fixer.fixed(file.source) { source in
            passes += 1
            return Linter.lintHost([LintFile(file, fixed: source)])
        }
        #expect(passes <= maximum)
        #expect(codes.filter { $0 == code }.count >= count - 1)
        let left = Linter.lint(SourceText(name: "f", bytes: bytes), as: .association)
        #expect(!left.contains { $0.code == code }, "\(left.prefix(2))")
    }

    /// Of what nobody mends, a hundred are enough for a hostile document.
    @Test func listsAllOnlyOfWhatItMends() {
        let text =
            ##"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.a"],"paths":["##
            + Array(repeating: "1", count: 5_000).joined(separator: ",") + "]}]}}"
        let file = LintFile(SourceText(name: "f", text: text), as: .association)
        let found = Linter.lintHost([LintFile(file, fixed: file.source)])
        #expect(found.filter { $0.code == "path-not-string" }.count == 100)
        #expect(found.contains { $0.omission?.count == 4_900 })
    }

    /// What is dead only because something beside it is misspelt.
    @Test(arguments: [
        (
            ##"{"path":"/buy/*"},{"/":"/help/*"},{"/":"/x"}"##,
            ##"{"/":"/buy/*"},{"/":"/help/*"},{"/":"/x"}"##
        ),
        (
            ##"{"/":"*"},{"/":"/help/*","exlude":true}"##,
            ##"{"/":"*"},{"/":"/help/*","exclude":true}"##
        ),
        (
            ##"{"/":"*"},{"/":"/help/*","exclude":"true"}"##,
            ##"{"/":"*"},{"/":"/help/*","exclude":true}"##
        ),
    ]) func takesNothingAwayBesideASlip(_ text: String, _ wanted: String) {
        #expect(fixed(rules(text)).0 == rules(wanted))
    }

    @Test func keepsTheVariableThatAPatternMisspells() {
        let text =
            ##"{"applinks":{"substitutionVariables":{"section":["buy"],"kind":["a"]},"details":"##
            + ##"[{"appIDs":["D3KQX62K1A.com.a"],"components":[{"/":"/$(sectoin)/*"},"##
            + ##"{"/":"/$(kind)"}]}]}}"##
        #expect(fixed(text).0 == text)
    }

    @Test func givesAKeyToOneOfTwo() {
        let (a, b) = (##"{"apps":["D3KQX62K1A.com.a"]}"##, ##"{"apps":["D3KQX62K1A.com.b"]}"##)
        #expect(
            fixed(##"{"webCredentials":\##(a),"WebCredentials":\##(b)}"##).0
                == ##"{"webcredentials":\##(a),"WebCredentials":\##(b)}"##)
    }
}
