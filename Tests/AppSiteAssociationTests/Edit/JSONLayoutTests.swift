import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct JSONLayoutTests {
    private func edited(
        _ text: String, _ edit: (inout JSONTextEditor) throws -> Void
    ) throws -> String {
        var editor = JSONTextEditor(try JSONReader.read(text: text))
        try edit(&editor)
        return String(decoding: editor.bytes, as: UTF8.self)
    }

    private func value(_ text: String) throws -> JSONValue { try JSONReader.read(text: text).root }

    @Test(arguments: [
        // On one line: blanks as behind the first colon, wherever the element goes.
        (#"{"a":[1,2]}"#, 0, #"{"a":[9,1,2]}"#), (#"{"a":[1,2]}"#, 1, #"{"a":[1,9,2]}"#),
        (#"{"a":[1,2]}"#, 2, #"{"a":[1,2,9]}"#), (#"{"a": [1, 2]}"#, 1, #"{"a": [1, 9, 2]}"#),
        (#"{"a": [1, 2]}"#, 2, #"{"a": [1, 2, 9]}"#), (#"{"a":[]}"#, 0, #"{"a":[9]}"#),
        (#"{"a": [ ]}"#, 0, #"{"a": [9]}"#),
        // On lines of their own, with the indentation of the neighbour.
        ("{\"a\": [\n 1,\n 2\n]}", 0, "{\"a\": [\n 9,\n 1,\n 2\n]}"),
        ("{\"a\": [\n 1,\n 2\n]}", 1, "{\"a\": [\n 1,\n 9,\n 2\n]}"),
        ("{\"a\": [\n 1,\n 2\n]}", 2, "{\"a\": [\n 1,\n 2,\n 9\n]}"),
        ("{\"a\": [\n\t1\n]}", 1, "{\"a\": [\n\t1,\n\t9\n]}"),
        ("{\"a\": [\r\n    1\r\n]}", 1, "{\"a\": [\r\n    1,\r\n    9\r\n]}"),
        // Only the neighbour at the place counts.
        ("{\"a\": [\n 1, 2\n]}", 2, "{\"a\": [\n 1, 2, 9\n]}"),
        ("{\"a\": [1,\n 2\n]}", 0, "{\"a\": [9, 1,\n 2\n]}"),
        ("{\"a\": [1,\n 2\n]}", 1, "{\"a\": [1,\n 9,\n 2\n]}"),
        // Nothing to imitate: the unit of the document, on top of the line of the container.
        ("{\n   \"a\": []\n}", 0, "{\n   \"a\": [\n      9\n   ]\n}"),
        ("{\n\t\"a\": []\n}", 0, "{\n\t\"a\": [\n\t\t9\n\t]\n}"),
        ("{\r\n \"a\": []\r\n}", 0, "{\r\n \"a\": [\r\n  9\r\n ]\r\n}"),
        ("{\"a\": [\n]}", 0, "{\"a\": [\n  9\n]}"),
        ("{\"a\": []\n}", 0, "{\"a\": [9]\n}"),
    ]) func newElementsStandAsTheirNeighboursDo(
        _ before: String, _ index: Int, _ after: String
    ) throws {
        try expectEqual(
            edited(before) {
                try $0.insert([.integer(9)], at: index, intoArrayAt: [.key("a")])
            }, after)
    }

    @Test func severalAreSeparatedAsTheirNeighboursAre() throws {
        let nine = [JSONValue.integer(8), .integer(9)]
        func inserted(_ text: String, _ index: Int) throws -> String {
            try edited(text) { try $0.insert(nine, at: index, intoArrayAt: []) }
        }
        try expectEqual(inserted("[\n 1\n]", 0), "[\n 8,\n 9,\n 1\n]")
        try expectEqual(inserted("[\n 1\n]", 1), "[\n 1,\n 8,\n 9\n]")
        try expectEqual(inserted("[1]", 1), "[1, 8, 9]")
        try expectEqual(inserted("[\n]", 0), "[\n  8,\n  9\n]")
    }

    /// The indentation of one level is that of the first that stands on a line of its own, however
    /// deep it lies.
    @Test(arguments: [
        ("{\n    \"a\": [],\n    \"b\": {\n      \"c\": 1\n    }\n}", "    "),
        ("{\"a\": [],\n   \"b\": {\n     \"c\": 1\n   }\n}", "  "),
        ("{\"a\": [], \"b\": [{\n\t\"c\": 1\n}]}", "\t"),
        // A line end, and nothing that is indented.
        ("{\n\"a\": [],\n\"b\": 1\n}", nil),
    ]) func oneLevelIsFoundOnce(_ text: String, _ unit: String?) throws {
        let after = try edited(text) { try $0.insert([.integer(9)], intoArrayAt: [.key("a")]) }
        let start = try #require(text.firstRange(of: "[]"))
        let outer = text[..<start.lowerBound].split(separator: "\n").last?.prefix { $0 == " " }
        let list = unit.map { "[\n\(outer ?? "")\($0)9\n\(outer ?? "")]" } ?? "[9]"
        expectEqual(after, text.replacing("[]", with: list))
    }

    /// Lists and objects that hold nothing nested stand on one line up to 80 bytes.
    @Test(arguments: [(80, true), (81, false)]) func shortRulesStandOnOneLine(
        _ bytes: Int, _ isOneLine: Bool
    ) throws {
        let name = String(repeating: "x", count: bytes - #"{"/":""}"#.count)
        let rule = try value(#"{"/":"\#(name)"}"#)
        let after = try edited("[\n  1\n]") { try $0.insert([rule], intoArrayAt: []) }
        let oneLine = "{\"/\": \"\(name)\"}"
        expectEqual(
            after,
            "[\n  1,\n  "
                + (isOneLine ? oneLine : "{\n    \"/\": \"\(name)\"\n  }") + "\n]")
    }

    @Test func whatHoldsNestedValuesStandsOnSeveralLines() throws {
        let entry = try value(#"{"appIDs":["A.a"],"x":{},"components":[{"/":"/a"},{"/":"/b"}]}"#)
        try expectEqual(
            edited("[\n  1\n]\n") { try $0.insert([entry], intoArrayAt: []) },
            """
            [
              1,
              {
                "appIDs": ["A.a"],
                "x": {},
                "components": [
                  {"/": "/a"},
                  {"/": "/b"}
                ]
              }
            ]

            """)
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":{"b":[1,2],"c":{}}}"#),
        (#"{"a": 1}"#, #"{"a": {"b": [1, 2], "c": {}}}"#),
        ("{\n  \"a\": 1\n}", "{\n  \"a\": {\n    \"b\": [1, 2],\n    \"c\": {}\n  }\n}"),
    ]) func whatReplacesTakesTheLayout(_ before: String, _ after: String) throws {
        let new = try value(#"{"b":[1,2],"c":{}}"#)
        try expectEqual(edited(before) { try $0.set(new, at: [.key("a")]) }, after)
    }

    @Test(arguments: [
        ([0], "[2,  3 , 4]"), ([1], "[1 ,3 , 4]"), ([3], "[1 ,2,  3]"), ([0, 1], "[3 , 4]"),
        ([2, 3], "[1 ,2]"), ([0, 2], "[2,  4]"), ([1, 3], "[1 ,3]"), ([0, 1, 2], "[4]"),
        ([0, 1, 2, 3], "[]"), ([], "[1 ,2,  3 , 4]"),
    ]) func removesRunsWithTheirCommas(_ indices: [Int], _ after: String) throws {
        let document = try JSONReader.read(text: "[1 ,2,  3 , 4]")
        let edits = try #require(JSONTextEditor.removals(of: Set(indices), from: document.root))
        let bytes = try #require(TextEdit.apply(edits, to: document.source.bytes))
        expectEqual(String(decoding: bytes, as: UTF8.self), after)
    }
}
