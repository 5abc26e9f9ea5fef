import AppSiteAssociation
import TestSupport
import Testing

@Suite struct FragmentEditorPlacementTests {
    private let head = #"{"applinks":{"details":["#

    /// The entries of `details` after the rule was added to A.a.
    private func placed(
        _ entries: String, more: String = "", _ draft: RuleDraft, at number: Int? = nil,
        shared: FragmentEditor.SharedEntry = .refuse
    ) throws -> String {
        let text = head + entries + "]\(more)}}"
        var editor = FragmentEditor(try JSONReader.read(text: text, name: "f.json"))
        try editor.addRules(app: "A.a", [draft], at: number, shared: shared)
        return String(
            String(decoding: editor.bytes, as: UTF8.self).dropFirst(head.count)
                .dropLast(more.count + 3))
    }

    private func refusal(
        _ entries: String, more: String = "", _ draft: RuleDraft, at number: Int? = nil
    ) -> Diagnostic? {
        let error = #expect(throws: EditError.self) {
            try placed(entries, more: more, draft, at: number)
        }
        return error?.diagnostic
    }

    private func own(_ rules: String) -> String { #"{"appIDs":["A.a"],\#(rules)}"# }

    @Test(arguments: [
        // Behind what does not decide its URLs.
        (#""components":[{"/":"/a"}]"#, "/b", #""components":[{"/":"/a"},{"/":"/b"}]"#),
        // In front of the rule that would decide them otherwise.
        (
            #""components":[{"/":"/a"},{"/":"*"}]"#, "NOT /b",
            #""components":[{"/":"/a"},{"/":"/b","exclude":true},{"/":"*"}]"#
        ),
        (
            #""components":[{"/":"/x/*","exclude":true},{"/":"*"}]"#, "/x/y",
            #""components":[{"/":"/x/y"},{"/":"/x/*","exclude":true},{"/":"*"}]"#
        ),
        // Exclusions in front of what they may be an exception to, behind other exclusions.
        (
            #""components":[{"/":"/a/*"}]"#, "NOT /*/b",
            #""components":[{"/":"/*/b","exclude":true},{"/":"/a/*"}]"#
        ),
        (
            #""components":[{"/":"/c","exclude":true},{"/":"/a/*"}]"#, "NOT /*/b",
            #""components":[{"/":"/c","exclude":true},{"/":"/*/b","exclude":true},{"/":"/a/*"}]"#
        ),
        (
            #""components":[{"/":"/c","exclude":true}]"#, "NOT /b",
            #""components":[{"/":"/c","exclude":true},{"/":"/b","exclude":true}]"#
        ),
        (#""paths":["/a"]"#, "NOT /b", #""paths":["NOT /b","/a"]"#),
        (#""paths":["/a"]"#, "/b", #""paths":["/a","/b"]"#),
    ]) func aNewRuleTakesEffect(_ before: String, _ pattern: String, _ after: String) throws {
        try expectEqual(placed(own(before), RuleDraft(path: pattern)), own(after))
    }

    @Test(arguments: [
        (#""components":[{"/":"/a"}]"#, "/a", "A.a has this rule already: it is rule 1"),
        (#""components":[{"/":"/x"},{"/":"/a/"}]"#, "/a", "has this rule already: it is rule 2"),
        (
            #""components":[{"/":"/x"},{"/":"/a/*"}]"#, "/a/b",
            "\"/a/b\" is not needed: rule 2, \"/a/*\", opens these URLs already"
        ),
        (
            #""components":[{"/":"/a/*","exclude":true}]"#, "NOT /a/b",
            "\"/a/b\" is not needed: rule 1, \"/a/*\", excludes these URLs already"
        ),
        (
            #""components":[{"/":"/x"},{"/":"/a"}]"#, "NOT /a",
            "rule 2 of A.a says the opposite of"
        ),
        (#""paths":["*"]"#, "/a", "is not needed"),
        (#""x":1"#, "/a", "A.a takes every URL already"),
    ]) func refusesWhatIsThere(_ before: String, _ pattern: String, _ message: String) {
        let text = refusal(own(before), RuleDraft(path: pattern))?.message ?? ""
        #expect(text.contains(message), "\(text)")
    }

    @Test func theOppositeIsChangedByACommand() {
        let rule = #"{"/":"/a"}"#
        let excluded = #"{"/":"/a","exclude":true}"#
        let closing = refusal(own(#""components":[\#(rule)]"#), RuleDraft(path: "NOT /a"))
        expectEqual(closing?.remedy, "Change it: aasa app edit … 1 --exclude")
        let opening = refusal(own(#""components":[\#(excluded)]"#), RuleDraft(path: "/a"))
        expectEqual(opening?.remedy, "Change it: aasa app edit … 1 --no-exclude")
        expectEqual(opening?.sourceLine?.contains(excluded), true)
    }

    @Test(arguments: [
        (1, #""components":[{"/":"/a"},{"/":"/x"},{"/":"/y"}]"#),
        (2, #""components":[{"/":"/x"},{"/":"/a"},{"/":"/y"}]"#),
        (3, #""components":[{"/":"/x"},{"/":"/y"},{"/":"/a"}]"#),
    ]) func aWishIsFollowed(_ number: Int, _ after: String) throws {
        let before = #""components":[{"/":"/x"},{"/":"/y"}]"#
        try expectEqual(
            placed(own(before), RuleDraft(path: "/a"), at: number), own(after))
    }

    @Test(arguments: [0, -1, 4]) func aPlaceThatIsNotThereIsRefused(_ number: Int) {
        let found = refusal(
            own(#""components":[{"/":"/x"},{"/":"/y"}]"#), RuleDraft(path: "/a"), at: number)
        expectEqual(found?.message, "there is no place \(number): A.a has 2 rules")
    }

    /// A rule that is asked for at a place is written, whatever the others say.
    @Test func aWishIsNotArguedWith() throws {
        try expectEqual(
            placed(own(#""paths":["*"]"#), RuleDraft(path: "/a"), at: 2),
            own(#""paths":["*","/a"]"#))
    }

    /// Entries that the app has alone can be changed without harm to others; of two, the last.
    @Test func goesIntoTheLastEntryOfItsOwn() throws {
        let first = own(#""paths":["/1"]"#)
        let shared = #"{"appIDs":["A.a","A.b"],"paths":["/3"]}"#
        try expectEqual(
            placed("\(first),\(own(#""paths":["/2"]"#)),\(shared)", RuleDraft(path: "/n")),
            "\(first),\(own(#""paths":["/2","/n"]"#)),\(shared)")
    }

    /// Numbers count through all entries of the app, and through no other's.
    @Test func aRuleOfAnotherEntryDecides() throws {
        let entries = [
            own(#""paths":["/1"]"#), #"{"appIDs":["A.b"],"paths":["/n"]}"#,
            own(#""paths":["NOT /n/*","/3"]"#), own(#""paths":["/4"]"#),
        ]
        try expectEqual(
            placed(entries.joined(separator: ","), RuleDraft(path: "/n/1")),
            [
                entries[0], entries[1], own(#""paths":["/n/1","NOT /n/*","/3"]"#), entries[3],
            ].joined(separator: ","))
        let found = refusal(entries.joined(separator: ","), RuleDraft(path: "/3"))
        expectEqual(found?.message, "A.a has this rule already: it is rule 3")
    }

    @Test func defaultsCountForTheNewRule() {
        let more = #","defaults":{"caseSensitive":false}"#
        expectEqual(
            refusal(own(#""components":[{"/":"/ABC"}]"#), more: more, RuleDraft(path: "/abc"))?
                .message.contains("has this rule already"), true)
        let entry = own(#""defaults":{"caseSensitive":false},"components":[{"/":"/ABC"}]"#)
        expectEqual(
            refusal(entry, RuleDraft(path: "/abc"))?.message.contains("has this rule already"),
            true)
    }

    @Test func variablesCountForTheNewRule() throws {
        let more = #","substitutionVariables":{"v":["x","y"]}"#
        let before = own(#""components":[{"/":"/$(v)"}]"#)
        expectEqual(
            refusal(before, more: more, RuleDraft(path: "/$(v)"))?.message.contains("already"),
            true)
        try expectEqual(
            placed(before, more: more, RuleDraft(path: "/z")),
            own(#""components":[{"/":"/$(v)"},{"/":"/z"}]"#))
    }

    /// Rules that outlines cannot compare, although one decides every URL of the other.
    @Test(arguments: [
        (#"{"/":"/$(v)","exclude":true}"#, "/y"), (#"{"/":"/$(v)","exclude":true}"#, "/$(v)"),
        (#"{"/":"/$(lang)/*","exclude":true}"#, "/de/*"), (#"{"/":"/$(v)/*"}"#, "NOT /y/?"),
        (#"{"/":"/a/*","exclude":true,"percentEncoded":false}"#, "/a/b%20c"),
    ]) func standsBeforeARuleThatWouldKeepItFromActing(_ old: String, _ pattern: String) throws {
        let more = #","substitutionVariables":{"v":["x","y"],"w":["x","y"]}"#
        let draft = RuleDraft(path: pattern.replacing("$(v)", with: "$(w)"))
        let after = try placed(
            own(#""components":[{"/":"/z"},\#(old)]"#), more: more, draft)
        #expect(after.hasPrefix(own(#""components":[{"/":"/z"},{"/":"#).dropLast()), "\(after)")
        #expect(after.hasSuffix(",\(old)]}"), "\(after)")
    }

    /// The opposite of a part of its URLs stays an exception to the new rule.
    @Test(arguments: [
        (#"{"/":"/x","exclude":true}"#, "/$(v)"), (#"{"/":"/","exclude":true}"#, "*"),
        (#"{"/":"/$(v)/?","exclude":true}"#, "/y/*"), (#"{"/":"/$(v)","exclude":true}"#, "/*"),
        (#"{"/":"/en/*","exclude":true}"#, "/$(lang)/*"),
    ]) func standsBehindItsExceptions(_ old: String, _ pattern: String) throws {
        let more = #","substitutionVariables":{"v":["x","y"]}"#
        try expectEqual(
            placed(own(#""components":[\#(old)]"#), more: more, RuleDraft(path: pattern)),
            own(#""components":[\#(old),{"/":"\#(pattern)"}]"#))
    }

    @Test func findsItsEntryInTheOldForm() throws {
        let text = #"{"applinks":{"details":{"A.b":{"paths":["/b"]},"A.a":{"paths":["/a"]}}}}"#
        var editor = FragmentEditor(try JSONReader.read(text: text))
        try editor.addRules(app: "A.a", [RuleDraft(path: "NOT /c")])
        expectEqual(
            String(decoding: editor.bytes, as: UTF8.self),
            #"{"applinks":{"details":{"A.b":{"paths":["/b"]},"#
                + #""A.a":{"paths":["NOT /c","/a"]}}}}"#)
    }
}
