import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct SourceTextTests {
    @Test(arguments: [
        (0, 1, 1), (2, 1, 3), (3, 2, 1), (5, 2, 2), (6, 2, 3), (8, 3, 1), (99, 3, 1), (-1, 1, 1),
    ]) func countsLinesAndScalars(_ offset: Int, _ line: Int, _ column: Int) {
        // Bytes: a b LF é(2) x CR LF
        let source = SourceText(name: "s", text: "ab\néx\r\n")
        let position = source.position(at: offset)
        expectEqual(position.line, line)
        expectEqual(position.column, column)
        expectEqual(position.description, "\(line):\(column)")
    }

    @Test func givesTheLineWithoutItsEnd() {
        let source = SourceText(name: "s", text: "ab\ncd\r\nef")
        expectEqual(source.text(in: 3..<5), "cd")
        expectEqual(source.text(in: 7..<700), "ef")
    }

    @Test func cutsLongLines() {
        let long = String(repeating: "é", count: 1000)
        let source = SourceText(name: "s", text: "short\n" + long)
        expectEqual(source.excerpt(at: 2).text, "short")
        expectEqual(source.excerpt(at: 2).firstColumn, 1)
        for offset in stride(from: 6, through: 2006, by: 100) {
            let excerpt = source.excerpt(at: offset, maximumWidth: 90)
            let column = source.position(at: offset).column
            #expect((44...47).contains(excerpt.text.unicodeScalars.count))
            #expect(!excerpt.text.unicodeScalars.contains("\u{FFFD}"))
            #expect(excerpt.firstColumn <= column)
            #expect(column <= excerpt.firstColumn + excerpt.text.unicodeScalars.count)
        }
    }
}
