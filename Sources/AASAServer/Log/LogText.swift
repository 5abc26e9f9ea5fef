import AppSiteAssociation

/// Makes log lines that cannot be forged: whatever bytes come from a peer or a file, a line stays
/// one line, without control characters, line separators or terminal escapes.
package enum LogText {
    /// Appends `text` as the content of a JSON string (RFC 8259 section 7), without the quotes.
    package static func appendJSON(_ text: String, to line: inout [UInt8]) {
        var hashes = 0
        for scalar in text.unicodeScalars {
            // `##[` begins a command for a CI runner, anywhere in a line.
            let isCommand = hashes >= 2 && scalar == "["
            hashes = scalar == "#" ? hashes + 1 : 0
            switch scalar.value {
            case 0x22: line += Array("\\\"".utf8)
            case 0x5C: line += Array("\\\\".utf8)
            case 0x0A: line += Array("\\n".utf8)
            case _ where isCommand || InertText.isActive(scalar):
                var escape = ""
                InertText.appendEscape(of: scalar, to: &escape)
                line += Array(escape.utf8)
            default: line += Array(String(scalar).utf8)
            }
        }
    }

    /// Appends `text` for people; unsafe characters appear as `\u000a`.
    package static func appendText(_ text: String, to line: inout [UInt8]) {
        line += Array(InertText.piece(text).utf8)
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
            line.append(0x22)
            appendJSON(value, to: &line)
            line.append(0x22)
        }
    }
}
