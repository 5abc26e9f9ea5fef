import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@Suite struct JSONWriterTests {
    private func minified(_ text: String) throws -> String {
        String(
            decoding: JSONWriter.minified(try JSONReader.read(text: text).root), as: UTF8.self)
    }

    @Test func leavesOutBlanksAndKeepsOrder() throws {
        let text = "{ \"b\" : [ 1 , { } , [ ] ] ,\n \"a\" : null , \"b\" : \"/x/*\" }"
        try expectEqual(minified(text), #"{"b":[1,{},[]],"a":null,"b":"/x/*"}"#)
    }

    @Test func escapesOnlyWhatHasToBe() throws {
        let text = #"["\u00e9\u2028\/\"\\\u0001\u001f\u007f\ud83d\ude00\b\t\n\f\r"]"#
        try expectEqual(
            minified(text),
            "[\"é\u{2028}/\\\"\\\\\\u0001\\u001f\u{7F}😀\\b\\t\\n\\f\\r\"]")
    }

    @Test func indents() throws {
        let value = try JSONReader.read(text: #"{"a":[1,{"b":{}}],"c":[]}"#).root
        let text = String(decoding: JSONWriter.indented(value), as: UTF8.self)
        expectEqual(
            text,
            """
            {
              "a": [
                1,
                {
                  "b": {}
                }
              ],
              "c": []
            }

            """)
    }

    @Test func roundTripsPublishedFiles() throws {
        for file in Corpus.files(in: "aasa", withExtension: "json") {
            let source = SourceText(
                name: file.lastPathComponent, bytes: [UInt8](try Data(contentsOf: file)))
            guard let document = try? JSONReader.read(source) else { continue }
            for bytes in [
                JSONWriter.minified(document.root), JSONWriter.indented(document.root),
            ] {
                let again = try JSONReader.read(SourceText(name: "again", bytes: bytes))
                #expect(again.root.means(document.root), "\(source.name)")
                expectEqual(JSONWriter.minified(again.root), JSONWriter.minified(document.root))
            }
        }
    }

    @Test(arguments: [UInt64(11), 12, 13]) func roundTripsRandomValues(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let value = Self.randomValue(&random, depth: 4)
            let bytes = JSONWriter.minified(value)
            let again = try JSONReader.read(SourceText(name: "-", bytes: bytes))
            #expect(again.root.means(value), "seed \(seed)")
            expectEqual(JSONWriter.minified(again.root), bytes, "seed \(seed)")
        }
    }

    static func randomValue(_ random: inout SeededRandom, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: return JSONValue(.null)
        case 1: return JSONValue(.bool(Bool.random(using: &random)))
        case 2: return JSONValue(.number(String(Int.random(in: -999...999, using: &random))))
        case 3, 4: return JSONValue(.string(randomString(&random)))
        case 5:
            let count = Int.random(in: 0...4, using: &random)
            return JSONValue(
                .array((0..<count).map { _ in randomValue(&random, depth: depth - 1) }))
        default:
            let count = Int.random(in: 0...4, using: &random)
            return JSONValue(
                .object(
                    (0..<count).map { index in
                        JSONMember(
                            key: "\(index)" + randomString(&random),
                            value: randomValue(&random, depth: depth - 1))
                    }))
        }
    }

    static func randomString(_ random: inout SeededRandom) -> String {
        let pool: [Character] = [
            "a", "Z", "0", "/", "*", "?", "\"", "\\", "\n", "\u{0}", "\u{1F}", "é", "€", "😀", " ",
            "\u{7F}", "\u{2028}", "$", "(",
        ]
        let count = Int.random(in: 0...20, using: &random)
        return String((0..<count).map { _ in pool.randomElement(using: &random) ?? "x" })
    }
}
