import AppSiteAssociation
import TestSupport
import Testing

@Suite struct JSONTextEditorTests {
    private func editor(_ text: String) throws -> JSONTextEditor {
        JSONTextEditor(try JSONReader.read(text: text))
    }

    private func text(_ editor: JSONTextEditor) -> String {
        String(decoding: editor.bytes, as: UTF8.self)
    }

    @Test func findsValues() throws {
        let editor = try editor(#"{"a": [1, {"b": true}]}"#)
        expectEqual(editor.value(at: [.key("a"), .index(1), .key("b")])?.bool, true)
        #expect(editor.value(at: [.key("a"), .index(2)]) == nil)
        #expect(editor.value(at: [.index(0)]) == nil)
        expectEqual(editor.value(at: [])?.members?.count, 1)
    }

    @Test(arguments: [
        ("[1, 2, 3]", 0, "[2, 3]"), ("[1, 2, 3]", 1, "[1, 3]"), ("[1, 2, 3]", 2, "[1, 2]"),
        ("[ 1 ]", 0, "[]"), ("[\n  1,\n  2\n]", 0, "[\n  2\n]"),
        ("[\n  1,\n  2\n]", 1, "[\n  1\n]"),
    ]) func removesWithItsComma(_ before: String, _ index: Int, _ after: String) throws {
        var editor = try editor(before)
        try editor.remove(at: [.index(index)])
        expectEqual(text(editor), after)
    }

    @Test func removesMembers() throws {
        var editor = try editor(#"{"a": 1, "b": {"c": 2}, "d": 3}"#)
        try editor.remove(at: [.key("b"), .key("c")])
        try editor.remove(at: [.key("d")])
        expectEqual(text(editor), #"{"a": 1, "b": {}}"#)
        #expect(throws: EditError.self) { try editor.remove(at: [.key("z")]) }
        #expect(throws: EditError.self) { try editor.remove(at: []) }
    }

    @Test func refusesContainersOfTheOtherKind() throws {
        var editor = try editor(#"{"a": [], "b": {}}"#)
        let value = JSONValue(.null)
        #expect(throws: EditError.self) { try editor.insert([value], intoArrayAt: [.key("b")]) }
        #expect(throws: EditError.self) { try editor.set(value, at: [.key("a"), .key("k")]) }
        #expect(throws: EditError.self) { try editor.insert([value], intoArrayAt: [.key("z")]) }
    }

    @Test func addsTheObjectsOnTheWay() throws {
        var editor = try editor(#"{"a": {}}"#)
        try editor.set("x", at: [.key("a"), .key("b"), .key("c")])
        try editor.set([], at: [.key("d")])
        expectEqual(text(editor), #"{"a": {"b": {"c": "x"}}, "d": []}"#)
        #expect(throws: EditError.self) {
            try editor.set("x", at: [.key("d"), .key("e"), .key("f")])
        }
        #expect(throws: EditError.self) { try editor.set("x", at: [.key("d"), .index(0)]) }
    }

    @Test(arguments: [UInt64(21), 22, 23]) func appendsAnythingAnywhere(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let value = JSONWriterTests.randomValue(&random, depth: 3)
            let outer = JSONValue(
                .object([
                    JSONMember(key: "k", value: JSONWriterTests.randomValue(&random, depth: 2)),
                    JSONMember(key: "list", value: JSONValue(.array([]))),
                ]))
            let isDense = Bool.random(using: &random)
            let bytes = isDense ? JSONWriter.minified(outer) : JSONWriter.indented(outer, by: 3)
            var editor = JSONTextEditor(
                try JSONReader.read(SourceText(name: "-", bytes: bytes)))
            try editor.insert([value], intoArrayAt: [.key("list")])
            try editor.insert([value], intoArrayAt: [.key("list")])
            try editor.set(value, at: [.key("new")])
            expectEqual(editor.value(at: [.key("list"), .index(1)])?.means(value), true)
            expectEqual(editor.value(at: [.key("new")])?.means(value), true)
            if isDense { expectEqual(JSONWriter.minified(editor.document.root), editor.bytes) }
            try editor.remove(at: [.key("new")])
            try editor.remove(at: [.key("list"), .index(1)])
            try editor.remove(at: [.key("list"), .index(0)])
            expectEqual(editor.bytes, bytes, "seed \(seed)")
        }
    }
}
