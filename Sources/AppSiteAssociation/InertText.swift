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
            let digits = String(unit, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// Whether nothing must be escaped: printable ASCII without a command. Nearly all text is, and
    /// looking up the Unicode properties of each character would take longer than building the
    /// text.
    private static func isPlain(_ text: String, keepsLines: Bool) -> Bool {
        var isAtStart = true
        var hashes = 0
        return text.utf8.allSatisfy { byte in
            switch byte {
            case 0x20: hashes = 0
            case 0x0A, 0x09:
                if !keepsLines { return false }
                hashes = 0
                if byte == 0x0A { isAtStart = true }
            case 0x21...0x7E:
                if isAtStart && byte == UInt8(ascii: ":") { return false }
                if hashes >= 2 && byte == UInt8(ascii: "[") { return false }
                hashes = byte == UInt8(ascii: "#") ? hashes + 1 : 0
                isAtStart = false
            default: return false
            }
            return true
        }
    }

    /// Works on bytes: text with a colon is not plain, but most of it is ASCII.
    private static func escape(_ text: String, keepsLines: Bool) -> String {
        if isPlain(text, keepsLines: keepsLines) { return text }
        var text = text
        return text.withUTF8 { bytes in
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count)
            var isAtStart = true
            var hashes = 0
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
                let next = min(index + length, bytes.count)
                let character = bytes[index..<next]
                index = next
                let isCommand =
                    (isAtStart && byte == UInt8(ascii: ":"))
                    || (hashes >= 2 && byte == UInt8(ascii: "["))
                hashes = byte == UInt8(ascii: "#") ? hashes + 1 : 0
                let isBreak = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
                var isBlank = byte == 0x20 || (0x09...0x0D).contains(byte)
                if byte < 0x80 {
                    if isBreak && keepsLines || !isCommand && (0x20..<0x7F).contains(byte) {
                        result.append(byte)
                    } else {
                        appendEscape(ofUnit: UInt16(byte), to: &result)
                    }
                } else if let scalar = String(decoding: character, as: UTF8.self).unicodeScalars
                    .first
                {
                    if isActive(scalar) {
                        for unit in String(scalar).utf16 {
                            appendEscape(ofUnit: unit, to: &result)
                        }
                    } else {
                        result.append(contentsOf: character)
                    }
                    isBlank = scalar.properties.isWhitespace
                }
                // A runner skips blanks before a command.
                if byte == UInt8(ascii: "\n") {
                    isAtStart = true
                } else if !isBlank {
                    isAtStart = false
                }
            }
            return String(decoding: result, as: UTF8.self)
        }
    }

    private static func appendEscape(ofUnit unit: UInt16, to bytes: inout [UInt8]) {
        bytes += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
        for shift in [12, 8, 4, 0] {
            let digit = UInt8(truncatingIfNeeded: unit >> UInt16(shift)) & 0xF
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}

extension Unicode.Scalar {
    /// `U+200B`.
    var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
