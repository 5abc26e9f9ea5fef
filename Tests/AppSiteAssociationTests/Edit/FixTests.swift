import AppSiteAssociation
import TestSupport
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
        expectEqual(result, "{\n  \"webcredentials\": {\"apps\": [ \"D3KQX62K1A.com.a\" ] }\n}\n")
        expectEqual(codes.last, "json-byte-order-mark")
        expectEqual(codes.count, 5)
    }

    /// Of two remedies, a person chooses one: nothing is deleted.
    @Test(arguments: [
        ##"{"/":"/a/*"}, {"/":"/a/b"}, {"/":"/c"}"##,
        ##"{"?":{"campaign":"*"},"exclude":true},{"/":"/*/account/*","exclude":true},{"/":"/*/*"}"##,
        ##"{"/":"/a"},{"/":"/b","exclude":true}"##, ##"{"/":"/a","?":{}}"##,
        ##"{"/":"/%c3","#":"#x"}, {"/":"/a","?":"?b=1"}"##,
    ])
    func deletesNothing(_ text: String) {
        expectEqual(fixed(rules(text)).0, rules(text))
        #expect(fixed(rules(text)).1.isEmpty)
    }

    @Test(arguments: [
        ##"{"applinks":{"details":[{"appID":"D3KQX62K1A.com.a","paths":["NOT /press/*","NOT **","NOT /jobs/*","*"]}]}}"##,
        ##"{"applinks":{"details":[{"appID":"D3KQX62K1A.com.a","paths":["*","/"]}]}}"##,
        ##"{"applinks":{"substitutionVariables":{"a":["$(b)x"],"b":["y"]},"details":[{"appIDs":["D3KQX62K1A.com.a"],"components":[{"/":"/$(a)"}]}]}}"##,
        ##"{"webcredentials":{"apps":["D3KQX62K1A.com.a","D3KQX62K1A.com.a"]}}"##,
    ])
    func deletesNoRuleAndNoVariable(_ text: String) {
        #expect(fixed(text) == (text, []))
    }

    @Test func leavesDuplicatesOfSiblings() {
        let text = #"{"origins":["https://a.example", "https://a.example"]}"#
        expectEqual(fixed(text, as: .webAuthn).0, text)
    }

    /// Where a quote is lost or a comma misplaced, two readings exist.
    @Test(arguments: [
        ##""paths":["NOT /a/*," "*"]"##, ##""paths":["/a/*" ",/b"]"##, ##""paths":["NOT" "/a"]"##,
        "\"components\":[\n{ #: \"top\", \"/\": \"/x\" },\n{ \"/\": \"/y\" }\n]",
        "\"components\":[\n{ \"/\": \"/x\" },\n{ \"/\": //buy/* }\n}\n]",
        "\"components\":[\n{ #\": \"top\",\n \"/\": \"/x\" }]",
        "\"components\":[{\n#: \"top\",\n\"/\": \"/x\" }]",
        "\"paths\":[\n/*/account/*\",\n\"/b\", \"/*/x\"\n]", "\"paths\":[\n//buy/*\",\n\"/b\"\n]",
        "\"paths\":[\n//buy/*,\n\"/b\"\n]",
        "\"components\":[{ \"/\": \"/a\", // \"exclude\": true },\n\"#\": \"b\" }]",
        ##""paths":"/a, /b""##, ##""appIDs":"D3KQX62K1A.com.a,D3KQX62K1A.com.b""##,
        ##""components":[{"/":"/a","exclude":tru},{"/":"*"}]"##,
    ])
    func leavesWhatHasTwoReadings(_ members: String) {
        let text = ##"{"applinks":{"details":[{"appID":"D3KQX62K1A.com.a",\##(members)}]}}"##
        expectEqual(fixed(text).0, text)
    }

    /// A document is fixed whole or not at all, and only what is then read.
    @Test func leavesAllSlipsBesideOneThatHasNoFix() {
        let text = ##"{applinks: {"details": [] "x" 1,}}"##
        #expect(fixed(text) == (text, []))
    }

    @Test func takesTheWordIntoTheQuotes() {
        let text =
            ##"{"applinks":{"details":[{"appID":"D3KQX62K1A.com.a","paths":[NOT "/a/*","*"]}]}}"##
        expectEqual(fixed(text).0, text.replacing(##"NOT "/"##, with: ##""NOT /"##))
    }

    @Test(arguments: [
        "{ // note\n\"details\": []}", "{\n  // \"details\": [1],\n\"details\": []}",
        "{ /* a\n b */ \"details\": []}", "{ # note\n\"details\": [] //\n}",
        "{ /** a */ \"details\": []}",
        "{\"details\": /* none */ []}",
    ])
    func removesNotes(_ links: String) throws {
        let (text, codes) = fixed("{\"applinks\": \(links)}")
        #expect(!codes.isEmpty && !text.contains("note") && !text.contains("*"))
        try expectEqual(
            JSONReader.read(text: text).root["applinks"]?["details"]?.array?.isEmpty, true)
    }

    /// A correction may not take from others what they have.
    @Test(arguments: [
        // The paths would no longer be read.
        ##"{"appID":"D3KQX62K1A.com.a","Components":[{"/":"/b"}],"paths":["/a"]}"##,
        // The other app would no longer be read.
        ##"{"appIds":["D3KQX62K1A.com.b"],"appID":"D3KQX62K1A.com.a","components":[{"/":"/a"}]}"##,
        // The rules behind it would no longer be reached.
        ##"{"appIDs":["D3KQX62K1A.com.a"],"components":[{"/":"*","exlude":true},{"/":"/b"}]}"##,
        // Which of the two is read is not known.
        ##"{"appIDs":["D3KQX62K1A.com.a"],"components":[{"/":"/a","exlude":true,"/":"/b"}]}"##,
    ])
    func correctsNothingAtOthersExpense(_ entry: String) {
        let text = ##"{"applinks":{"details":[\##(entry)]}}"##
        #expect(fixed(text) == (text, []))
    }

    @Test func leavesTheRestAlone() {
        let text = rules(#"{"/":"/a"},   {"/":"/b?x=1"}"#)
        expectEqual(fixed(text).0, text)
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
        expectEqual(fixed(rules(text)).0, rules(text))
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
        expectEqual(fixed(text).0, wanted)
    }

    @Test(arguments: [
        (#"{"/":"/a","exclude":"TRUE"}"#, #"{"/":"/a","exclude":true},{"/":"*"}"#),
        (#"{"/":"/a","exclude":True}"#, #"{"/":"/a","exclude":true},{"/":"*"}"#),
        (#"{"/":"/a","exlude":true}"#, #"{"/":"/a","exclude":true},{"/":"*"}"#),
        (#""/a""#, #"{ "/": "/a" },{"/":"*"}"#),
        (#""NOT /a""#, #"{ "/": "/a", "exclude": true },{"/":"*"}"#),
    ]) func mendsMembers(_ rule: String, _ wanted: String) {
        expectEqual(fixed(rules(rule + #",{"/":"*"}"#)).0, rules(wanted))
    }

    @Test func mendsEntries() {
        func paths(_ paths: String) -> String {
            #"{"applinks":{"details":[{"appID":"D3KQX62K1A.com.a","paths":[\#(paths)]}]}}"#
        }
        expectEqual(
            fixed(paths(#""not /a", "NOT  /b", "!/c", "Not/d", "*""#)).0,
            paths(#""NOT /a", "NOT /b", "NOT /c", "NOT /d", "*""#))
        let entry =
            #"{"applinks":{"details":[{"appID":["D3KQX62K1A.com.a"],"components":{"/":"/a"}}]}}"#
        expectEqual(fixed(entry).0, rules(#"{"/":"/a"}"#))
        expectEqual(
            fixed(
                #"{"appLinks":{"detials":[{"app_ids":["D3KQX62K1A.com.a"],"Components":[{"/":"/a"}]}]}}"#
            )
            .0, rules(#"{"/":"/a"}"#))
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
        expectEqual(fixed(text).0, text)
    }

    /// A pass for every finding would read the document as often.
    @Test(arguments: [
        (
            ##"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.a"],"components":[@,{"/":"*"}]}]}}"##,
            ##"{"/":"/#","exclude":"true"}"##
        ),
        (
            ##"{"applinks":{"details":[@]}}"##,
            ##"{"appIDs":["D3KQX62K1A.com.a#"],"Components":[{"/":"/#"}]}"##
        ),
    ])
    func mendsManyInFewPasses(frame: String, item: String) {
        let count = 200
        let items = (0..<count).map { item.replacing("#", with: "\($0)x") }
        let text = frame.replacing("@", with: items.joined(separator: ","))
        var passes = 0
        let (_, codes) = Fixer.fixed(SourceText(name: "f", text: text)) { source in
            passes += 1
            return Linter.lint(source, as: .association)
        }
        #expect(passes <= 30)
        expectEqual(codes.count, count)
    }

    /// What becomes unreachable by a correction is left to a person, with the misspelt key.
    @Test func correctsWhatCausesNothing() {
        let behind = rules(##"{"/":"*"},{"/":"/help/*","exlude":true}"##)
        #expect(fixed(behind) == (behind, []))
        expectEqual(
            fixed(rules(##"{"path":"/buy/*"},{"/":"/help/*"},{"/":"/x"}"##)).0,
            rules(##"{"/":"/buy/*"},{"/":"/help/*"},{"/":"/x"}"##))
    }

    @Test func givesAKeyToOneOfTwo() {
        let (a, b) = (##"{"apps":["D3KQX62K1A.com.a"]}"##, ##"{"apps":["D3KQX62K1A.com.b"]}"##)
        expectEqual(
            fixed(##"{"webCredentials":\##(a),"WebCredentials":\##(b)}"##).0,
            ##"{"webcredentials":\##(a),"WebCredentials":\##(b)}"##)
    }
}
