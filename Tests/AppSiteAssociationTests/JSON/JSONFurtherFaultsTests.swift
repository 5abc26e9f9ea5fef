import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct JSONFurtherFaultsTests {
    /// All faults of a text: the one that ends reading and those told behind it.
    private func faults(_ source: SourceText) throws -> [JSONError] {
        let first = #expect(throws: JSONError.self) { try JSONReader.read(source) }
        let error = try #require(first)
        return [error] + JSONReader.furtherFaults(after: error, in: source)
    }

    private func faults(_ text: String) throws -> [String] {
        try faults(SourceText(name: "f", text: text)).map {
            "\($0.code.dropFirst("json-".count)) \($0.offset)"
        }
    }

    /// What stands behind a fault whose meaning is beyond doubt is read on from there; a word
    /// without quotes stands behind each as the next one.
    @Test(arguments: [
        ("[1,]", ["trailing-comma 2"]), ("[[1,], x]", ["trailing-comma 3", "unquoted-string 7"]),
        ("[1, // é\n x]", ["comment 4", "unquoted-string 11"]),
        ("[1, // é\r x]", ["comment 4", "unquoted-string 11"]),
        ("[1, # y\n x]", ["comment 4", "unquoted-string 9"]),
        ("[/* a */ 1, xx]", ["comment 1", "unquoted-string 12"]),
        ("[/*/ a */ 1, xx]", ["comment 1", "unquoted-string 13"]),
        ("[/**/ 1, xx]", ["comment 1", "unquoted-string 9"]),
        ("[\u{A0}1, xx]", ["unicode-space 1", "unquoted-string 6"]),
        ("[\"\t\", xx]", ["control-character 2", "unquoted-string 6"]),
        ("[\"\\x\", xx]", ["invalid-escape 2", "unquoted-string 7"]),
        ("[\"\\ud83d\", xx]", ["lone-surrogate 2", "unquoted-string 11"]),
        ("[01, xx]", ["invalid-number 1", "unquoted-string 5"]),
        ("[1.e+5, xx]", ["invalid-number 1", "unquoted-string 8"]),
        ("[-, xx]", ["invalid-number 1", "unquoted-string 4"]),
        ("[True, xx]", ["invalid-literal 1", "unquoted-string 7"]),
        ("{ab: 1, cd: 2}", ["unquoted-key 1", "unquoted-key 8"]),
        ("[ab, cd]", ["unquoted-string 1", "unquoted-string 5"]),
        ("['a', xx]", ["single-quote 1", "unquoted-string 6"]),
        ("[\u{201C}a\u{201D}, xx]", ["smart-quote 1", "unquoted-string 10"]),
        ("[\u{2018}\u{2019}, xx]", ["smart-quote 1", "unquoted-string 9"]),
        ("[\"a\" \"b\", xx]", ["missing-comma 5", "unquoted-string 10"]),
        ("[1,, xx]", ["missing-value 3", "unquoted-string 5"]),
        ("[x, xx]", ["unquoted-string 1", "unquoted-string 4"]),
    ]) func readsOnBehindAFault(_ text: String, _ wanted: [String]) throws {
        try expectEqual(faults(text), wanted)
    }

    /// Where the meaning is a guess, everything behind it would be one.
    @Test(arguments: [
        ("[1}, xx]", "mismatched-bracket 2"), ("{\"a\" 1, xx}", "missing-colon 5"),
        ("[\"a\n\", xx]", "control-character 3"), ("[\"a\r\", xx]", "control-character 3"),
        ("{\"a\": }, xx", "missing-value 6"), ("['a\n', xx]", "single-quote 1"),
        ("['a\"', xx]", "single-quote 1"), ("['a, xx]", "single-quote 1"),
        ("[\u{201C}a\n\u{201D}, xx]", "smart-quote 1"),
        ("[\u{201C}a\"\u{201D}, xx]", "smart-quote 1"),
        ("[\u{201C}a, xx]", "smart-quote 1"), ("[\"a\"\"b\", xx]", "missing-comma 4"),
        ("[/* * / xx]", "comment 1"), ("[(, xx]", "unexpected-byte 1"),
    ]) func guessesNothing(_ text: String, _ only: String) throws {
        try expectEqual(faults(text), [only])
    }

    @Test func bytesThatAreNoTextAreReadOver() throws {
        let source = SourceText(
            name: "f",
            bytes: [0x5B, 0x22, 0xE9, 0x22, 0x2C, 0x22, 0xE8, 0x22, 0x2C, 0x78, 0x78, 0x5D])
        try expectEqual(
            faults(source).map(\.code),
            [
                "json-invalid-utf8", "json-invalid-utf8", "json-unquoted-string",
            ])
        let marked = SourceText(name: "f", bytes: [0xEF, 0xBB, 0xBF] + Array("[1,]".utf8))
        try expectEqual(faults(marked).map(\.offset), [5])
    }

    /// The excerpt is of the document as it was written, not of the mended copy.
    @Test func furtherFaultsShowTheDocument() throws {
        let source = SourceText(name: "f", text: "['a', 'b']")
        let found = try faults(source)
        expectEqual(found.map(\.diagnostic.sourceLine), ["['a', 'b']", "['a', 'b']"])
        #expect(found.last?.diagnostic.range == 6..<7 && found.last?.remedy.isEmpty == false)
    }

    @Test func twentyAreToldBesideTheFirst() throws {
        func list(_ count: Int) -> String {
            "[" + Array(repeating: "xx", count: count).joined(separator: ",") + "]"
        }
        try expectEqual(faults(list(20)).count, 20)
        try expectEqual(faults(list(21)).count, 21)
        try expectEqual(faults(list(22)).count, 21)
    }

    /// Each further fault reads the document once more: 4 MiB are read, and no more.
    @Test func largeDocumentsAreReadLessOften() throws {
        func count(_ bytes: Int) throws -> Int {
            let words = "[xx,xx,xx,xx,xx,xx"
            let blanks = String(repeating: " ", count: bytes - words.utf8.count - 1)
            return try faults(SourceText(name: "f", text: words + blanks + "]")).count
        }
        try expectEqual(count(1 << 20), 5)
        try expectEqual(count((1 << 20) + 1), 4)
        try expectEqual(count(4 << 20), 2)
        let large = SourceText(name: "f", text: "[x1,x2" + String(repeating: " ", count: 4 << 20))
        let error = JSONError("json-comment", in: large, at: 0..<1, "", remedy: "")
        #expect(JSONReader.furtherFaults(after: error, in: large).isEmpty)
    }
}
