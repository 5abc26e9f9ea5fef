/// Fixes syntax errors with exactly one possible meaning, leaving the bytes around them unchanged.
enum JSONSlipFix {
    /// - Returns: nil if the intention is ambiguous.
    static func edits(_ code: String, _ range: Range<Int>, _ bytes: [UInt8]) -> [TextEdit]? {
        guard let first = range.first else { return nil }
        switch code {
        case "json-trailing-comma": return [TextEdit(range, [])]
        case "json-comment": return comment(at: first, bytes)
        case "json-unquoted-key":
            return isWord(bytes[range]) && next(bytes, range.upperBound) == UInt8(ascii: ":")
                ? quoted(range) : nil
        case "json-unquoted-string":
            if bytes[range].elementsEqual("NOT".utf8) { return exclusion(range, bytes) }
            return isWord(bytes[range]) && endsValue(bytes, range.upperBound)
                ? quoted(range) : nil
        case "json-invalid-literal":
            let word = String(decoding: bytes[range], as: UTF8.self)
            guard let meant = literals[word.lowercased()] else { return nil }
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
            !byte.isBlank && !",:[]{}".utf8.contains(byte)
        }
    }

    private static func quoted(_ range: Range<Int>) -> [TextEdit] {
        [range.lowerBound, range.upperBound].map { TextEdit($0..<$0, [UInt8(ascii: "\"")]) }
    }

    private static func isWord(_ text: ArraySlice<UInt8>) -> Bool {
        text.allSatisfy { $0.isNameCharacter || $0 == UInt8(ascii: ".") }
    }

    /// The first non-blank byte from a place on.
    private static func next(_ bytes: [UInt8], _ place: Int) -> UInt8? {
        bytes[place...].first { !$0.isBlank }
    }

    /// The last non-blank byte ahead of a place.
    private static func previous(_ bytes: [UInt8], _ place: Int) -> UInt8? {
        bytes[..<place].last { !$0.isBlank }
    }

    private static func endsValue(_ bytes: [UInt8], _ place: Int) -> Bool {
        switch next(bytes, place) {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): true
        case nil, .some: false
        }
    }

    /// What a word in small letters is in JSON.
    static let literals = ["true": "true", "false": "false", "null": "null", "none": "null"]

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
    /// quote. In `"/a," "/b"` the comma is there, on the wrong side of the quote, and `"NOT" "/a"`
    /// is one string.
    private static func comma(before place: Int, _ bytes: [UInt8]) -> [TextEdit]? {
        guard "\"{[".utf8.contains(bytes[place]), place > 0, bytes[place - 1].isBlank,
            let last = bytes[..<place].lastIndex(where: { !$0.isBlank })
        else { return nil }
        let isInside = [",\"", ";\"", ":\"", "\"NOT\""].contains {
            ends(with: $0, before: place, bytes)
        }
        if isInside || bytes[place...].starts(with: "\",".utf8) { return nil }
        return [TextEdit(last + 1..<last + 1, [UInt8(ascii: ",")])]
    }

    /// Whether what stands before a place ends with `text`, blanks aside.
    static func ends(with text: String, before place: Int, _ bytes: [UInt8]) -> Bool {
        guard let last = bytes[..<place].lastIndex(where: { !$0.isBlank }) else { return false }
        return bytes[...last].suffix(text.utf8.count).elementsEqual(text.utf8)
    }

    /// Apple's TN3155 prints `NOT "/a"`: the word belongs inside the quotes.
    private static func exclusion(_ range: Range<Int>, _ bytes: [UInt8]) -> [TextEdit]? {
        guard let quote = bytes[range.upperBound...].firstIndex(where: { !$0.isBlank }),
            bytes[quote] == UInt8(ascii: "\""), quote + 1 < bytes.count,
            "/*".utf8.contains(bytes[quote + 1])
        else { return nil }
        return [TextEdit(range.lowerBound..<quote + 1, Array("\"NOT ".utf8))]
    }

    /// A note in a comment, with the blanks before it. What may be a pattern that has lost a quote
    /// (`#: "top"`, `//buy/*"`, `/*/a/*"`) is none, nor is what shares its line with values that
    /// would go with it.
    static func comment(at start: Int, _ bytes: [UInt8]) -> [TextEdit]? {
        let rest = bytes[start...]
        let isBlock = rest.starts(with: "/*".utf8)
        let mark = rest.first == UInt8(ascii: "#") ? 1 : 2
        let end: Int
        if isBlock {
            guard
                let close = bytes[(start + 2)...].indices.dropLast().first(where: {
                    bytes[$0] == UInt8(ascii: "*") && bytes[$0 + 1] == UInt8(ascii: "/")
                })
            else { return nil }
            end = close + 2
        } else {
            end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
        }
        let text = bytes[(start + mark)..<end]
        let quotes = text.count { $0 == UInt8(ascii: "\"") }
        guard (text.first { $0 != bytes[start] && $0 != UInt8(ascii: "*") } ?? 0x20).isBlank,
            quotes.isMultiple(of: 2)
        else { return nil }
        let before = previous(bytes, start)
        let hasLine = bytes[..<start].last { $0 != 0x20 && $0 != 0x09 }.map {
            $0 == 0x0A || $0 == 0x0D
        }
        if hasLine == false, text.contains(where: { "{}[]\"".utf8.contains($0) }) { return nil }
        if !isBlock, before == UInt8(ascii: ":") { return nil }
        var begin = start
        while begin > 0, bytes[begin - 1] == 0x20 || bytes[begin - 1] == 0x09 { begin -= 1 }
        return [TextEdit(begin..<end, [])]
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
        guard let start = bytes.firstIndex(where: { !$0.isBlank }),
            let last = bytes.lastIndex(where: { !$0.isBlank }), bytes[start] == UInt8(ascii: "\"")
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
