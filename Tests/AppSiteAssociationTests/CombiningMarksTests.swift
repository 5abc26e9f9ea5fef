import AppSiteAssociation
import TestSupport
import Testing

/// Text of others whose comparison would take a time that grows with the square of its length.
@Suite struct CombiningMarksTests {
    private static func marks(_ count: Int) -> String {
        String(repeating: "\u{316}\u{301}", count: count / 2)
            + (count % 2 == 0 ? "" : "\u{301}")
    }

    @Test(arguments: ["\"a%\"", "{\"a%\":1}", "[\"é%\"]", "{\"b\":[\"\\u0061%\"]}"])
    func refusesLongRowsInJSON(_ text: String) throws {
        func document(_ count: Int) -> String {
            String(text.flatMap { $0 == "%" ? Array(Self.marks(count)) : [$0] })
        }
        // "é" itself is one scalar, and no mark.
        #expect(throws: Never.self) { try JSONReader.read(text: document(30)) }
        let error = #expect(throws: JSONError.self) { try JSONReader.read(text: document(31)) }
        expectEqual(error?.code, "json-combining-marks")
        // 35 seconds before it was refused.
        #expect(throws: JSONError.self) { try JSONReader.read(text: document(60_000)) }
    }

    @Test func refusesEscapedRows() {
        let text = "\"a" + String(repeating: "\\u0316\\u0301", count: 16) + "\""
        let error = #expect(throws: JSONError.self) { try JSONReader.read(text: text) }
        expectEqual(error?.code, "json-combining-marks")
        expectEqual(error?.offset, 0)
    }

    /// Vietnamese, Hebrew with points, Devanagari, Hangul, emoji: what people write is read.
    @Test(arguments: ["Tiếng Việt", "שָׁלוֹם", "हिन्दी", "한국어", "👩‍👩‍👧‍👦", "Z̷̧̛"])
    func readsLanguages(_ text: String) throws {
        try expectEqual(JSONReader.read(text: "\"\(text)\"").root.string, text)
        let decomposed = text.decomposedStringForTest
        try expectEqual(JSONReader.read(text: "\"\(decomposed)\"").root.string, text)
    }

    @Test func refusesThemInEveryFileThatIsRead() {
        let row = Self.marks(40_000)
        let plist = SourceText(
            name: "App.entitlements",
            text: "<plist version=\"1.0\"><dict><key>a\(row)</key><true/></dict></plist>")
        let error = #expect(throws: PropertyListError.self) {
            try PropertyListReader.read(plist)
        }
        expectEqual(error?.diagnostic.code, "plist-combining-marks")
        let links = LinkExpectationReader.read(
            SourceText(name: "links.csv", text: "/a\(row),none\n/b,none\n"))
        #expect(links.problems.count == 1 && links.expectations.count == 1)
    }
}

extension String {
    /// Each scalar with its accents apart, where Unicode has such a form for the letters used here.
    fileprivate var decomposedStringForTest: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                    switch scalar {
                    case "ế": ["e", "\u{302}", "\u{301}"]
                    case "ệ": ["e", "\u{323}", "\u{302}"]
                    default: [scalar]
                    }
                }))
    }
}
