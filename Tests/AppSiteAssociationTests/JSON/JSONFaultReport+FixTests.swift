import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct JSONFaultReportFixTests {
    /// The text with its first fault fixed; nil where what is meant is a guess.
    private func fixed(_ text: String, _ code: String) throws -> String? {
        let source = SourceText(name: "f", text: text)
        let error = #expect(throws: JSONError.self) { try JSONReader.read(source) }
        expectEqual(error?.code, code)
        return error?.diagnostic.fix.flatMap {
            TextEdit.apply($0, to: source.bytes)
        }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("{a_1-$.b: 1}", #"{"a_1-$.b": 1}"# as String?), ("{a  \n: 1}", "{\"a\"  \n: 1}"),
        ("{a 1}", nil), ("{a, b}", nil), ("{a", nil), ("{a}", nil),
    ]) func namesAreQuotedBeforeAColonAlone(_ text: String, _ wanted: String?) throws {
        try expectEqual(fixed(text, "json-unquoted-key"), wanted)
    }

    @Test(arguments: [
        ("[A.b]", #"["A.b"]"# as String?), ("[A.b , 1]", #"["A.b" , 1]"#),
        (#"{"a":b}"#, #"{"a":"b"}"#), ("[NOT]", nil), ("[NOTE]", #"["NOTE"]"#), ("[a b]", nil),
        ("[a:1]", nil), ("[a", nil), ("[a/b]", nil),
        (#"[NOT "/a"]"#, #"["NOT /a"]"#), (#"[NOT "a"]"#, nil),
    ]) func wordsAreQuotedWhereAValueEnds(_ text: String, _ wanted: String?) throws {
        try expectEqual(fixed(text, "json-unquoted-string"), wanted)
    }

    @Test(arguments: [
        ("[True]", "[true]" as String?), ("[FALSE]", "[false]"), ("[Null]", "[null]"),
        ("[None]", "[null]"), ("[undefined]", nil), ("[NaN]", nil), ("[nil]", nil),
    ]) func literalsAreWrittenAsJSONWritesThem(_ text: String, _ wanted: String?) throws {
        try expectEqual(fixed(text, "json-invalid-literal"), wanted)
    }

    @Test(arguments: [
        ("['a', 1]", #"["a", 1]"# as String?), ("['a']", #"["a"]"#), ("{'a' : 1}", #"{"a" : 1}"#),
        ("['']", #"[""]"#), ("['it's']", nil), ("['a\"b']", nil), ("['a\\'b']", nil),
        ("['a\nb']", nil), ("['a\rb']", nil), ("['a", nil), ("['a' 'b']", nil),
        ("['\u{201C}a']", "[\"\u{201C}a\"]"),
    ]) func singleQuotesOfOneTextAreReplaced(_ text: String, _ wanted: String?) throws {
        try expectEqual(fixed(text, "json-single-quote"), wanted)
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
        try expectEqual(fixed(text, "json-smart-quote"), wanted)
    }

    @Test(arguments: [
        ("[\"a\" \"b\"]", #"["a", "b"]"# as String?), ("[{}\t\n {}]", "[{},\t\n {}]"),
        ("[1 [2]]", "[1, [2]]"), (#"["a""b"]"#, nil), ("[{}{}]", nil),
        ("{\"a\": 1\r\n\"b\": 2}", "{\"a\": 1,\r\n\"b\": 2}"), (#"["a" : 1]"#, nil),
        (#"["a," "b"]"#, nil), (#"["a" ",b"]"#, nil), (#"["NOT" "/b"]"#, nil),
    ]) func commasAreSetWhereBlanksStand(_ text: String, _ wanted: String?) throws {
        try expectEqual(fixed(text, "json-missing-comma"), wanted)
    }

    @Test(arguments: [
        (#"["a",,"b"]"#, "json-missing-value", #"["a","b"]"# as String?),
        (#"["a",  ,"b"]"#, "json-missing-value", #"["a",  "b"]"#),
        ("[,1]", "json-missing-value", "[1]"),
        (#"{"a":1,,"b":2}"#, "json-missing-value", #"{"a":1,"b":2}"#),
        (#"{,"a":1}"#, "json-missing-value", #"{"a":1}"#),
        (#"{"a":,"b":2}"#, "json-missing-value", nil),
        (#"{"a":}"#, "json-missing-value", nil), (#"{"a"=1}"#, "json-missing-colon", #"{"a":1}"#),
        (#"{"a" => 1}"#, "json-missing-colon", #"{"a" : 1}"#),
        (#"{"a"==1}"#, "json-missing-colon", nil),
        (#"["a"; "b"]"#, "json-unexpected-byte", #"["a", "b"]"#),
        ("[1;2]", "json-unexpected-byte", nil),
        (#"{"a":{};"b":2}"#, "json-unexpected-byte", #"{"a":{},"b":2}"#),
        (#"{"a":1;}"#, "json-unexpected-byte", #"{"a":1}"#),
        ("{};\n", "json-extra-content", "{}\n"),
        ("{};{}", "json-extra-content", nil), ("[1;;]", "json-unexpected-byte", nil),
    ]) func separatorsOfOtherLanguagesAreReplaced(
        _ text: String, _ code: String, _ wanted: String?
    ) throws {
        try expectEqual(fixed(text, code), wanted)
    }

    @Test(arguments: [
        (#""a": 1"#, #"{"a": 1}"#), ("\n\"a\": {}, \"b\": 2\n", "\n{\"a\": {}, \"b\": 2}\n"),
    ]) func bracesAreSetAroundEverything(_ text: String, _ wanted: String) throws {
        try expectEqual(fixed(text, "json-outer-braces-missing"), wanted)
    }

    @Test func invisibleCharactersGo() throws {
        try expectEqual(fixed("{\u{A0}}", "json-unicode-space"), "{}")
        try expectEqual(fixed("[1,\u{200B}2]", "json-unicode-space"), "[1,2]")
        // Nothing else keeps these apart.
        try expectEqual(fixed("[1\u{A0}2]", "json-unicode-space"), "[1 2]")
        try expectEqual(fixed("[\"a\"\u{2003}\"b\"]", "json-unicode-space"), "[\"a\" \"b\"]")
        try expectEqual(fixed("[1\u{A0}]", "json-unicode-space"), "[1]")
        try expectEqual(fixed("[1 \u{A0}2]", "json-unicode-space"), "[1 2]")
    }

    @Test(arguments: [
        ("[\"\\x\"]", "json-invalid-escape"), ("[01]", "json-invalid-number"),
        ("{\"a\" 1}", "json-missing-colon"), ("[1}", "json-mismatched-bracket"),
    ]) func otherFaultsAreLeftAlone(_ text: String, _ code: String) throws {
        #expect(try fixed(text, code) == nil)
    }
}
