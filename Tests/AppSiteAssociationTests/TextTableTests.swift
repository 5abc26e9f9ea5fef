import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct TextTableTests {
    @Test func alignsColumns() {
        let rows = [["a", "1 app", ""], ["bcd", "12 apps", "x"], ["e"]]
        expectEqual(TextTable.lines(rows), ["a    1 app", "bcd  12 apps  x", "e"])
        expectEqual(
            TextTable.lines(rows, toRight: [1]), ["a      1 app", "bcd  12 apps  x", "e"])
        expectEqual(TextTable.lines([]), [])
    }

    @Test func listsTheFirstNames() {
        #expect(listed([]) == "" && listed(["a", "b"], atMost: 2) == "a, b")
        expectEqual(listed(["a", "b", "c"], atMost: 2), "a, b and 1 more")
        expectEqual(listed((1...9).map(String.init)), "1, 2, 3, 4, 5 and 4 more")
    }

    @Test func padsAndKeepsCellsApart() {
        #expect("ab".padded(to: 4) == "ab  " && "ab".padded(toRight: 4) == "  ab")
        #expect("abcd".padded(to: 4) == "abcd " && "abcd".padded(toRight: 4) == " abcd")
    }
}
