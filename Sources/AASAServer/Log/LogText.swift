/// Makes log lines that nobody can forge: whatever a peer or a file brought, a line stays one line,
/// and no control character, line separator or terminal escape gets through.
package enum LogText {
    /// Appends `text` as the content of a JSON string (RFC 8259 section 7), without the quotes.
    package static func appendJSON(_ text: String, to line: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: line += Array("\\\"".utf8)
            case 0x5C: line += Array("\\\\".utf8)
            case 0x0A: line += Array("\\n".utf8)
            case let value where isUnsafe(value): appendEscape(value, to: &line)
            default: line += Array(String(scalar).utf8)
            }
        }
    }

    /// Appends `text` for people; what is unsafe shows as `\u000a`.
    package static func appendText(_ text: String, to line: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar.value) {
                appendEscape(scalar.value, to: &line)
            } else {
                line += Array(String(scalar).utf8)
            }
        }
    }

    /// A value of `key=value`: quoted where it has spaces or quotes, so that fields can be told
    /// apart.
    package static func appendValue(_ value: String, to line: inout [UInt8]) {
        let isPlain =
            !value.isEmpty
            && value.utf8.allSatisfy {
                (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x3D && $0 != 0x5C
            }
        if isPlain {
            line += Array(value.utf8)
        } else {
            line.append(0x22)
            appendJSON(value, to: &line)
            line.append(0x22)
        }
    }

    /// C0, DEL, C1, line and paragraph separators, and the marks that turn the direction of what
    /// follows (U+202A…E, U+2066…9), which make a line read as something it is not.
    private static func isUnsafe(_ value: UInt32) -> Bool {
        value < 0x20 || (0x7F...0x9F).contains(value) || (0x2028...0x202E).contains(value)
            || (0x2066...0x2069).contains(value) || value == 0xFEFF
    }

    private static func appendEscape(_ value: UInt32, to line: inout [UInt8]) {
        let digits = String(value, radix: 16)
        line += Array(
            ("\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits).utf8)
    }
}
