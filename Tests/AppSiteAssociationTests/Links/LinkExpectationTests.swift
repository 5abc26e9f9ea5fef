import AppSiteAssociation
import TestSupport
import Testing

@Suite struct LinkExpectationTests {
    private func read(_ text: String) -> ([LinkExpectation], [Diagnostic]) {
        LinkExpectationReader.read(SourceText(name: "links", text: text))
    }

    private let app = "D3KQX62K1A.com.example.shop"

    @Test func readsCSV() {
        let (tests, problems) = read(
            "\u{FEFF}URL,App,Comment\r\n# note\r\n/buy/1,\(app),\"a, \"\"b\"\"\"\r\n\r\n"
                + "\"/a,\"\"b\" , none\nhttps://example.com/x,\(app) 9JA89QQLNQ.com.b")
        #expect(problems.isEmpty)
        expectEqual(tests.map(\.url), ["/buy/1", "/a,\"b", "https://example.com/x"])
        expectEqual(tests.map(\.apps), [[app], [], [app, "9JA89QQLNQ.com.b"]])
    }

    @Test func readsJSON() {
        let (tests, problems) = read(
            #"[{"url": "/a", "app": "\#(app)"}, {"url": "/b", "app": null, "comment": "c"}, "#
                + #"{"url": "/c", "app": ["\#(app)"]}]"#)
        #expect(problems.isEmpty)
        expectEqual(tests.map(\.apps), [[app], [], [app]])
    }

    @Test(arguments: [
        ("/a\n", 1), ("buy,none\n/a,none", 1), ("/a,com.example.shop", 1), ("{}", 1), ("[{}]", 1),
        (#"[{"url": "/a", "app": 5}]"#, 1), ("[", 1), ("", 1), ("url,app\n", 0),
        ("/imprint,", 1), ("/imprint,\n/a,none", 1),
    ]) func saysWhatIsNoTest(_ text: String, _ count: Int) {
        let (_, problems) = read(text)
        expectEqual(problems.count, count)
        #expect(problems.allSatisfy { $0.severity == .error && $0.range != nil })
    }

    /// Else the quote would swallow the tests behind it, and they would pass for ever.
    @Test func aQuoteThatIsNeverClosedIsNamed() throws {
        let (tests, problems) = read("/a,none\n/b,none,\"a comment\n/c,none\n/d,\(app)\n")
        expectEqual(tests.map(\.url), ["/a"])
        expectEqual(problems.map(\.message), ["this quote is never closed"])
        expectEqual(problems.first?.range, 16..<17)
        #expect(read("/b,none,\"a \"\"comment\"\"\"\n").1.isEmpty)
    }

    /// A file that was cut off tests nothing, and would pass for ever.
    @Test(arguments: ["", " \n\n"]) func anEmptyFileIsNoTest(text: String) {
        let (tests, problems) = LinkExpectationReader.read(SourceText(name: "l.csv", text: text))
        #expect(tests.isEmpty)
        expectEqual(problems.map(\.code), ["links-unreadable"])
    }

    @Test(arguments: ["url,app,comment\n", "# none yet\n", "[]"])
    func noTestsAreWrittenAsSuch(text: String) {
        let (tests, problems) = LinkExpectationReader.read(SourceText(name: "l.csv", text: text))
        #expect(tests.isEmpty && problems.isEmpty)
    }

    /// As spreadsheets save it.
    @Test func otherSeparatorsAndEncodingsAreNamed() {
        expectEqual(read("/x;\(app)").1.first?.remedy?.contains("a comma"), true)
        expectEqual(read("/x\t\(app)").1.first?.remedy?.contains("not a tab"), true)
        let utf16 = LinkExpectationReader.read(
            SourceText(name: "l", bytes: [0xFF, 0xFE] + "/x,none\n".utf8.flatMap { [$0, 0] }))
        #expect(utf16.expectations.isEmpty)
        expectEqual(utf16.problems.map(\.message), ["the file is saved as UTF-16"])
        let binary = LinkExpectationReader.read(
            SourceText(name: "l", bytes: [0x7F, 0x45, 0x4C, 0x46, 0, 1, 0]))
        expectEqual(
            binary.problems.map(\.message), ["this is a binary file, not a list of link tests"])
    }

    /// Whether a quote begins a cell was asked of the whole cell, once per quote.
    @Test func aQuoteInsideACellStandsForItself() {
        let (tests, problems) = read(
            "  \"/a b\"  ,none\n/a\"b\",none\n\"/c\"d\"e,none\n/" + "\"\" ,none")
        #expect(problems.isEmpty)
        expectEqual(tests.map(\.url), ["/a b", "/a\"b\"", "/cd\"e", "/\"\""])
    }
}
