import AppSiteAssociation

/// Makes log lines that cannot be forged: whatever bytes come from a peer or a file, a line stays
/// one line, without control characters, line separators or terminal escapes.
package enum LogText {
    /// One line of JSON with these fields.
    static func json(_ fields: [(String, JSONValue)]) -> [UInt8] { inert(.object(fields)) + [0x0A] }

    private static func inert(_ value: JSONValue) -> [UInt8] {
        let text = String(decoding: JSONWriter.minified(value), as: UTF8.self)
        return Array(InertText.lines(text).utf8)
    }

    /// A value of `key=value`: quoted if it has spaces or quotes, so that fields can be separated.
    package static func appendValue(_ value: String, to line: inout [UInt8]) {
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
