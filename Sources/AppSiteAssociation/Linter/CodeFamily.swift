/// A family of findings, read from a text file such as `Catalog/json.txt`:
///
/// ```
/// # family
///
/// ## code-of-a-finding
/// severity: error
/// title: One line
/// says: the message of a finding about "{}"
/// why: Prose, whose further lines are
///     indented by four blanks.
/// bad: apple-app-site-association
///     the document, line by line
/// ```
package struct CodeFamily: Sendable {
    /// The name of the family, for headings.
    package private(set) var name = ""
    /// What the codes of the family mean, in the order of the file.
    package private(set) var entries: [CodeEntry] = []

    /// One field of an entry: the text behind its name, and the indented lines below it.
    struct Field: Sendable {
        let name: String
        let text: ArraySlice<UInt8>
        var lines: [ArraySlice<UInt8>] = []

        /// The field that begins with this line; nil if there is no colon.
        init?(_ line: ArraySlice<UInt8>) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            name = String(decoding: line[..<colon], as: UTF8.self)
            text = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
        }

        /// All lines as one, for prose.
        var prose: String {
            ([text] + lines.filter { !$0.isEmpty }).map { String(decoding: $0, as: UTF8.self) }
                .joined(separator: " ")
        }
    }

    private static let indentation = Array("    ".utf8)

    /// Reads the lines once, from the first to the last.
    init(_ lines: some Sequence<ArraySlice<UInt8>>) {
        var code = ""
        var fields: [Field] = []
        for line in lines {
            if line.starts(with: "## ".utf8) {
                add(code, fields)
                code = String(decoding: line.dropFirst(3), as: UTF8.self)
                fields = []
            } else if line.starts(with: "# ".utf8) {
                name = String(decoding: line.dropFirst(2), as: UTF8.self)
            } else if line.isEmpty || line.starts(with: Self.indentation) {
                // A blank line counts only within an example.
                guard !fields.isEmpty else { continue }
                fields[fields.count - 1].lines.append(line.dropFirst(Self.indentation.count))
            } else if let field = Field(line) {
                fields.append(field)
            }
        }
        add(code, fields)
    }

    private mutating func add(_ code: String, _ fields: [Field]) {
        if !code.isEmpty { entries.append(CodeEntry(code, fields)) }
    }
}
