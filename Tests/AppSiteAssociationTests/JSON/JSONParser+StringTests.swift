import AppSiteAssociation
import TestSupport
import Testing

@Suite struct JSONParserStringTests {
    private func read(_ body: [UInt8]) -> Result<String?, JSONError> {
        let bytes = Array("[\"".utf8) + body + Array("\"]".utf8)
        return Result { () throws(JSONError) in
            try JSONReader.read(SourceText(name: "-", bytes: bytes)).root.array?.first?.string
        }
    }

    private func string(_ body: String) -> String? { try? read(Array(body.utf8)).get() }

    private func code(_ body: [UInt8]) -> String? {
        if case .failure(let error) = read(body) { return error.code }
        return nil
    }

    private func code(_ body: String) -> String? { code(Array(body.utf8)) }

    @Test func decodesEscapes() throws {
        let document = try JSONReader.read(text: #"["\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00"]"#)
        expectEqual(document.root.array?.first?.string, "\"\\/\u{8}\u{C}\n\r\tAé😀")
    }

    @Test(arguments: [0, 1, 7, 15, 16, 23]) func readsStringsOfEveryLength(count: Int) throws {
        let body = String((0..<count).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) })
        for tail in ["", "é", "\\n", "😀"] {
            let document = try JSONReader.read(text: "[\"\(body)\(tail)\"]")
            let expected = body + (tail == "\\n" ? "\n" : tail)
            expectEqual(document.root.array?.first?.string, expected)
        }
    }

    /// A byte that ends the string, or may not stand in one, is seen at each place, whatever stands
    /// beside it.
    @Test(arguments: [0, 1, 7]) func everyPlaceIsLookedAt(_ place: Int) throws {
        for fill in [UInt8(ascii: "a"), UInt8(ascii: " "), UInt8(ascii: "!"), 0x7F] {
            func body(_ middle: [UInt8]) -> [UInt8] {
                Array(repeating: fill, count: place) + middle + Array(repeating: fill, count: 12)
            }
            func text(_ middle: String) -> String {
                String(decoding: body(Array(middle.utf8)), as: UTF8.self)
            }
            expectEqual(code(body([0x1F])), "json-control-character")
            expectEqual(code(body([0x00])), "json-control-character")
            expectEqual(code(body([0xFF])), "json-invalid-utf8")
            #expect(code(body([0x22])) != nil)
            try expectEqual(read(body([0x5C, 0x22])).get(), text("\""))
            try expectEqual(read(body([0x5C, 0x5C, 0x23])).get(), text("\\#"))
            try expectEqual(read(body([0x21, 0x23, 0x5B, 0x5D, 0x20])).get(), text("!#[] "))
        }
    }

    @Test(arguments: [
        (#"\u0041\u00e9\uFFFD"#, "A\u{E9}\u{FFFD}" as String?),
        (#"\uABCD\uabcd"#, "\u{ABCD}\u{ABCD}"),
        (#"\u0000\u001f"#, "\u{0}\u{1F}"), (#"\ud800\udc00"#, "\u{10000}"),
        (#"\uDBFF\uDFFF"#, "\u{10FFFF}"), (#"\uD7FF\uE000"#, "\u{D7FF}\u{E000}"),
        (#"\ud83d\ude00!"#, "\u{1F600}!"), (#"a\/b\\c\"d"#, "a/b\\c\"d"),
    ]) func escapesAreDecoded(_ body: String, _ text: String?) {
        expectEqual(string(body), text)
    }

    @Test(arguments: [
        (#"\a"#, "json-invalid-escape"), (#"\U0041"#, "json-invalid-escape"),
        (#"\'"#, "json-invalid-escape"),
        (#"\u004"#, "json-invalid-escape"), (#"\u00G0"#, "json-invalid-escape"),
        (#"\u/000"#, "json-invalid-escape"),
        (#"\u:000"#, "json-invalid-escape"), (#"\u000@"#, "json-invalid-escape"),
        (#"\u000`"#, "json-invalid-escape"),
        (#"\u000g"#, "json-invalid-escape"), (#"\ud83d"#, "json-lone-surrogate"),
        (#"\ud83dx"#, "json-lone-surrogate"),
        (#"\ud83d\n"#, "json-lone-surrogate"), (#"\ud83d\u0041"#, "json-lone-surrogate"),
        (#"\ud83d\ud83d"#, "json-lone-surrogate"), (#"\udc00"#, "json-lone-surrogate"),
        (#"\udfff"#, "json-lone-surrogate"),
        (#"\ud83d\uDBFF"#, "json-lone-surrogate"), (#"\ud83d\uE000"#, "json-lone-surrogate"),
        (#"\n"# + "\u{1}", "json-control-character"), (#"\n"# + "\n", "json-control-character"),
    ]) func otherEscapesAreRefused(_ body: String, _ expected: String) {
        expectEqual(code(body), expected)
    }

    /// RFC 3629 section 4, at the edges of each row, before and behind an escape.
    @Test(
        arguments: [
            ([0xC2, 0x80], true), ([0xDF, 0xBF], true), ([0xE0, 0xA0, 0x80], true),
            ([0xE1, 0x80, 0x80], true), ([0xEC, 0xBF, 0xBF], true), ([0xED, 0x9F, 0xBF], true),
            ([0xEE, 0x80, 0x80], true), ([0xEF, 0xBF, 0xBF], true),
            ([0xF0, 0x90, 0x80, 0x80], true),
            ([0xF1, 0x80, 0x80, 0x80], true), ([0xF3, 0xBF, 0xBF, 0xBF], true),
            ([0xF4, 0x8F, 0xBF, 0xBF], true),
            ([0x80], false), ([0xC1, 0xBF], false), ([0xC2, 0x7F], false), ([0xC2, 0xC0], false),
            ([0xC2], false), ([0xE0, 0x9F, 0xBF], false), ([0xE1, 0x80], false),
            ([0xE1, 0x80, 0xC0], false), ([0xED, 0xA0, 0x80], false),
            ([0xF0, 0x8F, 0xBF, 0xBF], false),
            ([0xF0, 0x90, 0x80], false), ([0xF0, 0x90, 0x80, 0x7F], false),
            ([0xF4, 0x90, 0x80, 0x80], false), ([0xF5, 0x80, 0x80, 0x80], false),
        ] as [([UInt8], Bool)]) func utf8IsWellFormed(_ bytes: [UInt8], _ isWellFormed: Bool) throws
    {
        let escape = Array(#"\n"#.utf8)
        for body in [bytes, escape + bytes, Array("abcdefg".utf8) + bytes] {
            expectEqual((code(body) == nil), isWellFormed)
        }
        if isWellFormed {
            try expectEqual(
                read(escape + bytes).get(), "\n" + String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test(arguments: [
        #"["#, #"["a"#, #"["a\"#, #"["a\u00"#, #"["\n"#, #"["\ud83d\u"#, #"["\ud83d\ude0"#,
        #"["abcdefgh"#, #"["\nabcdefgh"#,
    ]) func aStringThatDoesNotEndIsToldFromItsQuote(_ text: String) {
        let error = #expect(throws: JSONError.self) { try JSONReader.read(text: text) }
        #expect(error?.code == "json-truncated" && error?.offset == 1)
    }

    /// 30 marks in a row are text, escaped or not.
    @Test(arguments: ["", #"\n"#, "a"]) func marksInARowAreBounded(_ before: String) {
        let marks = String(repeating: "\u{301}", count: 30)
        #expect(code(before + "e" + marks) == nil)
        expectEqual(code(before + "e" + marks + "\u{301}"), "json-combining-marks")
        expectEqual(code(before + String(repeating: #"\u0301"#, count: 31)), "json-combining-marks")
    }
}
