/// The edits that correct how a thing is spelt; nil where there is a choice.
extension TextEdit {
    /// Makes a list of the one value.
    static func bracketed(_ range: Range<Int>) -> [TextEdit] {
        [
            TextEdit(range.lowerBound..<range.lowerBound, [UInt8(ascii: "[")]),
            TextEdit(range.upperBound..<range.upperBound, [UInt8(ascii: "]")]),
        ]
    }

    /// Makes a list of a string that stands where a list of strings belongs.
    static func bracketed(text value: JSONValue, in source: SourceText) -> [TextEdit]? {
        // Several in one text are several readings.
        let isOne = !source.bytes[value.range].contains { $0 <= 0x20 || $0 == 0x2C || $0 == 0x3B }
        return value.string != nil && isOne ? bracketed(value.range) : nil
    }

    /// Makes a component of a pattern of `paths` that stands where a component belongs.
    static func component(of value: JSONValue, in source: SourceText) -> [TextEdit]? {
        guard let excludes = value.string.map({ PathEntry($0).excludes }) else { return nil }
        let path = source.bytes[value.range].dropFirst(excludes ? 5 : 1)
        guard let start = path.first, "/*".utf8.contains(start) else { return nil }
        let rest = excludes ? ", \"exclude\": true }" : " }"
        return [TextEdit(value.range, Array("{ \"/\": \"".utf8) + path + Array(rest.utf8))]
    }

    /// `"True"` and `"false"` without their quotes.
    static func flag(_ value: JSONValue) -> [TextEdit]? {
        guard let word = value.string?.lowercased(), word == "true" || word == "false" else {
            return nil
        }
        return [TextEdit(value.range, Array(word.utf8))]
    }

    /// A string without blanks at its ends.
    static func trimmed(_ range: Range<Int>, in source: SourceText) -> [TextEdit]? {
        let text = source.bytes[range]
        guard text.count > 2, text.first == UInt8(ascii: "\"") else { return nil }
        var inner = text.dropFirst().dropLast().drop { $0 == 0x20 }
        while inner.last == 0x20 { inner.removeLast() }
        let quote = [UInt8(ascii: "\"")]
        let new = quote + Array(inner) + quote
        return text.elementsEqual(new) ? nil : [TextEdit(range, new)]
    }

    /// The same bytes in lower case.
    static func lowercased(_ range: Range<Int>, in source: SourceText) -> [TextEdit] {
        [TextEdit(range, source.bytes[range].map(\.asciiLowercased))]
    }

    /// The same bytes in upper case.
    static func uppercased(_ range: Range<Int>, in source: SourceText) -> [TextEdit] {
        [TextEdit(range, source.bytes[range].map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 })]
    }

    /// `Contact: name@domain` with the scheme of an address of mail. Other text may be a page or a
    /// telephone number.
    static func mailAddress(_ range: Range<Int>, in source: SourceText) -> [TextEdit]? {
        let text = source.bytes[range]
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let value = text[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
        guard value.contains(UInt8(ascii: "@")), !value.contains(UInt8(ascii: ":")) else {
            return nil
        }
        return [TextEdit(value.startIndex..<value.startIndex, Array("mailto:".utf8))]
    }
}
