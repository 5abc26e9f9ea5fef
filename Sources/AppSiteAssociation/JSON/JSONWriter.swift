/// Writes JSON without blanks: the same value always gives the same bytes, on every machine and in
/// every version.
///
/// Members keep their order. Strings are written in UTF-8 with only the escapes that RFC 8259
/// section 7 requires (`/` is not escaped: paths stay readable and short), numbers as parsed.
public enum JSONWriter {
    /// The value without a blank between tokens.
    public static func minified(_ value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return bytes
    }

    /// The value indented by `indent` spaces per level, with a final line feed; for files that
    /// people edit.
    public static func indented(_ value: JSONValue, by indent: Int = 2) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, to: &bytes, indent: indent, level: 0)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Appends the value without a blank between tokens.
    public static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value.kind {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
        case .number(let number): bytes.append(contentsOf: number.utf8)
        case .string(let string): append(string: string, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(string: member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                append(member.value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Appends a string in quotes.
    public static func append(string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
            case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
            case 0x08: bytes.append(contentsOf: #"\b"#.utf8)
            case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
            case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
            case 0x0C: bytes.append(contentsOf: #"\f"#.utf8)
            case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
            case 0x00..<0x20:
                let digits = String(byte, radix: 16)
                bytes.append(contentsOf: #"\u00"#.utf8)
                if digits.utf8.count == 1 { bytes.append(UInt8(ascii: "0")) }
                bytes.append(contentsOf: digits.utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func append(
        _ value: JSONValue, to bytes: inout [UInt8], indent: Int, level: Int
    ) {
        func newline(_ level: Int) {
            bytes.append(UInt8(ascii: "\n"))
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent * level))
        }
        switch value.kind {
        case .array(let values) where !values.isEmpty:
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                newline(level + 1)
                append(value, to: &bytes, indent: indent, level: level + 1)
            }
            newline(level)
            bytes.append(UInt8(ascii: "]"))
        case .object(let members) where !members.isEmpty:
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                newline(level + 1)
                append(string: member.key, to: &bytes)
                bytes.append(contentsOf: ": ".utf8)
                append(member.value, to: &bytes, indent: indent, level: level + 1)
            }
            newline(level)
            bytes.append(UInt8(ascii: "}"))
        case .null, .bool, .number, .string, .array, .object:
            append(value, to: &bytes)
        }
    }
}
