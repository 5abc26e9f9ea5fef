import Testing

@testable import AppSiteAssociation

@Suite struct TextTableTests {
    @Test func alignsColumns() {
        let rows = [["a", "1 app", ""], ["bcd", "12 apps", "x"], ["e"]]
        #expect(TextTable.lines(rows) == ["a    1 app", "bcd  12 apps  x", "e"])
        #expect(
            TextTable.lines(rows, toRight: [1]) == ["a      1 app", "bcd  12 apps  x", "e"])
        #expect(TextTable.lines([]) == [])
    }

    @Test func padsAndKeepsCellsApart() {
        #expect("ab".padded(to: 4) == "ab  " && "ab".padded(toRight: 4) == "  ab")
        #expect("abcd".padded(to: 4) == "abcd " && "abcd".padded(toRight: 4) == " abcd")
    }
}
