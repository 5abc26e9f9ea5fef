import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct TextEditTests {
    private func applied(_ edits: [TextEdit], _ text: String) -> String? {
        TextEdit.apply(edits, to: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func edit(_ range: Range<Int>, _ text: String) -> TextEdit {
        TextEdit(range, Array(text.utf8))
    }

    @Test func appliesInAnyOrder() {
        expectEqual(applied([edit(4..<5, "E"), edit(0..<1, "")], "abcde"), "bcdE")
        expectEqual(applied([edit(2..<2, "1"), edit(2..<2, "2")], "abcd"), "ab12cd")
        expectEqual(applied([], "abc"), "abc")
    }

    @Test func refusesWhatOverlaps() {
        #expect(applied([edit(0..<3, "x"), edit(2..<4, "y")], "abcde") == nil)
        #expect(applied([edit(4..<9, "x")], "abcde") == nil)
    }

    @Test func tellsWhereTheRestStands() {
        // "abcdef": "X" before b, "YY" for cd.
        let places = TextEdit.Shift([
            TextEdit(2..<4, Array("YY".utf8)), TextEdit(1..<1, Array("X".utf8)),
            TextEdit(5..<6, []),
        ])
        expectEqual(places.shifted(0..<1), 0..<2)
        expectEqual(places.shifted(1..<2), 1..<3)
        expectEqual(places.shifted(2..<4), 3..<5)
        expectEqual(places.shifted(4..<5), 5..<6)
        #expect(!places.touches(1..<2) && !places.touches(4..<5))
        #expect(places.touches(2..<3) && places.touches(0..<2) && places.touches(4..<6))
    }
}
