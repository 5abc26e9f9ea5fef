import AppSiteAssociation

/// Makes log lines that cannot be forged: whatever bytes come from a peer or a file, a line stays
/// one line, without control characters, line separators or terminal escapes.
package enum LogText {
    typealias Fields = [(String, JSONValue)]

    /// A line of a log: the head and the fields as JSON, or text and the fields behind it.
    static func line(
        _ format: LogSettings.Format, _ text: String, _ head: Fields, _ fields: Fields
    ) -> [UInt8] {
        if format == .json { return json(head + fields) }
        var line = Array(text.utf8)
        for (name, value) in fields {
            line += Array(" \(name)=".utf8)
            if case .number(let number) = value.kind {
                line += Array(number.utf8)
            } else {
                appendValue(value.string ?? "", to: &line)
            }
        }
        return line + [0x0A]
    }

    /// One line of JSON with these fields.
    static func json(_ fields: Fields) -> [UInt8] { inert(.object(fields)) + [0x0A] }

    private static func inert(_ value: JSONValue) -> [UInt8] {
        let text = String(decoding: JSONWriter.minified(value), as: UTF8.self)
        return Array(InertText.lines(text).utf8)
    }

    /// A value of `key=value`: quoted if it has spaces or quotes, so that fields can be separated.
    static func appendValue(_ value: String, to line: inout [UInt8]) {
        let isPlain =
            !value.isEmpty && !value.contains("##[")
            && value.utf8.allSatisfy {
                (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x3D && $0 != 0x5C
            }
        if isPlain {
            line += Array(value.utf8)
        } else {
            line += inert(.text(value))
        }
    }
}
