/// Fixes syntax errors with exactly one possible meaning, leaving the bytes around them unchanged.
enum JSONSlipFix {
    /// - Returns: nil if the intention is ambiguous.
    static func edits(_ code: String, _ range: Range<Int>, _ bytes: [UInt8]) -> [TextEdit]? {
        guard let first = range.first else { return nil }
        switch code {
        case "json-unquoted-key":
            return isWord(bytes[range]) && next(bytes, range.upperBound) == UInt8(ascii: ":")
                ? quoted(range) : nil
        case "json-unquoted-string":
            return isWord(bytes[range]) && !bytes[range].elementsEqual("NOT".utf8)
                && endsValue(bytes, range.upperBound)
                ? quoted(range) : nil
        case "json-invalid-literal":
            guard let meant = literal(bytes[range]) else { return nil }
            return [TextEdit(range, Array(meant.utf8))]
        case "json-single-quote": return pair(at: first, length: 1, bytes)
        case "json-smart-quote":
            return QuoteMark.length(bytes, first).flatMap { pair(at: first, length: $0, bytes) }
        case "json-unicode-space":
            return [TextEdit(range, isBetweenTokens(range, bytes) ? [0x20] : [])]
        case "json-missing-comma": return comma(before: first, bytes)
        case "json-missing-value": return surplusComma(at: first, bytes)
        case "json-missing-colon": return colon(at: first, bytes)
        case "json-unexpected-byte": return semicolon(at: first, isInside: true, bytes)
        case "json-extra-content": return semicolon(at: first, isInside: false, bytes)
        case "json-outer-braces-missing": return braces(bytes)
        default: return nil
        }
    }

    /// Whether nothing else keeps what stands before and behind apart: `1` and `2` are not `12`.
    private static func isBetweenTokens(_ range: Range<Int>, _ bytes: [UInt8]) -> Bool {
        guard range.lowerBound > 0, range.upperBound < bytes.count else { return false }
        return [bytes[range.lowerBound - 1], bytes[range.upperBound]].allSatisfy { byte in
            !isBlank(byte) && !",:[]{}".utf8.contains(byte)
        }
    }

    private static func quoted(_ range: Range<Int>) -> [TextEdit] {
        [range.lowerBound, range.upperBound].map { TextEdit($0..<$0, [UInt8(ascii: "\"")]) }
    }

    private static func isWord(_ text: ArraySlice<UInt8>) -> Bool {
        text.allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "$") || byte == UInt8(ascii: ".")
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// The first non-blank byte from a place on.
    private static func next(_ bytes: [UInt8], _ place: Int) -> UInt8? {
        bytes[place...].first { !isBlank($0) }
    }

    /// The last non-blank byte ahead of a place.
    private static func previous(_ bytes: [UInt8], _ place: Int) -> UInt8? {
        bytes[..<place].last { !isBlank($0) }
    }

    private static func endsValue(_ bytes: [UInt8], _ place: Int) -> Bool {
        switch next(bytes, place) {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): true
        case nil, .some: false
        }
    }

    private static func literal(_ text: ArraySlice<UInt8>) -> String? {
        switch String(decoding: text, as: UTF8.self).lowercased() {
        case "true": "true"
        case "false": "false"
        case "null", "none": "null"
        default: nil
        }
    }

    /// The quotation mark at `first` and the closing one on the same line, if the text between them
    /// needs no escapes and a valid character follows.
    private static func pair(at first: Int, length: Int, _ bytes: [UInt8]) -> [TextEdit]? {
        let isSingle = bytes[first] == UInt8(ascii: "'")
        var place = first + length
        while place < bytes.count {
            let byte = bytes[place]
            if byte == 0x0A || byte == 0x0D || byte == UInt8(ascii: "\\") { return nil }
            let closing =
                isSingle
                ? (byte == UInt8(ascii: "'") ? 1 : nil)
                : QuoteMark.length(bytes, place) ?? (byte == UInt8(ascii: "\"") ? 1 : nil)
            if let closing {
                let end = place + closing
                guard endsValue(bytes, end) || next(bytes, end) == UInt8(ascii: ":") else {
                    return nil
                }
                return [first..<first + length, place..<end].map {
                    TextEdit($0, [UInt8(ascii: "\"")])
                }
            }
            if byte == UInt8(ascii: "\"") { return nil }
            place += 1
        }
        return nil
    }

    /// Inserted after the preceding token, if blanks separate the two: `"a""b"` may be an unescaped
    /// quote.
    private static func comma(before place: Int, _ bytes: [UInt8]) -> [TextEdit]? {
        let opens: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "[")]
        guard opens.contains(bytes[place]), place > 0, isBlank(bytes[place - 1]) else { return nil }
        var end = place
        while end > 0, isBlank(bytes[end - 1]) { end -= 1 }
        return end > 0 ? [TextEdit(end..<end, [UInt8(ascii: ",")])] : nil
    }

    /// A comma behind another one, or behind the bracket that opens: it parts nothing.
    private static func surplusComma(at place: Int, _ bytes: [UInt8]) -> [TextEdit]? {
        guard bytes[place] == UInt8(ascii: ","),
            let before = previous(bytes, place), ",[{".utf8.contains(before)
        else { return nil }
        return [TextEdit(place..<place + 1, [])]
    }

    /// `=` and `=>` between a key and its value, as other languages write it.
    private static func colon(at place: Int, _ bytes: [UInt8]) -> [TextEdit]? {
        guard bytes[place] == UInt8(ascii: "="), let behind = next(bytes, place + 1) else {
            return nil
        }
        let isArrow = behind == UInt8(ascii: ">") && bytes[place + 1] == behind
        guard isArrow || behind != UInt8(ascii: "=") else { return nil }
        return [TextEdit(place..<place + (isArrow ? 2 : 1), [UInt8(ascii: ":")])]
    }

    /// A semicolon behind a value: a comma where another one follows, and nothing where none does.
    ///
    /// - Parameter isInside: whether the document goes on behind it.
    private static func semicolon(
        at place: Int, isInside: Bool, _ bytes: [UInt8]
    ) -> [TextEdit]? {
        guard bytes[place] == UInt8(ascii: ";"), let before = previous(bytes, place),
            !",:;[{".utf8.contains(before)
        else { return nil }
        let isLast: Bool
        switch next(bytes, place + 1) {
        case nil: isLast = true
        case UInt8(ascii: "}"), UInt8(ascii: "]"): isLast = isInside
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
            return isInside ? [TextEdit(place..<place + 1, [UInt8(ascii: ",")])] : nil
        default: isLast = false
        }
        return isLast ? [TextEdit(place..<place + 1, [])] : nil
    }

    private static func braces(_ bytes: [UInt8]) -> [TextEdit]? {
        guard let start = bytes.firstIndex(where: { !isBlank($0) }),
            let last = bytes.lastIndex(where: { !isBlank($0) }), bytes[start] == UInt8(ascii: "\"")
        else { return nil }
        return [
            TextEdit(start..<start, [UInt8(ascii: "{")]),
            TextEdit(last + 1..<last + 1, [UInt8(ascii: "}")]),
        ]
    }
}

/// Typographic quotation marks, as inserted by editors.
private enum QuoteMark {
    /// The length of the mark at a place; nil if there is none.
    static func length(_ bytes: [UInt8], _ place: Int) -> Int? {
        guard place + 1 < bytes.count else { return nil }
        if bytes[place] == 0xC2, bytes[place + 1] == 0xAB || bytes[place + 1] == 0xBB { return 2 }
        guard place + 2 < bytes.count, bytes[place] == 0xE2, bytes[place + 1] == 0x80 else {
            return nil
        }
        return (0x98...0x9F).contains(bytes[place + 2]) ? 3 : nil
    }
}
