import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct FormatCheckTests {
    private func read(_ text: String) throws -> AssociationFile {
        try AssociationFile(reading: SourceText(name: "f", text: text))
    }

    private func findings(_ text: String) throws -> [Diagnostic] {
        AssociationFormat.format.problems(
            in: try JSONReader.read(SourceText(name: "f", text: text)))
    }

    @Test(arguments: [
        ("[]", "root-not-object"), ("\"x\"", "root-not-object"),
        (#"{"applinks": [1]}"#, "service-not-object"),
        (#"{"webcredentials": 1}"#, "service-not-object"),
        (#"{"webcredentials": {}}"#, "apps-missing"),
        (#"{"webcredentials": {"apps": "A"}}"#, "apps-not-array"),
        (#"{"webcredentials": {"apps": [1]}}"#, "app-not-string"),
        (#"{"applinks": {}}"#, "details-missing"),
        (#"{"applinks": {"details": 1}}"#, "details-wrong-type"),
        (#"{"applinks": {"details": ["A"]}}"#, "detail-not-object"),
        (#"{"applinks": {"details": {"A": []}}}"#, "detail-not-object"),
        (#"{"applinks": {"details": [{"paths": []}]}}"#, "app-ids-missing"),
        (#"{"applinks": {"details": [{"appID": 1, "paths": []}]}}"#, "app-id-not-string"),
        (#"{"applinks": {"details": [{"appIDs": "A", "paths": []}]}}"#, "app-ids-not-array"),
        (#"{"applinks": {"details": [{"appIDs": [{}], "paths": []}]}}"#, "app-not-string"),
        (#"{"applinks": {"details": [{"appID": "A", "paths": "*"}]}}"#, "paths-not-array"),
        (#"{"applinks": {"details": [{"appID": "A", "paths": [{}]}]}}"#, "path-not-string"),
        (#"{"applinks": {"details": [{"appID": "A", "components": {}}]}}"#, "components-not-array"),
        (
            #"{"applinks": {"details": [{"appID": "A", "components": ["/"]}]}}"#,
            "component-not-object"
        ),
        (
            #"{"applinks": {"details": [{"appID": "A", "components": [{"/": 1}]}]}}"#,
            "pattern-not-string"
        ),
        (
            #"{"applinks": {"details": [{"appID": "A", "components": [{"exclude": "true"}]}]}}"#,
            "flag-not-boolean"
        ),
        (
            #"{"applinks": {"details": [{"appID": "A", "components": [{"comment": 1}]}]}}"#,
            "comment-not-string"
        ),
        (#"{"applinks": {"details": [], "defaults": []}}"#, "defaults-not-object"),
        (#"{"applinks": {"details": [], "substitutionVariables": []}}"#, "variables-not-object"),
        (
            #"{"applinks": {"details": [], "substitutionVariables": {"a": "b"}}}"#,
            "variable-not-array"
        ),
        (
            #"{"applinks": {"details": [], "substitutionVariables": {"a": [1]}}}"#,
            "variable-value-not-string"
        ),
        (#"{"a": 1, "a": 2}"#, "duplicate-key"),
    ]) func reportsTheShape(_ text: String, _ code: String) throws {
        let file = try read(text)
        expectEqual(file.problems.map(\.code), [code])
        expectEqual(file.problems.first?.severity, RuleCatalog.rule(code)?.severity)
        expectEqual(file.problems.first?.remedy?.isEmpty, false)
    }

    /// A key is one finding: misspelt, at the wrong level, or unknown.
    @Test(arguments: [
        (#"{"webCredentials": {}}"#, ["service-misspelt"]),
        (#"{"details": [], "webcredentials": {"apps": []}}"#, ["key-without-effect"]),
        (#"{"x": 1, "webcredentials": {"apps": []}}"#, ["unknown-service"]),
        (#"{"x": 1, "y": 2}"#, ["no-service"]),
        (#"{"authsrv": {"apps": []}}"#, ["unknown-service"]),
        (#"{"webcredentials": {"Apps": []}}"#, ["applinks-key-misspelt"]),
        (#"{"webcredentials": {}}"#, ["apps-missing"]),
        (#"{"webcredentials": null}"#, ["apps-missing"]),
        (#"{"applinks": null}"#, ["details-missing"]),
        (#"{"webcredentials": {"apps": [], "paths": []}}"#, ["key-without-effect"]),
        (#"{"applinks": {"Details": []}}"#, ["applinks-key-misspelt"]),
        (#"{"applinks": {"details": [], "exclude": true}}"#, ["key-without-effect"]),
        (#"{"applinks": {"details": [], "comment": ""}}"#, ["applinks-key-unknown"]),
        (#"{"applinks": {"details": [{"paths": [], "appid": "A"}]}}"#, ["entry-key-misspelt"]),
        (#"{"applinks": {"details": [{"Paths": [], "appID": "A"}]}}"#, ["entry-key-misspelt"]),
        (#"{"applinks": {"details": [{"appID": "A"}]}}"#, ["entry-rules-missing"]),
        (#"{"applinks": {"details": {"A": {}}}}"#, ["entry-rules-missing"]),
        (
            #"{"applinks": {"details": [{"appID": "A", "paths": [], "/": ""}]}}"#,
            ["key-without-effect"]
        ),
        (#"{"applinks": {"details": [{"appID": ["A"], "paths": []}]}}"#, ["app-id-array"]),
        (#"{"applinks": {"details": [], "defaults": {"path": "/a"}}}"#, ["component-key-misspelt"]),
        (#"{"applinks": {"details": [], "defaults": {"/a": "/a"}}}"#, ["component-key-misspelt"]),
        (#"{"applinks": {"details": [], "defaults": {"include": 1}}}"#, ["component-key-misspelt"]),
        (
            #"{"applinks": {"details": [], "defaults": {"\u200bexclude": true, "／": ""}}}"#,
            ["component-key-misspelt", "component-key-misspelt"]
        ),
        // A comment, beside the path that it would replace.
        (
            #"{"applinks": {"details": [{"appID": "A", "components": [{"/": "/v", "//": "/u was it"}]}]}}"#,
            ["component-key-unknown"]
        ),
        (#"{"applinks": {"details": [], "defaults": {"Comment": ""}}}"#, ["component-key-unknown"]),
        (#"{"applinks": {"details": [], "defaults": {"appIDs": []}}}"#, ["key-without-effect"]),
    ]) func readsEachKeyOnce(_ text: String, _ codes: [String]) throws {
        try expectEqual(findings(text).map(\.code), codes)
    }

    /// A key cannot be added to what is no object.
    @Test(arguments: ["null", "[]"]) func anObjectIsWrittenInPlaceOfNothing(_ value: String) throws
    {
        let remedy = try findings(#"{"applinks": \#(value)}"#).first?.remedy
        expectEqual(remedy, #"Write an object in its place, with "details"."#)
    }

    /// What a device loses is an error; a line that it ignores is none (issue 41).
    @Test(arguments: [
        // The rest of the document works.
        (#"{"exclude": true, "webcredentials": {"apps": ["A"]}}"#, ["key-without-effect"]),
        (
            #"{"applinks": {"caseSensitive": false, "details": [{"appID": "A", "paths": ["*"]}]}}"#,
            ["key-without-effect"]
        ),
        (
            #"{"applinks": {"paths": ["*"], "details": [{"appID": "A", "paths": ["*"]}]}}"#,
            ["key-without-effect"]
        ),
        (
            #"{"applinks": {"details": [{"appID": "A", "components": [{"/": "*", "appIDs": ["A"]}]}]}}"#,
            ["key-without-effect"]
        ),
        (
            #"{"webcredentials": {"apps": ["A"]}, "applinks": {"details": [], "webcredentials": {"apps": ["A"]}}}"#,
            ["key-without-effect"]
        ),
        // Devices miss what they need.
        (
            #"{"applinks": {"details": [{"components": [{"/": "*", "appIDs": ["A"]}]}]}}"#,
            ["app-ids-missing", "key-misplaced"]
        ),
        (
            #"{"applinks": {"details": [{"appID": "A", "paths": ["/$(v)"], "substitutionVariables": {"v": ["x"]}}]}}"#,
            ["key-misplaced"]
        ),
        (
            #"{"applinks": {"details": [{"appIDs": ["A"]}], "components": [{"/": "*"}]}}"#,
            ["entry-rules-missing", "key-misplaced"]
        ),
        (#"{"applinks": {"apps": []}, "details": [{}]}"#, ["details-missing", "key-misplaced"]),
        (
            #"{"applinks": {"details": [], "webcredentials": {"apps": ["A"]}}}"#, ["key-misplaced"]
        ),
        (
            #"{"applinks": {"apps": [], "components": [{"/": "*"}]}}"#,
            ["details-missing", "key-misplaced"]
        ),
        // The entry opens what it seems to exclude.
        (
            #"{"applinks": {"details": [{"appID": "A", "paths": ["*"], "exclude": true}]}}"#,
            ["key-misplaced"]
        ),
    ]) func aMisplacedKeyIsAnErrorWhereItIsMissed(_ text: String, _ codes: [String]) throws {
        let found = try findings(text)
        expectEqual(found.map(\.code), codes)
        expectEqual(found.contains { $0.severity == .error }, codes.contains("key-misplaced"))
    }

    /// Services within another object, and a document as text.
    @Test(arguments: [
        (#"{"data": {"applinks": {}}}"#, "no-service", "without \"data\""),
        (#"{"applinks": {"x": {"details": []}}}"#, "details-missing", "without \"x\""),
        (#""{\"applinks\": {}}""#, "root-not-object", "encoded twice"),
        (#"{"applinks": {"details": "[]"}}"#, "details-wrong-type", "encoded twice"),
    ]) func namesWhatIsAroundTheDocument(_ text: String, _ code: String, _ part: String) throws {
        let finding = try #require(try findings(text).first { $0.code == code })
        expectEqual(finding.remedy?.contains(part), true)
    }

    /// The type of the value decides between the key for one and the key for many.
    @Test(arguments: [
        ("\"A\"", "Write \"appID\"."), ("[\"A\"]", "Write \"appIDs\"."),
    ]) func theTypeChoosesTheKey(_ value: String, _ remedy: String) throws {
        for key in ["appId", "appIds", "AppIDs"] {
            let found = try findings(
                "{\"applinks\": {\"details\": [{\"paths\": [], \"\(key)\": \(value)}]}}")
            expectEqual(found.map(\.remedy), [remedy])
        }
    }

    /// Renamed, it would be there twice.
    @Test func aMisspeltKeyBesideTheRightOneIsNoNewName() throws {
        let found = try findings(
            #"{"applinks": {"details": [{"paths": [], "appIds": ["A"], "appIDs": ["B"]}]}}"#)
        expectEqual(found.map(\.code), ["entry-key-misspelt"])
        expectEqual(found.first?.remedy?.hasPrefix("\"appIDs\" is there as well"), true)
        #expect(found.first?.fix == nil)
    }

    @Test func saysWhereAKeyBelongs() throws {
        let found = try findings(#"{"defaults": {}, "applinks": {"details": [], "appclips": {}}}"#)
        expectEqual(
            found.map(\.message),
            [
                "\"defaults\" at the top level is ignored; it belongs in applinks, or in an entry "
                    + "of applinks.details",
                "\"appclips\" in applinks is ignored; it belongs at the top level",
            ])
    }

    @Test(
        arguments: [
            (#"{"exlude": true, "/": "/a"}"#, #"{"exclude": true, "/": "/a"}"#),
            (#"{"Path": 1}"#, nil), (#"{"path": "/a", "/": "/b"}"#, nil),
            (#"{"exclude": "true"}"#, #"{"exclude": true}"#),
        ] as [(String, String?)])
    func renamesWhereThatLeavesNoChoice(_ component: String, _ fixed: String?) throws {
        let text = "{\"applinks\": {\"details\": [], \"defaults\": \(component)}}"
        let edits = try #require(try findings(text).first).fix ?? []
        let bytes = TextEdit.apply(edits, to: Array(text.utf8)) ?? []
        let wanted = text.replacing(component, with: fixed ?? component)
        expectEqual(String(decoding: bytes, as: UTF8.self), wanted)
    }

    @Test(
        arguments: [
            (#""appIDs": "9JA89QQLNQ.com.example""#, true), (#""appIDs": "x, y""#, false),
            (#""appIDs": 7"#, false), (#""components": {"/": "/x"}"#, true),
            (#""components": {"b": "/x"}"#, false), (#""components": "/x""#, false),
        ])
    func makesAListOfOneValue(_ member: String, _ isFixed: Bool) throws {
        let found = try findings("{\"applinks\": {\"details\": [{\(member)}]}}")
        let wrong = try #require(found.first { $0.code.hasSuffix("not-array") })
        expectEqual((wrong.fix != nil), isFixed)
    }

    /// A format that names no codes has its own for all.
    @Test func otherFormatsAreHeldToTheirTables() throws {
        let format = DocumentFormat(
            code: "own",
            .object(
                [SchemaMember("word", .choice(["a"], retired: ["b"]), "W.")], needs: [["word"]]))
        func messages(_ text: String) throws -> [String] {
            let found = format.problems(in: try JSONReader.read(SourceText(name: "f", text: text)))
            #expect(found.allSatisfy { $0.code == "own" && $0.remedy != nil })
            return found.map(\.message)
        }
        #expect(try messages(#"{"word": "a"}"#) == [] && messages(#"{"word": "b"}"#) == [])
        try expectEqual(
            messages(#"{"word": "c"}"#), ["\"word\" has to be one of a; this is \"c\""])
        try expectEqual(messages("[]"), ["the document has to be an object; this is an array"])
        try expectEqual(messages("{}"), ["the document has no \"word\""])
        try expectEqual(
            messages(#"{"word": "a", "zz": 1}"#),
            [
                "\"zz\" in the document is not a member that aasa knows"
            ])
    }
}
