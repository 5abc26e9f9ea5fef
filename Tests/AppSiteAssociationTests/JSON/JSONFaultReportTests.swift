import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct JSONFaultReportTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let bytes: [UInt8]
        let code: String
        let offset: Int
        var testDescription: String {
            "\(code): \(String(decoding: bytes, as: UTF8.self))"
        }

        init(_ text: String, _ code: String, _ offset: Int) {
            self.init(Array(text.utf8), code, offset)
        }

        init(_ bytes: [UInt8], _ code: String, _ offset: Int) {
            self.bytes = bytes
            self.code = code
            self.offset = offset
        }
    }

    static let mistakes = [
        Mistake("{\n  // apps\n  \"a\": 1}", "json-comment", 4),
        Mistake("{\"a\": /* x */ 1}", "json-comment", 6),
        Mistake("[1] # done", "json-comment", 4),
        Mistake("{\"a\": 1,}", "json-trailing-comma", 7),
        Mistake("[1, 2,\n]", "json-trailing-comma", 5),
        Mistake("{\u{201C}a\": 1}", "json-smart-quote", 1),
        Mistake("{\"a\": \u{201C}b\u{201D}}", "json-smart-quote", 6),
        Mistake("{'a': 1}", "json-single-quote", 1),
        Mistake("{a: 1}", "json-unquoted-key", 1),
        Mistake("[NOT \"/x\"]", "json-unquoted-string", 1),
        Mistake("[True]", "json-invalid-literal", 1),
        Mistake("[undefined]", "json-invalid-literal", 1),
        Mistake("[01]", "json-invalid-number", 1),
        Mistake("[+1]", "json-invalid-number", 1),
        Mistake("[1.]", "json-invalid-number", 1),
        Mistake("[\"a\nb\"]", "json-control-character", 3),
        Mistake("[\"a\tb\"]", "json-control-character", 3),
        Mistake("[\"\\x\"]", "json-invalid-escape", 2),
        Mistake("[\"\\u12G4\"]", "json-invalid-escape", 2),
        Mistake("[\"\\ud83d\"]", "json-lone-surrogate", 2),
        Mistake("[\"\\ude00\"]", "json-lone-surrogate", 2),
        Mistake([0x5B, 0x22, 0xE9, 0x22, 0x5D], "json-invalid-utf8", 2),
        Mistake([0x5B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x5D], "json-invalid-utf8", 2),
        Mistake([0x5B, 0x22, 0xC0, 0xAF, 0x22, 0x5D], "json-invalid-utf8", 2),
        Mistake("{\"a\": 1 \"b\": 2}", "json-missing-comma", 8),
        Mistake("[{} {}]", "json-missing-comma", 4),
        Mistake("{\"a\" 1}", "json-missing-colon", 5),
        Mistake("{\"a\" = 1}", "json-missing-colon", 5),
        Mistake("{\"a\": }", "json-missing-value", 6),
        Mistake("[1,,2]", "json-missing-value", 3),
        Mistake("{\"a\": [1}", "json-mismatched-bracket", 8),
        Mistake("{}}", "json-mismatched-bracket", 2),
        Mistake("{\"a\": 1", "json-truncated", 7),
        Mistake("[\"abc", "json-truncated", 1),
        Mistake("{} {}", "json-extra-content", 3),
        Mistake("{},", "json-extra-content", 2),
        Mistake("\"applinks\": {}", "json-outer-braces-missing", 0),
        Mistake("{\u{2003}\"a\": 1}", "json-unicode-space", 1),
        Mistake("{\"a\":\u{A0}1}", "json-unicode-space", 5),
        Mistake("{\"a\":\u{200B}1}", "json-unicode-space", 5),
        Mistake("[1}", "json-mismatched-bracket", 2),
        Mistake("{]", "json-mismatched-bracket", 1),
        Mistake("{\"a\": 1]", "json-mismatched-bracket", 7),
        Mistake("]", "json-missing-value", 0),
        Mistake("[]]", "json-mismatched-bracket", 2),
        Mistake("{[1]}", "json-missing-value", 1),
        Mistake("{,}", "json-missing-value", 1),
        Mistake("{1: 2}", "json-unquoted-key", 1),
        Mistake("{(a): 2}", "json-unexpected-byte", 1),
        Mistake("[:]", "json-missing-value", 1),
        Mistake("[\"a\": 1]", "json-missing-comma", 4),
        Mistake("[/]", "json-unexpected-byte", 1),
        Mistake("[1 / 2]", "json-unexpected-byte", 3),
        Mistake("{} x", "json-extra-content", 3),
        Mistake("{} // x", "json-comment", 3),
        Mistake("{}: 1", "json-extra-content", 2),
        Mistake("[.5]", "json-invalid-number", 1),
        Mistake("[-]", "json-invalid-number", 1),
        Mistake("[1e]", "json-invalid-number", 1),
        Mistake("[1", "json-truncated", 2),
        Mistake("[-", "json-invalid-number", 1),
        Mistake("{\"a\"", "json-truncated", 4),
        Mistake("{\"a\":", "json-truncated", 5),
        Mistake("{", "json-truncated", 1),
        Mistake("[\u{7F}]", "json-unexpected-byte", 1),
        Mistake("[\u{1}]", "json-unicode-space", 1),
        Mistake("[é]", "json-unexpected-byte", 1),
        Mistake([0x5B, 0xFF, 0x5D], "json-invalid-utf8", 1),
        Mistake("[\u{AB}a\u{BB}]", "json-smart-quote", 1),
        Mistake("[\u{2017}a]", "json-unexpected-byte", 1),
        Mistake("[\u{2018}a]", "json-smart-quote", 1),
        Mistake("[\u{201F}a]", "json-smart-quote", 1),
        Mistake("[\u{2020}a]", "json-unexpected-byte", 1),
        Mistake("[\u{2039}a]", "json-smart-quote", 1),
        Mistake("[\u{300C}a]", "json-smart-quote", 1),
        Mistake("[\u{FF02}a]", "json-smart-quote", 1),
    ]

    @Test(arguments: mistakes) func namesTheMistakeAndItsPlace(_ mistake: Mistake) {
        let source = SourceText(name: "f.json", bytes: mistake.bytes)
        let error = #expect(throws: JSONError.self) { try JSONReader.read(source) }
        expectEqual(error?.code, mistake.code)
        expectEqual(error?.offset, mistake.offset)
        expectEqual(error?.diagnostic.file, "f.json")
        expectEqual(error?.remedy.isEmpty, false)
    }

    private func error(_ text: String) throws -> JSONError {
        let error = #expect(throws: JSONError.self) { try JSONReader.read(text: text) }
        return try #require(error)
    }

    /// One mistake has several causes, and each its own words.
    @Test(arguments: [
        ("[1", "the file ends before the ']' that closes this array"),
        ("{\"a\": 1", "the file ends before the '}' that closes this object"),
        ("{", "the file ends before the '}' that closes this object"),
        ("{\"a\"", "the file ends before the ':' after this key"),
        ("{\"a\":", "the file ends before a value"),
        ("[\"a", "the file ends inside the string that begins here: its closing quote is missing"),
        ("[1}", "'}' where ']' has to close the array"),
        ("{\"a\":1]", "']' where '}' has to close the object"),
        ("{]", "']' where '}' has to close the object"),
        ("{\"a\":1,}", "a comma after the last member"), ("[1,]", "a comma after the last element"),
        ("{\"a\" = 1}", "'=' in place of ':'"),
        ("{\"a\" 1}", "'1' where ':' was expected after the key"),
        ("[\"a\" é]", "'é' where ',' or ']' was expected"),
        ("{\"a\":1 é}", "'é' where ',' or '}' was expected"),
        ("{(}", "'(' where a key in double quotes was expected"),
        ("[\u{7F}]", "U+007F where a value was expected"),
        (
            "[\u{1}]",
            "invisible character U+0001 between the tokens; only space, tab, line feed and "
                + "carriage return may stand there"
        ),
        (
            "[\u{E0001}]",
            "invisible character U+E0001 between the tokens; only space, tab, line "
                + "feed and carriage return may stand there"
        ),
        (
            "{\u{A0}\u{A0}}",
            "2 invisible characters U+00A0 between the tokens; only space, tab, line feed and "
                + "carriage return may stand there"
        ),
        ("[\u{201C}a]", "typographic quotation mark \u{201C} (U+201C) where JSON needs \""),
        ("[01]", "a JSON number cannot have leading zeros"),
        ("[-01]", "a JSON number cannot have leading zeros"),
        ("[1.]", "this is not a valid JSON number"),
        ("[0.]", "this is not a valid JSON number"),
        ("[-", "the number - is incomplete"), ("[1.", "the number 1. is incomplete"),
        ("[+1]", "a number begins with a digit or with '-'"),
        ("[TRUE]", "'TRUE' is not JSON; it is written true"),
        ("[None]", "'None' is not JSON; it is written null"),
        ("[NaN]", "'NaN' is not JSON"),
        ("{} {}", "a second document begins here; a file contains exactly one"),
        ("{} x", "'x' follows the end of the document"),
        ("[\"\t\"]", "control character U+0009 inside a string"),
        (
            "[\"a\r\n\"]",
            "the string runs over the end of the line: its closing quote is missing, "
                + "or a line break is inside it"
        ),
    ]) func saysWhatStandsThere(_ text: String, _ message: String) throws {
        try expectEqual(error(text).message, message)
    }

    @Test(arguments: [
        ("[\"\t\"]", "Write it as \\t, or remove it."), ("[\"\u{1}\"]", "Remove it."),
        ("[NOT \"/a\"]", "Write the word NOT inside the quotes: \"NOT /path\"."),
        ("None\n", "Write the document in its place, and check the program that wrote this."),
        (" NaN", "Write the document in its place, and check the program that wrote this."),
        ("hello", "Write the document in its place, and check the program that wrote this."),
        ("[NO \"/a\"]", "Put the string in double quotes."), ("[False]", "Write false."),
        ("{\"a\":1,}", "Remove the comma before '}'."),
        ("{\"a\":1 \"b\":2}", "Put a comma between two members."),
        ("[1 \"b\"]", "Put a comma between two elements."),
    ]) func saysWhatToDo(_ text: String, _ remedy: String) throws {
        try expectEqual(error(text).remedy, remedy)
    }

    /// Where a string has lost its quote, a rule would go with the comment.
    @Test(arguments: [
        "[{ #: \"top\", \"/\": \"/x\" }]", "[\n{ \"/\": //buy/*\" }\n]",
    ]) func aLostQuoteIsNoComment(_ text: String) throws {
        #expect(try error(text).remedy.hasPrefix("Add the missing quote"))
    }

    /// Another comma would make the one inside the quotes a part of the pattern.
    @Test func aCommaInsideTheQuotesIsNamed() throws {
        let found = try error("[\"NOT /a/*,\" \"*\"]").remedy
        #expect(found.contains("inside the string before"))
    }

    /// The bytes that are underlined.
    @Test(arguments: [
        ("[1 ,\n ]", 3..<4), ("{abc: 1}", 1..<4), ("[ab.c-d_$e, 1]", 1..<10), ("[True]", 1..<5),
        ("[.5]", 1..<2), ("[01]", 1..<3), ("[12.]", 1..<4), ("[\"\\x\"]", 2..<4),
        ("[\"\\ud83d\"]", 2..<8), ("[é]", 1..<3), ("[\u{1F600}]", 1..<5), ("\"a\": 1", 0..<1),
        ("[\"abc", 1..<2), ("[1", 2..<2), ("[-", 1..<2), ("[\"\\", 1..<2),
    ]) func theFaultIsUnderlined(_ text: String, _ range: Range<Int>) throws {
        try expectEqual(error(text).diagnostic.range, range)
    }

    /// A word is told whole up to 64 bytes.
    @Test func longWordsAreCut() throws {
        let word = String(repeating: "a", count: 64)
        try expectEqual(error("[\(word)]").diagnostic.range, 1..<65)
        try expectEqual(error("[\(word)b]").diagnostic.range, 1..<65)
        try expectEqual(error("[\(word.dropLast())]").diagnostic.range, 1..<64)
    }

    @Test(arguments: [
        ("{\n\"a\": [1\n", "opened here", 2), ("{\n\"a\": [1}", "the array begins here", 2),
        ("{\n\"a\": 1]", "the object begins here", 1), ("{\n\"a\n", "the string begins here", 2),
        ("{\n\"a\" 1}", "the key", 2), ("\n\n[\"a\": 1]", "the array begins here", 3),
    ]) func pointsToWhatWasOpened(_ text: String, _ message: String, _ line: Int) throws {
        let related = try error(text).diagnostic.related
        expectEqual(related.map(\.message), [message])
        expectEqual(related.map(\.start?.line), [line])
    }

    @Test func anEmptyFileOpenedNothing() throws {
        try expectEqual(error("").diagnostic.related, [])
    }

    /// The mistakes are read from a file: each names a finding, and what it tests exists.
    @Test func everyMistakeIsComplete() {
        #expect(JSONFaultReport.mistakes.count > 40)
        let known: Set = [
            "at", "code", "edit", "fix", "found", "inside", "message", "opened", "place", "test",
            "underlined", "whole", "words", "write",
        ]
        for mistake in JSONFaultReport.mistakes {
            #expect(Set((mistake.members ?? []).map(\.key)).isSubset(of: known))
            #expect(RuleCatalog.rule(mistake["code"]?.string ?? "") != nil)
            expectEqual(mistake["message"]?.string?.isEmpty, false)
            for kind in mistake["at"]?.texts ?? [] {
                #expect(JSONFault.Kind(rawValue: kind.value) != nil, "\(kind.value)")
            }
            let (test, place, edit) = (mistake["test"], mistake["place"], mistake["edit"])
            #expect(test?.string.map { JSONFaultReport.Test(rawValue: $0) != nil } ?? true)
            #expect(place?.string.map { JSONFaultReport.Place(rawValue: $0) != nil } ?? true)
            #expect(edit?.string.map { JSONFaultReport.Edit(rawValue: $0) != nil } ?? true)
        }
    }
}
