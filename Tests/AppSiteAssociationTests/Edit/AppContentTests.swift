import AppSiteAssociation
import TestSupport
import Testing

@Suite struct AppContentTests {
    private func editor(_ text: String) throws -> FragmentEditor {
        FragmentEditor(try JSONReader.read(text: text, name: "f.json"))
    }

    /// What `app` is in one document, said of B.b in another.
    private func carried(_ app: String, _ from: String, into target: String) throws -> String {
        let content = try editor(from).content(of: app)
        var editor = try editor(target)
        try editor.add(content, as: "B.b")
        return String(decoding: editor.bytes, as: UTF8.self)
    }

    private func rules(_ entries: String, more: String = "") -> String {
        #"{"applinks":{"details":[\#(entries)]\#(more)}}"#
    }

    @Test func carriesAnAppIntoAnotherFile() throws {
        let text =
            #"{"applinks":{"defaults":{"caseSensitive":false},"details":[{"appIDs":["A.a","A.b"],"#
            + #""components":[{"/":"/$(v)"}]}],"substitutionVariables":{"v":["1"],"w":["2"]}},"#
            + #""appclips":{"apps":["A.a"]}}"#
        let content = try editor(text).content(of: "A.a")
        var editor = try editor("{}")
        try editor.add(content, as: "B.a")
        #expect(
            AssociationDiff.diff(
                AssociationFile(document: try JSONReader.read(text: text)),
                AssociationFile(document: editor.document)
            ).filter { $0.kind == .ruleChanged || $0.kind == .ruleRemoved }.isEmpty)
        let file = AssociationFile(document: editor.document)
        expectEqual(file.list(of: .appclips)?.apps.map(\.value), ["B.a"])
        expectEqual(file.applinks?.substitutionVariables.map(\.name.value), ["v"])
        expectEqual(CompiledAssociation(file).decide(url: "/1")?.first?.decision, .match)
        expectEqual(file.applinks?.details.first?.defaults.caseSensitive, false)
        #expect(throws: EditError.self) { try editor.add(content, as: "B.a") }
    }

    @Test func takesTheListsThatNameTheApp() throws {
        let text =
            #"{"activitycontinuation":{"apps":["A.a"]},"appclips":{"apps":["A.c"]},"#
            + #""webcredentials":{"apps":["A.c","A.a"]}}"#
        try expectEqual(
            carried("A.a", text, into: "{}"),
            #"{"webcredentials": {"apps": ["B.b"]}, "activitycontinuation": {"apps": ["B.b"]}}"#
        )
        try expectEqual(carried("A.x", text, into: "{}"), "{}")
    }

    @Test func takesOnlyEntriesOfTheAppAndNamesItInOneForm() throws {
        let text = rules(
            #"{"appIDs":["A.c"],"paths":["/c"]},{"appID":"A.a","paths":["/1"]},"#
                + #"{"appID":"A.a","appIDs":["A.c","A.a"],"components":[]}"#)
        try expectEqual(
            carried("A.a", text, into: rules(#"{"appIDs":["C.c"],"paths":["*"]}"#)),
            rules(
                #"{"appIDs":["C.c"],"paths":["*"]},{"appID":"B.b","paths":["/1"]},"#
                    + #"{"appIDs":["B.b"],"components":[]}"#))
    }

    @Test func readsTheOldFormOfDetails() throws {
        let text = #"{"applinks":{"details":{"A.c":{"paths":["/c"]},"A.a":{"paths":["/a"]}}}}"#
        try expectEqual(
            carried("A.a", text, into: rules("")),
            rules(#"{"appID":"B.b","paths":["/a"]}"#))
    }

    @Test func keepsTheOldFormOfDetails() throws {
        let text = rules(#"{"appIDs":["A.a"],"components":[{"/":"/a"}]}"#)
        let head = #"{"applinks":{"defaults":{"exclude":true},"details":{"C.c":{"paths":["/c"]}"#
        try expectEqual(
            carried("A.a", text, into: head + "}}}"),
            head + #","B.b":{"components":[{"/":"/a"}],"defaults":{"exclude":false}}}}}"#)
    }

    /// A key stands once in an object, so several entries do not fit there.
    @Test func theOldFormHoldsOneEntryOfAnApp() throws {
        let text = rules(#"{"appID":"A.a","paths":["/1"]},{"appID":"A.a","paths":["/2"]}"#)
        let content = try editor(text).content(of: "A.a")
        let old = #"{"applinks":{"details":{"C.c":{"paths":["/c"]}}}}"#
        var target = try editor(old)
        let error = #expect(throws: EditError.self) { try target.add(content, as: "B.b") }
        expectEqual(error?.diagnostic.message.hasPrefix("B.b has 2 entries"), true)
        expectEqual(error?.diagnostic.remedy?.isEmpty, false)
        expectEqual(String(decoding: target.bytes, as: UTF8.self), old)
    }

    /// What an entry says itself goes before what all of its document inherit.
    @Test func defaultsOfTheDocumentGoWithTheEntry() throws {
        let text =
            #"{"applinks":{"defaults":{"caseSensitive":false,"percentEncoded":false},"#
            + #""details":[{"appID":"A.a","defaults":{"caseSensitive":true},"paths":["/a"]}]}}"#
        try expectEqual(
            carried("A.a", text, into: rules("")),
            rules(
                #"{"appID":"B.b","defaults":{"caseSensitive":true,"percentEncoded":false},"#
                    + #""paths":["/a"]}"#))
    }

    @Test(arguments: [
        // Made when missing, completed when there, left when it says the same.
        ("", #","substitutionVariables":{"v":["1"],"x":["3"]}"#),
        (
            #","substitutionVariables":{"w":["9"]}"#,
            #","substitutionVariables":{"w":["9"],"v":["1"],"x":["3"]}"#
        ),
        (
            #","substitutionVariables":{"x":["3"],"v":["1"]}"#,
            #","substitutionVariables":{"x":["3"],"v":["1"]}"#
        ),
    ]) func variablesGoAlong(_ before: String, _ after: String) throws {
        let text = rules(
            #"{"appID":"A.a","paths":["/$(v)/$(x)"]}"#,
            more: #","substitutionVariables":{"v":["1"],"w":["2"],"x":["3"]}"#)
        try expectEqual(
            carried("A.a", text, into: rules("", more: before)),
            rules(#"{"appID":"B.b","paths":["/$(v)/$(x)"]}"#, more: after))
    }

    @Test func aVariableOfAnotherMeaningIsRefused() throws {
        let content = try editor(
            rules(
                #"{"appID":"A.a","paths":["/$(v)"]}"#,
                more: #","substitutionVariables":{"v":["1"]}"#)
        ).content(of: "A.a")
        let text = #"{"applinks":{"substitutionVariables":{"v":["2"]}}}"#
        var target = try editor(text)
        let error = #expect(throws: EditError.self) { try target.add(content, as: "B.b") }
        expectEqual(error?.diagnostic.message, #"the variable "v" has other values here"#)
        expectEqual(error?.diagnostic.remedy, "Rename it in one of the two files.")
        expectEqual(String(decoding: target.bytes, as: UTF8.self), text)
    }

    @Test func anAppThatIsListedIsRefusedAtItsPlace() throws {
        let content = try editor(#"{"appclips":{"apps":["A.a"]}}"#).content(of: "A.a")
        var target = try editor(#"{"webcredentials":{"apps":["B.b"]}}"#)
        let error = #expect(throws: EditError.self) { try target.add(content, as: "B.b") }
        expectEqual(error?.diagnostic.message, "B.b is listed already")
        expectEqual(error?.diagnostic.range, 27..<32)
    }

    @Test(arguments: [
        ("{}", #"{"applinks": {"details": [{"appID": "B.b", "paths": ["/a"]}]}}"#),
        (
            #"{"applinks":{"x":1}}"#,
            #"{"applinks":{"x":1,"details":[{"appID":"B.b","paths":["/a"]}]}}"#
        ),
    ]) func makesThePlaceForEntries(_ target: String, _ after: String) throws {
        try expectEqual(
            carried("A.a", rules(#"{"appID":"A.a","paths":["/a"]}"#), into: target), after)
    }

    @Test func defaultsOfTheOtherDocumentDoNotReachTheEntry() throws {
        try expectEqual(
            carried(
                "A.a", rules(#"{"appID":"A.a","paths":["/a"]}"#),
                into: #"{"applinks":{"defaults":{"caseSensitive":false},"details":[]}}"#),
            #"{"applinks":{"defaults":{"caseSensitive":false},"details":[{"appID":"B.b","#
                + #""paths":["/a"],"defaults":{"caseSensitive":true}}]}}"#)
    }

    @Test func aBuiltInVariableIsNotTakenForOneOfTheOtherDocument() throws {
        let content = try editor(rules(#"{"appID":"A.a","paths":["/$(lang)"]}"#)).content(of: "A.a")
        var target = try editor(rules("", more: #","substitutionVariables":{"lang":["xx"]}"#))
        #expect(throws: EditError.self) { try target.add(content, as: "B.b") }
    }

    @Test func anEntryForOldSystemsStaysOne() throws {
        let text = rules(#"{"appID":"A.a","paths":["/a"]}"#)
        try expectEqual(
            carried("A.a", text, into: rules("")),
            rules(#"{"appID":"B.b","paths":["/a"]}"#))
    }
}
