import AppSiteAssociation
import TestSupport
import Testing

@Suite struct JSONValueTests {
    private func value(_ text: String) throws -> JSONValue { try JSONReader.read(text: text).root }

    @Test(arguments: [
        (#"{"a":1,"b":2}"#, #"{ "b": 2, "a": 1 }"#, true),
        ("[1,2]", "[2,1]", false),
        (#""é""#, #""\u00e9""#, true),
        ("{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"e\u{301}\":2,\"\u{E9}\":1}", true),
        ("{\"\u{E9}\":1}", "{\"e\u{301}\":1}", false),
        ("1", "1.0", false),
        ("{}", "[]", false),
        (#"{"a":null}"#, "{}", false),
        (#"[true,{"x":["y"]}]"#, #"[true, {"x": ["y"]}]"#, true),
    ]) func comparesMeaning(_ left: String, _ right: String, _ same: Bool) throws {
        try expectEqual(value(left).means(value(right)), same)
        try expectEqual(value(right).means(value(left)), same)
    }

    @Test func looksUpTheLastOfDuplicates() throws {
        let object = try value(#"{"a":1,"a":"two"}"#)
        expectEqual(object["a"]?.string, "two")
        #expect(object["b"] == nil)
        #expect(try value("[1]")["a"] == nil)
    }

    @Test func namesItsKind() throws {
        let names = try value(#"[null,true,1,"",[],{}]"#).array?.map(\.kindName)
        expectEqual(names, ["null", "true", "a number", "a string", "an array", "an object"])
    }

    @Test func `A whole number is one, and nothing else is`() throws {
        try expectEqual(value("-7").integer, -7)
        try expectEqual(value("9007199254740991").integer, 1 << 53 - 1)
        for odd in [
            "9007199254740992", "-9007199254740992", "9223372036854775807", "1.5", "1e3", "\"7\"",
            "9223372036854775808", "null", "true",
        ] {
            #expect(try value(odd).integer == nil, "\(odd)")
        }
    }

    @Test func `The strings of an array are those among its elements`() throws {
        try expectEqual(value(#"["a",1,"b",null,["c"]]"#).strings, ["a", "b"])
        for odd in [#""a""#, #"{"a":"b"}"#, "null"] { try expectEqual(value(odd).strings, []) }
    }
}
