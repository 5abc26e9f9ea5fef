import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@Suite struct FragmentEditorTests {
    private func editor(_ text: String) throws -> FragmentEditor {
        FragmentEditor(try JSONReader.read(text: text, name: "f.json"))
    }

    private func edited(
        _ text: String, _ edit: (inout FragmentEditor) throws -> Void
    ) throws -> String {
        var editor = try editor(text)
        try edit(&editor)
        return String(decoding: editor.bytes, as: UTF8.self)
    }

    private let layout = """
        {
            "applinks": {
                "details": [
                    {
                        "appIDs": ["A.a", "A.b"],
                        "components": [
                            { "/": "/x" }
                        ]
                    },
                    { "appID": "A.c", "paths": [ "*" ] }
                ]
            },
            "webcredentials": {
                "apps": [
                    "A.a"
                ]
            }
        }

        """

    // MARK: Adding

    @Test func addsInTheLayoutOfTheNeighbours() throws {
        let text = try edited(layout) {
            try $0.add(app: "A.b", to: .webcredentials)
            try $0.add(app: "A.Clip", to: .appclips)
            try $0.addLinks(app: "A.d", patterns: ["NOT /no/*", "*"])
            try $0.addLinks(app: "A.e", like: "A.b")
        }
        expectEqual(
            text,
            """
            {
                "applinks": {
                    "details": [
                        {
                            "appIDs": ["A.a", "A.b", "A.e"],
                            "components": [
                                { "/": "/x" }
                            ]
                        },
                        { "appID": "A.c", "paths": [ "*" ] },
                        {
                            "appIDs": ["A.d"],
                            "components": [
                                {"/": "/no/*", "exclude": true},
                                {"/": "*"}
                            ]
                        }
                    ]
                },
                "webcredentials": {
                    "apps": [
                        "A.a",
                        "A.b"
                    ]
                },
                "appclips": {
                    "apps": ["A.Clip"]
                }
            }

            """)
    }

    @Test func beginsAFragment() throws {
        var editor = FragmentEditor(
            try JSONReader.read(SourceText(name: "new", bytes: FragmentEditor.empty)))
        try editor.add(app: "A.a", to: .webcredentials)
        try editor.addLinks(app: "A.a", patterns: ["/buy/*"])
        expectEqual(
            String(decoding: editor.bytes, as: UTF8.self),
            """
            {
              "webcredentials": {
                "apps": ["A.a"]
              },
              "applinks": {
                "details": [
                  {
                    "appIDs": ["A.a"],
                    "components": [
                      {"/": "/buy/*"}
                    ]
                  }
                ]
              }
            }

            """)
    }

    @Test func keepsOneLineOnOneLine() throws {
        try expectEqual(
            edited(#"{"webcredentials":{"apps":["A.a"]}}"#) {
                try $0.add(app: "A.b", to: .webcredentials)
                try $0.addLinks(app: "A.b", patterns: ["/x"])
            },
            #"{"webcredentials":{"apps":["A.a","A.b"]},"#
                + #""applinks":{"details":[{"appIDs":["A.b"],"components":[{"/":"/x"}]}]}}"#
        )
        try expectEqual(
            edited(#"{ "webcredentials": { "apps": [] } }"#) {
                try $0.add(app: "A.b", to: .webcredentials)
                try $0.add(app: "A.b", to: .appclips)
            }, #"{ "webcredentials": { "apps": ["A.b"] }, "appclips": {"apps": ["A.b"]} }"#)
    }

    @Test func keepsLineEndsAndTabs() throws {
        try expectEqual(
            edited(
                "{\r\n\t\"appclips\": {\r\n\t\t\"apps\": [\r\n\t\t\t\"A.a\"\r\n\t\t]\r\n\t}\r\n}"
            ) {
                try $0.add(app: "A.b", to: .appclips)
            },
            "{\r\n\t\"appclips\": {\r\n\t\t\"apps\": "
                + "[\r\n\t\t\t\"A.a\",\r\n\t\t\t\"A.b\"\r\n\t\t]\r\n\t}\r\n}"
        )
    }

    @Test func addsToOldForms() throws {
        try expectEqual(
            edited(#"{"applinks": {"details": {"A.a": {"paths": ["/x"]}}}}"#) {
                try $0.addLinks(app: "A.b", like: "A.a")
                try $0.addLinks(app: "A.c", patterns: ["NOT /n"])
            },
            #"{"applinks": {"details": {"A.a": {"paths": ["/x"]}, "A.b": {"paths": "#
                + #"["/x"]}, "A.c": {"paths": ["NOT /n"]}}}}"#
        )
        try expectEqual(
            edited(#"{"applinks": {"details": [{"appID": "A.a", "paths": ["/x"]}]}}"#) {
                try $0.addLinks(app: "A.b", like: "A.a")
            },
            #"{"applinks": {"details": [{"appID": "A.a", "paths": ["/x"]}, {"appID": "A.b", "#
                + #""paths": ["/x"]}]}}"#
        )
    }

    /// The order of entries decides: behind its model nothing else comes first.
    @Test func addsACopyBehindItsModel() throws {
        let shared = #"{"appIDs": ["A.a", "A.c"], "components": [{"/": "/help/*"}]}"#
        try expectEqual(
            edited(
                #"{"applinks": {"details": [{"appID": "A.a", "paths": ["NOT /h"]}, \#(shared)]}}"#
            ) { try $0.addLinks(app: "A.b", like: "A.a") },
            #"{"applinks": {"details": [{"appID": "A.a", "paths": ["NOT /h"]}, "#
                + #"{"appID": "A.b", "paths": ["NOT /h"]}, "#
                + #"{"appIDs": ["A.a", "A.c", "A.b"], "components": [{"/": "/help/*"}]}]}}"#)
    }

    @Test func writesOneFormOfAppIDs() throws {
        try expectEqual(
            edited(#"{"applinks":{"details":[{"appID":"A.a","components":[{"/":"/x"}]}]}}"#) {
                try $0.addLinks(app: "A.b", like: "A.a")
            }, #"{"applinks":{"details":[{"appIDs":["A.a","A.b"],"components":[{"/":"/x"}]}]}}"#)
    }

    @Test func renamesInEveryService() throws {
        try expectEqual(
            edited(
                #"{"applinks":{"details":[{"appIDs":["A.a","A.b"],"components":[]}]},"#
                    + #""appclips":{"apps":["A.a"]}}"#
            ) { try $0.rename(app: "A.a", to: "B.a") },
            #"{"applinks":{"details":[{"appIDs":["B.a","A.b"],"components":[]}]},"#
                + #""appclips":{"apps":["B.a"]}}"#)
        #expect(throws: EditError.self) {
            try edited(layout) { try $0.rename(app: "A.a", to: "A.b") }
        }
        #expect(throws: EditError.self) {
            try edited(layout) { try $0.rename(app: "A.z", to: "A.y") }
        }
    }

    // MARK: Removing

    @Test func variablesGoWithTheirLastUser() throws {
        let text =
            #"{"applinks":{"details":[{"appIDs":["A.a"],"components":[{"/":"/$(v)/$(w)"}]},"#
            + #"{"appIDs":["A.b"],"components":[{"/":"/$(w)"}]}],"#
            + #""substitutionVariables":{"v":["1"],"w":["2"],"x":["3"]}}}"#
        try expectEqual(
            edited(text) { try $0.remove(app: "A.a", from: .applinks) },
            #"{"applinks":{"details":[{"appIDs":["A.b"],"components":[{"/":"/$(w)"}]}],"#
                + #""substitutionVariables":{"w":["2"],"x":["3"]}}}"#)
    }

    @Test func knowsWhenNothingIsLeft() throws {
        #expect(try editor("{}").isInert)
        #expect(try editor(#"{"applinks": {"apps": [], "details": []}}"#).isInert)
        #expect(try editor(#"{"appclips": {"apps": []}}"#).isInert)
        #expect(try !editor(#"{"authsrv": {"apps": ["A.a"]}}"#).isInert)
        #expect(try !editor(#"{"appclips": {"apps": ["A.a"]}}"#).isInert)
        let inert = try JSONReader.read(SourceText(name: "f", bytes: FragmentEditor.inert))
        #expect(FragmentEditor(inert).isInert)
    }

    @Test func removesAnAppEverywhereItStands() throws {
        let text = try edited(layout) {
            try $0.remove(app: "A.a", from: .webcredentials)
            try $0.remove(app: "A.a", from: .applinks)
            try $0.remove(app: "A.c", from: .applinks)
        }
        expectEqual(
            text,
            """
            {
                "applinks": {
                    "details": [
                        {
                            "appIDs": ["A.b"],
                            "components": [
                                { "/": "/x" }
                            ]
                        }
                    ]
                }
            }

            """)
    }

    @Test func removesServicesWithNothingLeft() throws {
        let text =
            #"{"x": 1, "appclips": {"apps": ["A.a"]}, "applinks": {"details": [{"appID": "A.a", "#
            + #""paths": []}]}}"#
        try expectEqual(
            edited(text) {
                try $0.remove(app: "A.a", from: .appclips)
                try $0.remove(app: "A.a", from: .applinks)
            }, #"{"x": 1}"#)
        let kept =
            #"{"appclips": {"apps": ["A.a"], "y": 2}, "applinks": {"apps": [], "details": "#
            + #"[{"appID": "A.a", "paths": []}]}}"#
        try expectEqual(
            edited(kept) {
                try $0.remove(app: "A.a", from: .appclips)
                try $0.remove(app: "A.a", from: .applinks)
            }, #"{"appclips": {"apps": [], "y": 2}, "applinks": {"apps": [], "details": []}}"#)
    }

    @Test func removesEntriesThatNameNobodyElse() throws {
        let text =
            #"{"applinks": {"details": [{"appIDs": ["A.a"], "components": []}, {"appIDs": ["A.b","#
            + #" "A.a"], "appID": "A.a", "components": []}]}}"#
        try expectEqual(
            edited(text) { try $0.remove(app: "A.a", from: .applinks) },
            #"{"applinks": {"details": [{"appIDs": ["A.b"], "components": []}]}}"#)
    }

    // MARK: Refusals

    @Test(arguments: [
        (#"{"webcredentials": {"apps": ["A.a"]}}"#, "A.a is listed under webcredentials already"),
        (#"{"webcredentials": []}"#, "\"webcredentials\" is not an object"),
        (#"{"webcredentials": {"apps": {}}}"#, "there is no array to add to"),
        ("[]", "the file is not an object"),
    ]) func refusesToAdd(_ text: String, _ message: String) throws {
        var editor = try editor(text)
        let error = #expect(throws: EditError.self) {
            try editor.add(app: "A.a", to: .webcredentials)
        }
        expectEqual(error?.diagnostic.message, message)
        expectEqual(String(decoding: editor.bytes, as: UTF8.self), text)
    }

    @Test func refusesToRemoveWhatIsNotThere() throws {
        var editor = try editor(layout)
        let error = #expect(throws: EditError.self) {
            try editor.remove(app: "A.z", from: .applinks)
        }
        expectEqual(error?.diagnostic.message, "A.z is not listed under applinks")
        #expect(throws: EditError.self) { try editor.addLinks(app: "A.n", like: "A.z") }
    }

    // MARK: Properties

    @Test func addingAndRemovingGivesTheBytesBack() throws {
        var edited = 0
        for url in Corpus.files(in: "aasa", withExtension: "json") {
            let source = SourceText(
                name: url.lastPathComponent, bytes: [UInt8](try Data(contentsOf: url)))
            guard let document = try? JSONReader.read(source), document.duplicateKeys.isEmpty
            else { continue }
            for service in AssociationService.allCases where service != .applinks {
                var editor = FragmentEditor(document)
                guard document.root[service.rawValue]?["apps"]?.array?.isEmpty == false,
                    (try? editor.add(app: "ZZZZ999999.new", to: service)) != nil
                else { continue }
                expectEqual(
                    AssociationDiff.diff(
                        AssociationFile(document: document),
                        AssociationFile(document: editor.document)
                    ).map(\.description), ["+ app ZZZZ999999.new"], "\(source.name)")
                try editor.remove(app: "ZZZZ999999.new", from: service)
                expectEqual(editor.bytes, source.bytes, "\(source.name)")
                edited += 1
            }
            var links = FragmentEditor(document)
            guard document.root["applinks"]?["details"]?.array?.isEmpty == false else {
                continue
            }
            try links.addLinks(app: "ZZZZ999999.new", patterns: ["/x", "NOT /y"])
            try links.remove(app: "ZZZZ999999.new", from: .applinks)
            expectEqual(links.bytes, source.bytes, "\(source.name)")
            edited += 1
        }
        if Corpus.root != nil { #expect(edited > 100) }
    }

    /// Systems that read `paths` read `appID` alone.
    @Test func `An app beside another leaves its appID where there are paths`() throws {
        let rules = #""paths":["/buy"],"components":[{"/":"/buy"}]"#
        let result = try edited(
            #"{"applinks":{"details":[{"appID":"AAAAAAAAAA.a",\#(rules)}]}}"#
        ) { try $0.addLinks(app: "AAAAAAAAAA.b", like: "AAAAAAAAAA.a") }
        #expect(result.contains(#""appID":"AAAAAAAAAA.a""#))
        #expect(result.contains("appIDs") && result.contains("AAAAAAAAAA.b"))
        #expect(result.contains(rules))
    }

    /// Line breaks, escapes and what stands between the rules stay as they are.
    @Test func `A rule is moved as it is written`() throws {
        let (first, second) = ("{\n  \"/\": \"\\/help\"\n}", "{ \"/\":\"\\u00e9\"  }")
        func source(_ rules: String...) -> String {
            #"{"applinks":{"details":[{"appIDs":["AAAAAAAAAA.a"],"components":["#
                + rules.joined(separator: " ,\n") + "]}]}}"
        }
        let result = try edited(source(first, second, "{}")) {
            try $0.moveRule(app: "AAAAAAAAAA.a", number: 2, to: 1)
        }
        expectEqual(result, source(second, first, "{}"))
    }
}
