import AppSiteAssociation
import Testing

@Suite struct TextEditTests {
    private func applied(_ edits: [TextEdit], _ text: String) -> String? {
        TextEdit.apply(edits, to: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func edit(_ range: Range<Int>, _ text: String) -> TextEdit {
        TextEdit(range, Array(text.utf8))
    }

    @Test func appliesInAnyOrder() {
        #expect(applied([edit(4..<5, "E"), edit(0..<1, "")], "abcde") == "bcdE")
        #expect(applied([edit(2..<2, "1"), edit(2..<2, "2")], "abcd") == "ab12cd")
        #expect(applied([], "abc") == "abc")
    }

    @Test func refusesWhatOverlaps() {
        #expect(applied([edit(0..<3, "x"), edit(2..<4, "y")], "abcde") == nil)
        #expect(applied([edit(4..<9, "x")], "abcde") == nil)
    }
}
