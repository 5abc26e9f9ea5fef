/// Tables for people, in plain text.
package enum TextTable {
    /// The rows as lines, columns two spaces apart.
    ///
    /// - Parameter toRight: the columns whose cells stand at their right edge.
    package static func lines(_ rows: [[String]], toRight: Set<Int> = []) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let blanks = String(repeating: " ", count: widths[column] - cell.count)
                return toRight.contains(column) ? blanks + cell : cell + blanks
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}

/// A number of things for people: `1 finding`, `2 findings`.
package func counted(_ number: Int, _ thing: String) -> String {
    number == 1 ? "1 \(thing)" : "\(number) \(thing)s"
}

/// `a, b and 3 more`: a line of a message has no room for a thousand names.
package func listed(_ names: some Collection<String>, atMost most: Int = 5) -> String {
    names.prefix(most).joined(separator: ", ")
        + (names.count > most ? " and \(names.count - most) more" : "")
}

extension String {
    /// The text at the left edge of a column; at least one space follows.
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }

    /// The text at the right edge of a column; at least one space precedes.
    package func padded(toRight width: Int) -> String {
        String(repeating: " ", count: max(1, width - count)) + self
    }
}
