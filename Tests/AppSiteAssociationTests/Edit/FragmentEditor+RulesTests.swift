import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct FragmentEditorRulesTests {
    private func edited(
        _ rules: String, apps: String = #""A.a""#,
        _ edit: (inout FragmentEditor) throws -> Void
    ) throws -> String {
        let text = #"{"applinks":{"details":[{"appIDs":[\#(apps)],\#(rules)}]}}"#
        var editor = FragmentEditor(try JSONReader.read(text: text, name: "f.json"))
        try edit(&editor)
        let result = String(decoding: editor.bytes, as: UTF8.self)
        let head = #"{"applinks":{"details":[{"appIDs":[\#(apps)],"#
        return result.hasPrefix(head) && result.hasSuffix("}]}}")
            ? String(result.dropFirst(head.count).dropLast(4)) : result
    }

    private func refusal(
        _ rules: String, apps: String = #""A.a""#, _ edit: (inout FragmentEditor) throws -> Void
    ) -> String {
        do {
            return "edited: " + (try edited(rules, apps: apps, edit))
        } catch let error as EditError {
            return error.diagnostic.message
        } catch {
            return "\(error)"
        }
    }

    @Test func aRefusedListOfRulesChangesNothing() throws {
        let text = #"{"applinks":{"details":[{"appIDs":["A.a"],"components":[{"/":"/a"}]}]}}"#
        var editor = FragmentEditor(try JSONReader.read(text: text))
        #expect(throws: EditError.self) {
            try editor.addRules(app: "A.a", ["/b", "/a"].map { RuleDraft(path: $0) })
        }
        expectEqual(String(decoding: editor.bytes, as: UTF8.self), text)
    }

    @Test func leavesSharedEntriesAloneUnlessTold() throws {
        let rules = #""components":[{"/":"/a"}]"#
        let apps = #""A.a","A.b""#
        let draft = [RuleDraft(path: "/b")]
        #expect(
            refusal(rules, apps: apps) { try $0.addRules(app: "A.a", draft) }.contains(
                "shares these rules with A.b"))
        try expectEqual(
            edited(rules, apps: apps) {
                try $0.addRules(app: "A.a", draft, shared: .changeAll)
            }, #""components":[{"/":"/a"},{"/":"/b"}]"#)
        try expectEqual(
            edited(rules, apps: apps) {
                try $0.addRules(app: "A.a", draft, shared: .separate)
            },
            #"{"applinks":{"details":["#
                + #"{"appIDs":["A.a"],"components":[{"/":"/a"},{"/":"/b"}]},"#
                + #"{"appIDs":["A.b"],"components":[{"/":"/a"}]}]}}"#)
    }

    /// Of several apps that open a URL the first one gets it.
    @Test(arguments: [
        ("A.a", [["A.a"], ["A.b", "A.c"]]), ("A.b", [["A.a"], ["A.b"], ["A.c"]]),
        ("A.c", [["A.a", "A.b"], ["A.c"]]),
    ]) func anAppKeepsItsPlaceAmongTheOthers(_ app: String, _ wanted: [[String]]) throws {
        let rules = #""components":[{"/":"/x"},{"/":"/b"}]"#
        for apps in [#""A.a","A.b","A.c""#, #""A.a","A.b","A.c","\#(app)""#] {
            let text = try edited(rules, apps: apps) {
                try $0.changeRule(app: app, number: 1, shared: .separate) {
                    $0[.path] = .text("/y")
                }
            }
            let details = AssociationFile(document: try JSONReader.read(text: text)).applinks?
                .details
            expectEqual(details?.map { $0.appIDs.map(\.value) }, wanted)
            for detail in details ?? [] {
                let paths = detail.components?.map { $0.path?.value }
                expectEqual(
                    paths, (detail.appIDs.first?.value == app ? ["/y", "/b"] : ["/x", "/b"]))
            }
        }
    }

    @Test func listsRulesInTheOrderOfTrial() throws {
        let text =
            #"{"applinks":{"details":[{"appIDs":["A.a","A.b"],"components":[{"/":"/a"},"#
            + #"{"/":"/s","?":{"q":"?*"},"exclude":true}]},{"appID":"A.a","paths":["NOT /x"]}]}}"#
        let rules = FragmentEditor(try JSONReader.read(text: text)).rules(of: "A.a")
        expectEqual(rules.map(\.number), [1, 2, 3])
        expectEqual(rules.map(\.label), ["/a", "/s ?q=?*", "NOT /x"])
        expectEqual(rules.map(\.excludes), [false, true, true])
    }

    @Test func changesOneRuleAndNothingElse() throws {
        let rules = #""components":[ {"/":"/a",  "comment":"c"} ,{"/":"/b"}]"#
        try expectEqual(
            edited(rules) {
                try $0.changeRule(app: "A.a", number: 1) { $0[.path] = .text("/z") }
            }, #""components":[ {"/":"/z",  "comment":"c"} ,{"/":"/b"}]"#)
        try expectEqual(
            edited(rules) {
                try $0.changeRule(app: "A.a", number: 1) {
                    $0[.exclude] = .flag(true)
                    $0[.comment] = nil
                }
            }, #""components":[ {"/":"/a","exclude":true} ,{"/":"/b"}]"#)
        try expectEqual(
            edited(rules) { try $0.removeRule(app: "A.a", number: 2) },
            #""components":[ {"/":"/a",  "comment":"c"}]"#)
        try expectEqual(
            edited(#""components":[{"/":"/a"},{"/":"/b"},{"/":"/c"}]"#) {
                try $0.moveRule(app: "A.a", number: 3, to: 1)
            }, #""components":[{"/":"/c"},{"/":"/a"},{"/":"/b"}]"#)
        #expect(
            refusal(rules) { try $0.changeRule(app: "A.a", number: 3) { _ in } }.contains(
                "has no rule 3"))
        #expect(
            refusal(rules) { try $0.changeRule(app: "A.a", number: 2) { _ in } }.contains(
                "says that already"))
        #expect(
            refusal(#""components":[{"/":"/a"}]"#) { try $0.removeRule(app: "A.a", number: 1) }
                .contains("only rule"))
        #expect(
            refusal(#""paths":["/a"]"#) {
                try $0.changeRule(app: "A.a", number: 1) { $0[.query] = .text("x") }
            }.contains("cannot stand among"))
        #expect(
            refusal(#""paths":["/a"]"#) {
                try $0.changeRule(app: "A.a", number: 1) { $0[.comment] = .text("x") }
            }.contains("cannot hold a comment"))
    }

    /// Defaults are a template: they say what a rule does not say.
    @Test func aNewPatternOpensWhateverDefaultsSay() throws {
        let head = #""defaults":{"exclude":true},"components":["#
        try expectEqual(
            edited(head + #"{"/":"/b/*"}]"#) {
                try $0.addLinks(app: "A.a", patterns: ["/b/c"])
            }, head + #"{"/":"/b/c","exclude":false},{"/":"/b/*"}]"#)
        #expect(
            refusal(head + #"{"/":"/b/*","exclude":false}]"#) {
                try $0.addLinks(app: "A.a", patterns: ["/b/c"])
            }.contains("is not needed"))
    }

    @Test(arguments: [
        (##"{"defaults":{"?":{"q":"?*"}},"details":[]}"##, "*" as String?),
        (##"{"details":[{},{"defaults":{"?":"x"}}]}"##, "*"),
        (##"{"details":{"A.a":{"defaults":{"?":"x"}}}}"##, "*"),
        (##"{"defaults":{"#":"x"},"details":[{"?":"x"}]}"##, nil),
    ]) func whatIsBuiltInIsSaidBesideDefaults(_ applinks: String, _ query: String?) throws {
        let text = #"{"applinks":\#(applinks)}"#
        let editor = FragmentEditor(try JSONReader.read(text: text))
        expectEqual(editor.builtInValue(of: .query)?.string, query)
        #expect(editor.builtInValue(of: .comment) == nil)
    }

    /// `paths` compare no query, whatever defaults say.
    @Test func aPathHasNoQueryToTakeOut() {
        let message = refusal(#""defaults":{"?":"x"},"paths":["/a"]"#) { editor in
            let query = editor.builtInValue(of: .query)
            try editor.changeRule(app: "A.a", number: 1) { $0[.query] = query }
        }
        #expect(message.contains("says that already"), "\(message)")
    }

    @Test func countsPlacesAsWritten() throws {
        let paths = #""paths":[5,"/a","/b"]"#
        try expectEqual(
            edited(paths) { try $0.removeRule(app: "A.a", number: 1) }, #""paths":[5,"/b"]"#)
        try expectEqual(
            edited(paths) {
                try $0.changeRule(app: "A.a", number: 1) { $0[.path] = .text("/n") }
            }, #""paths":[5,"/n","/b"]"#)
    }
}
