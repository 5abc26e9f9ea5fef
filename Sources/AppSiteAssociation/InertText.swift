/// Escapes text from files and peers so that displaying it is safe: no terminal interprets it, no
/// line of it is mistaken for ours, and no CI runner executes a command in it.
///
/// Escaped characters become `\u001b`, an escape that is also valid JSON (RFC 8259 section 7), so
/// that JSON keeps its value.
///
/// * Control characters, and Unicode format characters that hide text or change its direction
///   (categories Cc, Cf, Zl, Zp; UTR #36).
/// * GitHub's workflow commands: `::` at the beginning of a line and `##[` anywhere in it.
public enum InertText {
    /// Escapes untrusted text for use in a message of ours. Line breaks are escaped, too, and a
    /// leading colon, as the text may be at the start of a line.
    public static func piece(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x23 && $0 != 0x3A }) {
            return text
        }
        return escape(text, keepsLines: false)
    }

    /// Escapes a complete output, including such text; keeps line breaks and tabs. The last barrier
    /// before a terminal; it cannot distinguish a line break of a file from ours.
    public static func lines(_ text: String) -> String { escape(text, keepsLines: true) }

    /// A report with one line per element: text in an element cannot start another line.
    public static func joined(_ lines: [String]) -> String {
        lines.map { piece($0) }.joined(separator: "\n")
    }

    /// Whether displaying the character has an effect other than showing it.
    public static func isActive(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value < 0x20 }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
        default: return false
        }
    }

    /// Appends the escape of a character: two, as in JSON, beyond U+FFFF.
    public static func appendEscape(of scalar: Unicode.Scalar, to text: inout String) {
        for unit in String(scalar).utf16 {
            text += "\\u" + String(unit, radix: 16).padded(withZerosTo: 4)
        }
    }

    private static func escape(_ text: String, keepsLines: Bool) -> String {
        var (result, copied) = ("", text.startIndex)
        var (isAtStart, hashes) = (true, 0)
        for index in text.unicodeScalars.indices {
            let scalar = text.unicodeScalars[index]
            let isCommand = isAtStart && scalar == ":" || hashes >= 2 && scalar == "["
            let isKept = keepsLines && (scalar == "\n" || scalar == "\t")
            if isCommand || !isKept && isActive(scalar) {
                result += text[copied..<index]
                appendEscape(of: scalar, to: &result)
                copied = text.unicodeScalars.index(after: index)
            }
            hashes = scalar == "#" ? hashes + 1 : 0
            // A runner skips blanks before a command.
            isAtStart = scalar == "\n" || isAtStart && scalar.properties.isWhitespace
        }
        return result + text[copied...]
    }
}

extension Unicode.Scalar {
    /// `U+200B`.
    var codePoint: String {
        "U+" + String(value, radix: 16, uppercase: true).padded(withZerosTo: 4)
    }
}
