/// Writes JSON without blanks: the same value always gives the same bytes, on every machine and in
/// every version.
///
/// Members keep their order. Strings are written in UTF-8 with only the escapes that RFC 8259
/// section 7 requires (`/` is not escaped: paths stay readable and short), numbers as parsed.
public enum JSONWriter {
    /// What stands between tokens.
    struct Style {
        var comma = [UInt8(ascii: ",")]
        var colon = [UInt8(ascii: ":")]
        var lineEnd = [UInt8(ascii: "\n")]
        /// The indentation of one level; nil: all on one line.
        var unit: [UInt8]?
        /// Lists and objects without others in them stay on one line up to this length.
        var leafBytes = 0

        static let minified = Style()
    }

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
        let unit = [UInt8](repeating: UInt8(ascii: " "), count: indent)
        append(value, to: &bytes, Style(colon: Array(": ".utf8), unit: unit), indent: [])
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Appends the value without a blank between tokens.
    public static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        append(value, to: &bytes, .minified, indent: nil)
    }

    /// Appends the value.
    ///
    /// - Parameters:
    ///   - indent: that of the value's line; nil: all on one line.
    ///   - places: where to record what was written where.
    static func append(
        _ value: JSONValue, to bytes: inout [UInt8], _ style: Style, indent: [UInt8]?,
        _ places: OriginRecorder? = nil
    ) {
        let place = places?.begin(value.range, at: bytes.count)
        switch value.kind {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
        case .number(let number): bytes.append(contentsOf: number.utf8)
        case .string(let string): append(string: string, to: &bytes)
        case .array(let values):
            let inner = inner(value, style, indent)
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                separate(index, &bytes, style, inner)
                append(value, to: &bytes, style, indent: inner, places)
            }
            close(UInt8(ascii: "]"), &bytes, style, inner == nil ? nil : indent)
        case .object(let members):
            let inner = inner(value, style, indent)
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                separate(index, &bytes, style, inner)
                let key = places?.begin(member.keyRange, at: bytes.count)
                append(string: member.key, to: &bytes)
                places?.end(key, at: bytes.count)
                bytes.append(contentsOf: style.colon)
                append(member.value, to: &bytes, style, indent: inner, places)
            }
            close(UInt8(ascii: "}"), &bytes, style, inner == nil ? nil : indent)
        }
        places?.end(place, at: bytes.count)
    }

    /// The indentation of what a value contains; nil: on the same line.
    private static func inner(
        _ value: JSONValue, _ style: Style, _ indent: [UInt8]?
    ) -> [UInt8]? {
        guard let indent, let unit = style.unit else { return nil }
        let contents = value.contents
        if contents.isEmpty { return nil }
        guard style.leafBytes > 0, contents.allSatisfy({ $0.array == nil && $0.members == nil })
        else { return indent + unit }
        return minified(value).count <= style.leafBytes ? nil : indent + unit
    }

    private static func separate(
        _ index: Int, _ bytes: inout [UInt8], _ style: Style, _ inner: [UInt8]?
    ) {
        guard let inner else {
            if index > 0 { bytes.append(contentsOf: style.comma) }
            return
        }
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: style.lineEnd + inner)
    }

    private static func close(
        _ bracket: UInt8, _ bytes: inout [UInt8], _ style: Style, _ indent: [UInt8]?
    ) {
        if let indent { bytes.append(contentsOf: style.lineEnd + indent) }
        bytes.append(bracket)
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
                let digits = String(byte, radix: 16).padded(withZerosTo: 4)
                bytes.append(contentsOf: (#"\u"# + digits).utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
