import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct JSONParserTests {
    private func code(_ text: String) -> String? {
        do {
            _ = try JSONReader.read(text: text)
            return nil
        } catch { return error.code }
    }

    // MARK: Values and places

    @Test func knowsThePlaceOfEveryKeyAndValue() throws {
        let document = try JSONReader.read(text: "{\n  \"é\": [1, \"two\"]\n}")
        let member = try #require(document.root.member("é"))
        let second = try #require(member.value.array?.last)
        expectEqual(document.source.text(in: member.keyRange), "\"é\"")
        expectEqual(document.source.text(in: second.range), "\"two\"")
        expectEqual(
            document.source.position(at: second.range.lowerBound),
            SourcePosition(offset: 14, line: 2, column: 12))
    }

    /// A range holds the value and nothing of what stands around it.
    @Test(arguments: [
        ("  { \"a\" : [ ] }  ", 2..<15), ("\t-1.5e3\n", 1..<7), ("\r\n\"x\"", 2..<5),
        (" true ", 1..<5), (" false", 1..<6), ("null ", 0..<4), ("[{}, []]", 0..<8),
    ]) func rangesHoldTheValueAlone(_ text: String, _ range: Range<Int>) throws {
        try expectEqual(JSONReader.read(text: text).root.range, range)
    }

    @Test func keepsNumbersAsWritten() throws {
        let document = try JSONReader.read(text: "[0,-0,1.50,1E+2,123456789012345678901234567890]")
        let numbers = document.root.array?.map { value -> String in
            if case .number(let text) = value.kind { return text }
            return ""
        }
        expectEqual(numbers, ["0", "-0", "1.50", "1E+2", "123456789012345678901234567890"])
    }

    @Test(arguments: [
        ("0", true), ("-0.0", true), ("1e5", true), ("1E-05", true), ("10", true), ("9.9", true),
        ("00", false), ("-01", false), ("-", false), ("1.", false), ("1.e1", false), ("1e", false),
        ("1e+", false), (".1", false), ("+1", false), ("0x1", false), ("1..2", false),
        ("--1", false), ("1/2", false), ("1:", false),
    ]) func numbersHaveOneForm(_ text: String, _ isNumber: Bool) {
        expectEqual((code(text) == nil), isNumber)
        expectEqual((code("[\(text)]") == nil), isNumber)
    }

    @Test(arguments: [
        "tru", "truE", "t", "fals", "falze", "nul", "nulL", "trues", "[tru]", "[nul]",
    ]) func wordsAreReadWhole(_ text: String) {
        #expect(code(text) != nil)
    }

    @Test(arguments: [
        "", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{", "{\"a\"", "{\"a\":", "{\"a\":1",
        "{\"a\":1,", "{\"a\":1,}", "{,}", "{\"a\",1}", "{1:1}", "[1}", "{\"a\":1]", "[]]", "{}{}",
        "\u{B}[]", "[]\u{C}", "[\u{0}]",
    ]) func whatIsNotWholeIsRefused(_ text: String) {
        #expect(code(text) != nil)
    }

    /// More elements than the stack begins with, and lists within lists that share it.
    @Test func manyElementsKeepTheirOrder() throws {
        for count in [63, 64, 65, 128, 129, 300] {
            let list = (0..<count).map { "[\($0),{\"k\":\($0)}]" }.joined(separator: ",")
            let elements = try JSONReader.read(text: "[\(list)]").root.array ?? []
            expectEqual(elements.count, count)
            for (index, element) in elements.enumerated() {
                let pair = try #require(element.array)
                #expect(pair[0].means(.integer(index)))
                expectEqual(pair[1]["k"]?.means(.integer(index)), true)
            }
        }
    }

    // MARK: Repeated keys

    @Test func listsDuplicateKeys() throws {
        let document = try JSONReader.read(text: #"{"a":1,"b":{"c":1,"c":2},"a":3}"#)
        expectEqual(document.duplicateKeys.map(\.key), ["c", "a"])
        expectEqual(document.duplicateKeys.map(\.first.lowerBound), [12, 1])
        expectEqual(document.root["a"]?.range, 29..<30)
    }

    @Test func listsDuplicateKeysOfLargeObjects() throws {
        let members = (0..<100).map { "\"k\($0)\":\($0)" } + ["\"k7\":0"]
        let document = try JSONReader.read(text: "{\(members.joined(separator: ","))}")
        expectEqual(document.duplicateKeys.map(\.key), ["k7"])
    }

    /// However many members there are, the first of three is named.
    @Test(arguments: [3, 20]) func theFirstOfARepeatedKeyIsNamed(_ count: Int) throws {
        let others = (0..<count - 3).map { "\"k\($0)\":0" }
        let members = ["\"x\":1"] + others + ["\"x\":2", "\"x\":3"]
        let document = try JSONReader.read(text: "{\(members.joined(separator: ","))}")
        expectEqual(document.duplicateKeys.map(\.key), ["x", "x"])
        expectEqual(document.duplicateKeys.map(\.first), [1..<4, 1..<4])
        let end = document.source.bytes.count
        expectEqual(document.duplicateKeys.map(\.second), [end - 12..<end - 9, end - 6..<end - 3])
    }

    /// Swift calls these equal; readers of JSON do not.
    @Test(arguments: [2, 9]) func keysAreComparedByTheirCharacters(_ count: Int) throws {
        let others = (0..<count - 2).map { ",\"k\($0)\":0" }.joined()
        let document = try JSONReader.read(text: "{\"\u{E9}\":1,\"e\u{301}\":2\(others)}")
        #expect(document.duplicateKeys.isEmpty)
        let escaped = try JSONReader.read(text: "{\"\u{E9}\":1,\"\\u00e9\":2\(others)}")
        expectEqual(escaped.duplicateKeys.map(\.key), ["\u{E9}"])
    }

    // MARK: Depth

    @Test func boundsDepth() throws {
        let deep = { (depth: Int) in
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try JSONReader.read(text: deep(512)) }
        let error = #expect(throws: JSONError.self) { try JSONReader.read(text: deep(513)) }
        expectEqual(error?.code, "json-too-deep")
        expectEqual(error?.offset, 512)
        let limits = JSONLimits(bytesMaximum: 100, depthMaximum: 3)
        #expect(throws: JSONError.self) { try JSONReader.read(text: deep(4), limits: limits) }
    }

    /// What stands side by side is not deep, whether lists or objects.
    @Test func closedListsDoNotCount() throws {
        let limits = JSONLimits(bytesMaximum: 1_000, depthMaximum: 2)
        let wide = "[" + Array(repeating: "[],{}", count: 50).joined(separator: ",") + "]"
        #expect(throws: Never.self) { try JSONReader.read(text: wide, limits: limits) }
        let error = #expect(throws: JSONError.self) {
            try JSONReader.read(text: #"{"a":[],"b":{"c":{}}}"#, limits: limits)
        }
        #expect(error?.code == "json-too-deep" && error?.offset == 17)
    }
}
