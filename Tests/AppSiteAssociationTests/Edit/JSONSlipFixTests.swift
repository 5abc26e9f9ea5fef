import Testing

@testable import AppSiteAssociation

@Suite struct JSONSlipFixTests {
    /// The text with its first fault mended; nil where what is meant is a guess.
    private func mended(_ text: String, _ reason: JSONError.Reason) throws -> String? {
        let source = SourceText(name: "f", text: text)
        let error = #expect(throws: JSONError.self) { try JSONReader.read(source) }
        let range = try #require(error?.diagnostic.range)
        #expect(error?.reason == reason)
        return JSONSlipFix.edits(reason.rawValue, range, source.bytes).flatMap {
            TextEdit.apply($0, to: source.bytes)
        }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("{a_1-$.b: 1}", #"{"a_1-$.b": 1}"# as String?), ("{a  \n: 1}", "{\"a\"  \n: 1}"),
        ("{a 1}", nil), ("{a, b}", nil), ("{a", nil), ("{a}", nil),
    ]) func namesAreQuotedBeforeAColonAlone(_ text: String, _ wanted: String?) throws {
        #expect(try mended(text, .unquotedKey) == wanted)
    }

    @Test(arguments: [
        ("[A.b]", #"["A.b"]"# as String?), ("[A.b , 1]", #"["A.b" , 1]"#),
        (#"{"a":b}"#, #"{"a":"b"}"#), ("[NOT]", nil), ("[NOTE]", #"["NOTE"]"#), ("[a b]", nil),
        ("[a:1]", nil), ("[a", nil), ("[a/b]", nil),
        (#"[NOT "/a"]"#, #"["NOT /a"]"#), (#"[NOT "a"]"#, nil),
    ]) func wordsAreQuotedWhereAValueEnds(_ text: String, _ wanted: String?) throws {
        #expect(try mended(text, .unquotedString) == wanted)
    }

    @Test(arguments: [
        ("[True]", "[true]" as String?), ("[FALSE]", "[false]"), ("[Null]", "[null]"),
        ("[None]", "[null]"), ("[undefined]", nil), ("[NaN]", nil), ("[nil]", nil),
    ]) func literalsAreWrittenAsJSONWritesThem(_ text: String, _ wanted: String?) throws {
        #expect(try mended(text, .invalidLiteral) == wanted)
    }

    @Test(arguments: [
        ("['a', 1]", #"["a", 1]"# as String?), ("['a']", #"["a"]"#), ("{'a' : 1}", #"{"a" : 1}"#),
        ("['']", #"[""]"#), ("['it's']", nil), ("['a\"b']", nil), ("['a\\'b']", nil),
        ("['a\nb']", nil), ("['a\rb']", nil), ("['a", nil), ("['a' 'b']", nil),
        ("['\u{201C}a']", "[\"\u{201C}a\"]"),
    ]) func singleQuotesOfOneTextAreReplaced(_ text: String, _ wanted: String?) throws {
        #expect(try mended(text, .singleQuote) == wanted)
    }

    @Test(arguments: [
        ("[\u{201C}a\u{201D}]", #"["a"]"# as String?), ("[\u{2018}a\u{201F}]", #"["a"]"#),
        ("[\u{AB}a\u{BB}]", #"["a"]"#), ("[\u{201E}a\"]", #"["a"]"#),
        ("{\u{201C}é\u{201D}: 1}", #"{"é": 1}"#), ("[\u{201C}it\u{2019}s\u{201D}]", nil),
        ("[\u{201C}a\nb\u{201D}]", nil), ("[\u{201C}a", nil), ("[\u{201C}a\u{201D} 1]", nil),
        // Marks of other scripts are told, and left to a person.
        ("[\u{300C}a\u{300D}]", nil), ("[\u{2039}a\u{203A}]", nil),
        // Beside the marks: a dagger (U+2020) and a low line (U+2017) are letters of the text.
        ("[\u{201C}\u{2020}\u{2017}\u{201D}]", "[\"\u{2020}\u{2017}\"]"),
    ]) func typographicQuotesOfOneTextAreReplaced(_ text: String, _ wanted: String?) throws {
        #expect(try mended(text, .smartQuote) == wanted)
    }

    @Test(arguments: [
        ("[\"a\" \"b\"]", #"["a", "b"]"# as String?), ("[{}\t\n {}]", "[{},\t\n {}]"),
        ("[1 [2]]", "[1, [2]]"), (#"["a""b"]"#, nil), ("[{}{}]", nil),
        ("{\"a\": 1\r\n\"b\": 2}", "{\"a\": 1,\r\n\"b\": 2}"), (#"["a" : 1]"#, nil),
        (#"["a," "b"]"#, nil), (#"["a" ",b"]"#, nil), (#"["NOT" "/b"]"#, nil),
    ]) func commasAreSetWhereBlanksStand(_ text: String, _ wanted: String?) throws {
        #expect(try mended(text, .missingComma) == wanted)
    }

    @Test(arguments: [
        (#"["a",,"b"]"#, JSONError.Reason.missingValue, #"["a","b"]"# as String?),
        (#"["a",  ,"b"]"#, .missingValue, #"["a",  "b"]"#), ("[,1]", .missingValue, "[1]"),
        (#"{"a":1,,"b":2}"#, .missingValue, #"{"a":1,"b":2}"#),
        (#"{,"a":1}"#, .missingValue, #"{"a":1}"#), (#"{"a":,"b":2}"#, .missingValue, nil),
        (#"{"a":}"#, .missingValue, nil), (#"{"a"=1}"#, .missingColon, #"{"a":1}"#),
        (#"{"a" => 1}"#, .missingColon, #"{"a" : 1}"#), (#"{"a"==1}"#, .missingColon, nil),
        (#"["a"; "b"]"#, .unexpectedByte, #"["a", "b"]"#), ("[1;2]", .unexpectedByte, nil),
        (#"{"a":{};"b":2}"#, .unexpectedByte, #"{"a":{},"b":2}"#),
        (#"{"a":1;}"#, .unexpectedByte, #"{"a":1}"#), ("{};\n", .extraContent, "{}\n"),
        ("{};{}", .extraContent, nil), ("[1;;]", .unexpectedByte, nil),
    ]) func separatorsOfOtherLanguagesAreReplaced(
        _ text: String, _ reason: JSONError.Reason, _ wanted: String?
    ) throws {
        #expect(try mended(text, reason) == wanted)
    }

    @Test(arguments: [
        (#""a": 1"#, #"{"a": 1}"#), ("\n\"a\": {}, \"b\": 2\n", "\n{\"a\": {}, \"b\": 2}\n"),
    ]) func bracesAreSetAroundEverything(_ text: String, _ wanted: String) throws {
        #expect(try mended(text, .outerBracesMissing) == wanted)
    }

    @Test func invisibleCharactersGo() throws {
        #expect(try mended("{\u{A0}}", .unicodeSpace) == "{}")
        #expect(try mended("[1,\u{200B}2]", .unicodeSpace) == "[1,2]")
        // Nothing else keeps these apart.
        #expect(try mended("[1\u{A0}2]", .unicodeSpace) == "[1 2]")
        #expect(try mended("[\"a\"\u{2003}\"b\"]", .unicodeSpace) == "[\"a\" \"b\"]")
        #expect(try mended("[1\u{A0}]", .unicodeSpace) == "[1]")
        #expect(try mended("[1 \u{A0}2]", .unicodeSpace) == "[1 2]")
    }

    @Test(arguments: [
        ("[\"\\x\"]", JSONError.Reason.invalidEscape), ("[01]", .invalidNumber),
        ("{\"a\" 1}", .missingColon), ("[1}", .mismatchedBracket),
    ]) func otherFaultsAreLeftAlone(_ text: String, _ reason: JSONError.Reason) throws {
        #expect(try mended(text, reason) == nil)
    }
}
