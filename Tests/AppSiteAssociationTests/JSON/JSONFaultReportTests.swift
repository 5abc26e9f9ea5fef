import AppSiteAssociation
import Testing

@Suite struct JSONFaultReportTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let bytes: [UInt8]
        let reason: JSONError.Reason
        let offset: Int
        var testDescription: String {
            "\(reason.rawValue): \(String(decoding: bytes, as: UTF8.self))"
        }

        init(_ text: String, _ reason: JSONError.Reason, _ offset: Int) {
            self.init(Array(text.utf8), reason, offset)
        }

        init(_ bytes: [UInt8], _ reason: JSONError.Reason, _ offset: Int) {
            self.bytes = bytes
            self.reason = reason
            self.offset = offset
        }
    }

    static let mistakes = [
        Mistake("{\n  // apps\n  \"a\": 1}", .comment, 4),
        Mistake("{\"a\": /* x */ 1}", .comment, 6),
        Mistake("[1] # done", .comment, 4),
        Mistake("{\"a\": 1,}", .trailingComma, 7),
        Mistake("[1, 2,\n]", .trailingComma, 5),
        Mistake("{\u{201C}a\": 1}", .smartQuote, 1),
        Mistake("{\"a\": \u{201C}b\u{201D}}", .smartQuote, 6),
        Mistake("{'a': 1}", .singleQuote, 1),
        Mistake("{a: 1}", .unquotedKey, 1),
        Mistake("[NOT \"/x\"]", .unquotedString, 1),
        Mistake("[True]", .invalidLiteral, 1),
        Mistake("[undefined]", .invalidLiteral, 1),
        Mistake("[01]", .invalidNumber, 1),
        Mistake("[+1]", .invalidNumber, 1),
        Mistake("[1.]", .invalidNumber, 1),
        Mistake("[\"a\nb\"]", .controlCharacter, 3),
        Mistake("[\"a\tb\"]", .controlCharacter, 3),
        Mistake("[\"\\x\"]", .invalidEscape, 2),
        Mistake("[\"\\u12G4\"]", .invalidEscape, 2),
        Mistake("[\"\\ud83d\"]", .loneSurrogate, 2),
        Mistake("[\"\\ude00\"]", .loneSurrogate, 2),
        Mistake([0x5B, 0x22, 0xE9, 0x22, 0x5D], .invalidUTF8, 2),
        Mistake([0x5B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x5D], .invalidUTF8, 2),
        Mistake([0x5B, 0x22, 0xC0, 0xAF, 0x22, 0x5D], .invalidUTF8, 2),
        Mistake("{\"a\": 1 \"b\": 2}", .missingComma, 8),
        Mistake("[{} {}]", .missingComma, 4),
        Mistake("{\"a\" 1}", .missingColon, 5),
        Mistake("{\"a\" = 1}", .missingColon, 5),
        Mistake("{\"a\": }", .missingValue, 6),
        Mistake("[1,,2]", .missingValue, 3),
        Mistake("{\"a\": [1}", .mismatchedBracket, 8),
        Mistake("{}}", .mismatchedBracket, 2),
        Mistake("{\"a\": 1", .truncated, 7),
        Mistake("[\"abc", .truncated, 1),
        Mistake("{} {}", .extraContent, 3),
        Mistake("{},", .extraContent, 2),
        Mistake("\"applinks\": {}", .outerBracesMissing, 0),
        Mistake("{\u{2003}\"a\": 1}", .unicodeSpace, 1),
        Mistake("{\"a\":\u{A0}1}", .unicodeSpace, 5),
        Mistake("{\"a\":\u{200B}1}", .unicodeSpace, 5),
        Mistake("[1}", .mismatchedBracket, 2),
        Mistake("{]", .mismatchedBracket, 1),
        Mistake("{\"a\": 1]", .mismatchedBracket, 7),
        Mistake("]", .missingValue, 0),
        Mistake("[]]", .mismatchedBracket, 2),
        Mistake("{[1]}", .missingValue, 1),
        Mistake("{,}", .missingValue, 1),
        Mistake("{1: 2}", .unquotedKey, 1),
        Mistake("{(a): 2}", .unexpectedByte, 1),
        Mistake("[:]", .missingValue, 1),
        Mistake("[\"a\": 1]", .missingComma, 4),
        Mistake("[/]", .unexpectedByte, 1),
        Mistake("[1 / 2]", .unexpectedByte, 3),
        Mistake("{} x", .extraContent, 3),
        Mistake("{} // x", .comment, 3),
        Mistake("{}: 1", .extraContent, 2),
        Mistake("[.5]", .invalidNumber, 1),
        Mistake("[-]", .invalidNumber, 1),
        Mistake("[1e]", .invalidNumber, 1),
        Mistake("[1", .truncated, 2),
        Mistake("[-", .invalidNumber, 1),
        Mistake("{\"a\"", .truncated, 4),
        Mistake("{\"a\":", .truncated, 5),
        Mistake("{", .truncated, 1),
        Mistake("[\u{7F}]", .unexpectedByte, 1),
        Mistake("[\u{1}]", .unicodeSpace, 1),
        Mistake("[é]", .unexpectedByte, 1),
        Mistake([0x5B, 0xFF, 0x5D], .invalidUTF8, 1),
        Mistake("[\u{AB}a\u{BB}]", .smartQuote, 1),
        Mistake("[\u{2017}a]", .unexpectedByte, 1),
        Mistake("[\u{2018}a]", .smartQuote, 1),
        Mistake("[\u{201F}a]", .smartQuote, 1),
        Mistake("[\u{2020}a]", .unexpectedByte, 1),
        Mistake("[\u{2039}a]", .smartQuote, 1),
        Mistake("[\u{300C}a]", .smartQuote, 1),
        Mistake("[\u{FF02}a]", .smartQuote, 1),
    ]

    @Test(arguments: mistakes) func namesTheMistakeAndItsPlace(_ mistake: Mistake) {
        let source = SourceText(name: "f.json", bytes: mistake.bytes)
        let error = #expect(throws: JSONError.self) { try JSONReader.read(source) }
        #expect(error?.reason == mistake.reason)
        #expect(error?.offset == mistake.offset)
        #expect(error?.diagnostic.file == "f.json")
        #expect(error?.diagnostic.code == mistake.reason.rawValue)
        #expect(error?.remedy.isEmpty == false)
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
        #expect(try error(text).message == message)
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
        #expect(try error(text).remedy == remedy)
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
        #expect(try error(text).diagnostic.range == range)
    }

    /// A word is told whole up to 64 bytes.
    @Test func longWordsAreCut() throws {
        let word = String(repeating: "a", count: 64)
        #expect(try error("[\(word)]").diagnostic.range == 1..<65)
        #expect(try error("[\(word)b]").diagnostic.range == 1..<65)
        #expect(try error("[\(word.dropLast())]").diagnostic.range == 1..<64)
    }

    @Test(arguments: [
        ("{\n\"a\": [1\n", "opened here", 2), ("{\n\"a\": [1}", "the array begins here", 2),
        ("{\n\"a\": 1]", "the object begins here", 1), ("{\n\"a\n", "the string begins here", 2),
        ("{\n\"a\" 1}", "the key", 2), ("\n\n[\"a\": 1]", "the array begins here", 3),
    ]) func pointsToWhatWasOpened(_ text: String, _ message: String, _ line: Int) throws {
        let related = try error(text).diagnostic.related
        #expect(related.map(\.message) == [message])
        #expect(related.map(\.start?.line) == [line])
    }

    @Test func anEmptyFileOpenedNothing() throws {
        #expect(try error("").diagnostic.related == [])
    }
}
