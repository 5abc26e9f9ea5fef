/// The edits for mistakes with exactly one possible meaning; the bytes around them stay unchanged.
/// Each is nil if the intention is ambiguous.
extension JSONFaultReport {
    /// What is written or removed.
    enum Edit: String {
        case blanks, braces, comma, equals, exclusion, extraComma, key, note, quotes, semicolon
        case word
    }

    /// - Parameter place: what is underlined.
    func edits(_ edit: Edit, _ place: Range<Int>) -> [TextEdit]? {
        switch edit {
        case .blanks: removingBlanks(place)
        case .braces: addingBraces()
        case .comma: addingComma()
        case .equals: replacingEqualsSign()
        case .exclusion: joiningExclusion(place)
        case .extraComma: removingComma()
        case .key: next(place.upperBound) == UInt8(ascii: ":") ? quoting(place) : nil
        case .note: removingNote()
        case .quotes: replacingQuotes()
        case .semicolon: replacingSemicolon()
        case .word: endsValue(place.upperBound) ? quoting(place) : nil
        }
    }

    /// Characters that may not be between tokens; a space where nothing else keeps what is before
    /// and after apart: `1` and `2` are not `12`.
    private func removingBlanks(_ place: Range<Int>) -> [TextEdit] {
        let isBetweenTokens =
            place.lowerBound > 0 && place.upperBound < bytes.count
            && [bytes[place.lowerBound - 1], bytes[place.upperBound]].allSatisfy { byte in
                !byte.isBlank && !",:[]{}".utf8.contains(byte)
            }
        return [TextEdit(place, isBetweenTokens ? [0x20] : [])]
    }

    private func quoting(_ word: Range<Int>) -> [TextEdit] {
        [word.lowerBound, word.upperBound].map { TextEdit($0..<$0, [UInt8(ascii: "\"")]) }
    }

    /// Apple's TN3155 prints `NOT "/a"`: the word belongs inside the quotes.
    private func joiningExclusion(_ word: Range<Int>) -> [TextEdit]? {
        guard let quote = bytes[word.upperBound...].firstIndex(where: { !$0.isBlank }),
            bytes[quote] == UInt8(ascii: "\""), quote + 1 < bytes.count,
            "/*".utf8.contains(bytes[quote + 1])
        else { return nil }
        return [TextEdit(word.lowerBound..<quote + 1, Array("\"NOT ".utf8))]
    }

    /// The quotation mark at the place and the closing one on the same line, if the text between
    /// them needs no escapes and a valid character follows.
    private func replacingQuotes() -> [TextEdit]? {
        let (bytes, first) = (bytes, fault.offset)
        let isSingle = bytes[first] == UInt8(ascii: "'")
        guard let length = isSingle ? 1 : quoteMark(at: first) else { return nil }
        var place = first + length
        while place < bytes.count {
            let byte = bytes[place]
            if byte == 0x0A || byte == 0x0D || byte == UInt8(ascii: "\\") { return nil }
            let closing =
                isSingle
                ? (byte == UInt8(ascii: "'") ? 1 : nil)
                : quoteMark(at: place) ?? (byte == UInt8(ascii: "\"") ? 1 : nil)
            if let closing {
                let end = place + closing
                guard endsValue(end) || next(end) == UInt8(ascii: ":") else { return nil }
                return [first..<first + length, place..<end].map {
                    TextEdit($0, [UInt8(ascii: "\"")])
                }
            }
            if byte == UInt8(ascii: "\"") { return nil }
            place += 1
        }
        return nil
    }

    /// The length of the typographic quotation mark at a place, as editors insert it.
    private func quoteMark(at place: Int) -> Int? {
        switch (bytes[place], place + 1 < bytes.count ? bytes[place + 1] : 0) {
        case (0xC2, 0xAB), (0xC2, 0xBB): return 2
        case (0xE2, 0x80):
            let last = place + 2 < bytes.count ? bytes[place + 2] : 0
            return (0x98...0x9F).contains(last) ? 3 : nil
        default: return nil
        }
    }

    /// Inserted after the preceding token, if blanks separate the two: `"a""b"` may be an unescaped
    /// quote. In `"/a," "/b"` the comma is there, on the wrong side of the quote, and `"NOT" "/a"`
    /// is one string.
    private func addingComma() -> [TextEdit]? {
        guard bytes[fault.offset - 1].isBlank,
            let last = bytes[..<fault.offset].lastIndex(where: { !$0.isBlank }),
            ![",\"", ";\"", ":\"", "\"NOT\""].contains(where: isPreceded),
            !bytes[fault.offset...].starts(with: "\",".utf8)
        else { return nil }
        return [TextEdit(last + 1..<last + 1, [UInt8(ascii: ",")])]
    }

    /// Whether what is before the place ends with `text`, blanks aside.
    func isPreceded(by text: String) -> Bool {
        guard let last = bytes[..<fault.offset].lastIndex(where: { !$0.isBlank }) else {
            return false
        }
        return bytes[...last].suffix(text.utf8.count).elementsEqual(text.utf8)
    }

    /// A note in a comment, with the blanks before it. What may be a pattern that has lost a quote
    /// (`#: "top"`, `//buy/*"`, `/*/a/*"`) is none, nor is what shares its line with values that
    /// would go with it.
    func removingNote() -> [TextEdit]? {
        let start = fault.offset
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
        let hasLine = bytes[..<start].last { $0 != 0x20 && $0 != 0x09 }.map {
            $0 == 0x0A || $0 == 0x0D
        }
        if hasLine == false, text.contains(where: { "{}[]\"".utf8.contains($0) }) { return nil }
        if !isBlock, isPreceded(by: ":") { return nil }
        var begin = start
        while begin > 0, bytes[begin - 1] == 0x20 || bytes[begin - 1] == 0x09 { begin -= 1 }
        return [TextEdit(begin..<end, [])]
    }

    /// A comma after another one, or after the bracket that opens: it separates nothing.
    private func removingComma() -> [TextEdit]? {
        guard bytes[fault.offset] == UInt8(ascii: ","),
            [",", "[", "{"].contains(where: isPreceded)
        else { return nil }
        return [TextEdit(fault.offset..<fault.offset + 1, [])]
    }

    /// `=` and `=>` between a key and its value, as other languages write it.
    private func replacingEqualsSign() -> [TextEdit]? {
        let place = fault.offset
        guard let behind = next(place + 1) else { return nil }
        let isArrow = behind == UInt8(ascii: ">") && bytes[place + 1] == behind
        guard isArrow || behind != UInt8(ascii: "=") else { return nil }
        return [TextEdit(place..<place + (isArrow ? 2 : 1), [UInt8(ascii: ":")])]
    }

    /// A semicolon after a value: a comma where another one follows, and nothing where none does.
    private func replacingSemicolon() -> [TextEdit]? {
        let place = fault.offset
        let isInside = fault.kind != .extraContent
        guard bytes[place] == UInt8(ascii: ";") else { return nil }
        switch next(place + 1) {
        case nil: return [TextEdit(place..<place + 1, [])]
        case UInt8(ascii: "}") where isInside, UInt8(ascii: "]") where isInside:
            return [TextEdit(place..<place + 1, [])]
        case let byte? where isInside && "\"{[".utf8.contains(byte):
            return [TextEdit(place..<place + 1, [UInt8(ascii: ",")])]
        case .some: return nil
        }
    }

    /// Around the whole document, whose first token is a key.
    private func addingBraces() -> [TextEdit]? {
        bytes.lastIndex { !$0.isBlank }.map { last in
            [
                TextEdit(fault.opened..<fault.opened, [UInt8(ascii: "{")]),
                TextEdit(last + 1..<last + 1, [UInt8(ascii: "}")]),
            ]
        }
    }

    /// The first non-blank byte from a place on.
    private func next(_ place: Int) -> UInt8? { bytes[place...].first { !$0.isBlank } }

    private func endsValue(_ place: Int) -> Bool {
        next(place).map { ",]}".utf8.contains($0) } ?? false
    }
}
