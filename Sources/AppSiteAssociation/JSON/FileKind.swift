import Texts

/// Recognizes a file of another kind that is published in place of JSON: a page, an archive, the
/// source of a program, the text of an error.
///
/// Only used after parsing failed: then the wrong kind is the cause, and the position of the syntax
/// error would not help. The kinds are the objects of `file-kinds.json`, and the first that fits
/// counts. All conditions of an object have to hold:
///
/// * `begins`: the file begins with one of these, in lower case; U+0080 to U+00FF are bytes.
/// * `opens`, `holds`: one of these is in its first 120 bytes, or in its first 65,536.
/// * `base64`: that many bytes at its beginning are Base64.
/// * `test`: a `Test`.
struct FileKind {
    /// The conditions that no text at the beginning expresses.
    enum Test: String {
        case binary, blank, call, comment, der, empty, hexadecimal, line, path, short, status
        case toml, yaml, zeros
    }

    static let kinds = Text.fileKinds.json.array ?? []

    private let source: SourceText
    /// What follows a byte order mark and blanks.
    private let bytes: ArraySlice<UInt8>
    /// The first of these bytes, with ASCII letters in lower case.
    private let head: [UInt8]
    /// The same as written.
    private let text: String
    /// The first line, if it is short: a document without line ends is one line.
    private let line: Substring

    private init(_ source: SourceText) {
        self.source = source
        bytes = source.bytes.dropFirst(source.hasByteOrderMark ? 3 : 0).drop(while: Self.isBlank)
        let first = bytes.prefix(65_536)
        head = first.map(\.asciiLowercased)
        text = String(decoding: first, as: UTF8.self)
        line = text.prefix(1_024).prefix { !$0.isNewline }
    }

    static func recognize(_ source: SourceText) -> JSONError? {
        let file = FileKind(source)
        let start = file.bytes.startIndex
        if let wide = source.wideEncoding {
            return file.error(
                "json-utf16", start, wide.hasPrefix("UTF-32") ? 4 : 2,
                "the file is encoded as \(wide); JSON on the web is UTF-8",
                "Save it as UTF-8 without a byte order mark "
                    + "(iconv -f \(wide.lowercased()) -t utf-8).")
        }
        if let conflict = file.conflict {
            return file.error(
                "json-merge-conflict", conflict, 3,
                "the file contains git's conflict markers from an unfinished merge")
        }
        for kind in kinds {
            guard let length = file.length(of: kind), let code = kind["code"]?.string else {
                continue
            }
            return file.error(
                code, start, length, kind["message"]?.string ?? "", kind["fix"]?.string)
        }
        return nil
    }

    private func error(
        _ code: String, _ start: Int, _ length: Int, _ message: String, _ remedy: String? = nil
    ) -> JSONError {
        let end = min(start + length, source.bytes.count)
        return JSONError(code, in: source, at: start..<end, message, remedy: remedy)
    }

    /// The number of bytes to underline in a file of a kind; nil if the file is of another kind.
    private func length(of kind: JSONValue) -> Int? {
        func texts(_ key: String) -> [[UInt8]]? {
            kind[key]?.texts?.map { text in
                text.value.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            }
        }
        let starts = texts("begins")
        let start = starts?.first { head.starts(with: $0) }
        if starts != nil, start == nil { return nil }
        for (key, limit) in [("opens", 120), ("holds", head.count)] {
            guard let words = texts(key) else { continue }
            guard words.contains(where: { head.prefix(limit).contains($0) }) else { return nil }
        }
        if let count = kind["base64"]?.integer.map(Int.init) {
            guard head.count >= count, head.prefix(count).allSatisfy(\.isBase64) else { return nil }
        }
        if let test = kind["test"]?.string, Test(rawValue: test).map(passes) != true { return nil }
        return kind["underlined"]?.integer.map(Int.init) ?? start?.count ?? 3
    }

    private func passes(_ test: Test) -> Bool {
        switch test {
        // A text has no NUL, and no document begins with a byte above ASCII.
        case .binary: !begins(with: "{[\"") && head.prefix(64).contains(0)
        case .blank: bytes.isEmpty
        // `callback({…})`: JSON for a script.
        case .call: text.first != "(" && text.drop(while: { isWord($0, and: "_$.") }).first == "("
        case .comment:
            bytes.drop { $0 != UInt8(ascii: ">") }.dropFirst().first { !Self.isBlank($0) }
                == UInt8(ascii: "{")
        case .der: isSignedDER
        case .empty: source.bytes.isEmpty
        case .hexadecimal: line.utf8.count >= 4 && line.allSatisfy(\.isHexDigit)
        case .line: isOneLine
        // Begins as a path does, or ends with the name of a document.
        case .path:
            line.allSatisfy { isWord($0, and: "/._-@+~") } && isOneLine
                && (["../", "./", "/"].contains { line.hasPrefix($0) }
                    || [".json", "apple-app-site-association"].contains { line.hasSuffix($0) })
        case .short: bytes.count < 4_096 && !begins(with: "{[")
        case .status: passes(.short) && beginsWithStatus
        // `[None]` and nothing more is an array with a typing error.
        case .toml: isHeading && !isOneLine
        case .yaml:
            line.hasPrefix("---")
                || line.count > 1 && line.drop(while: { isWord($0, and: "._-") }) == ":"
        case .zeros: source.bytes.allSatisfy { $0 == 0 }
        }
    }

    private func begins(with any: String) -> Bool { head.first.map(any.utf8.contains) ?? false }

    private func isWord(_ character: Character, and others: String) -> Bool {
        character.isLetter || character.isNumber || others.contains(character)
    }

    private var isOneLine: Bool { text.dropFirst(line.count).allSatisfy(\.isWhitespace) }

    /// `[applinks]`, the first line of a table.
    private var isHeading: Bool {
        let name = line.drop { $0 == "[" }
        let rest = name.drop { isWord($0, and: "._-") }
        return rest.count < name.count && !rest.isEmpty && rest.allSatisfy { $0 == "]" }
    }

    /// SEQUENCE with a definite length of one to four bytes, or BER's indefinite length, followed
    /// by an OBJECT IDENTIFIER: the start of CMS SignedData (RFC 5652 section 3).
    private var isSignedDER: Bool {
        let bytes = source.bytes
        guard bytes.count > 6, bytes[0] == 0x30, bytes[1] & 0x80 != 0 else { return false }
        let length = Int(bytes[1] & 0x7F)
        return length <= 4 && bytes.count > 2 + length && bytes[2 + length] == 0x06
    }

    /// `404: Not Found`, `Error 502`, `HTTP 403`.
    private var beginsWithStatus: Bool {
        let words = text.prefix(120).lowercased().drop { !$0.isLetter && !$0.isNumber }
        let isNamed = words.hasPrefix("http") || words.hasPrefix("error")
        let start = isNamed ? words.drop { !$0.isNumber } : words
        let status = start.prefix { $0.isNumber }
        return status.count == 3 && status.first.map { "345".contains($0) } == true
            && start.dropFirst(3).first.map { " :\n".contains($0) } ?? true
    }

    /// The place of `<<<<<<<` at the start of a line, if `>>>>>>>` follows.
    private var conflict: Int? {
        var start: Int?
        for line in bytes.prefix(head.count).split(separator: 0x0A) {
            if line.starts(with: "<<<<<<< ".utf8) { start = start ?? line.startIndex }
            if line.starts(with: ">>>>>>> ".utf8), let start { return start }
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}

extension SourceText {
    /// `UTF-16` or `UTF-32`, if the first bytes say so; without a mark with the order of the bytes.
    var wideEncoding: String? {
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
            return "UTF-32"
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return "UTF-16"
        }
        // Without a mark: the zeros beside the first character.
        guard bytes.count > 1, bytes.count % 2 == 0,
            (bytes[0] == 0) != (bytes[1] == 0)
                || bytes.starts(with: [0, 0, 0]) && bytes.dropFirst(3).first != 0
        else { return nil }
        let isLittle = bytes[0] != 0
        let isUTF32 = bytes.count % 4 == 0 && bytes.prefix(4).count(where: { $0 == 0 }) == 3
        return (isUTF32 ? "UTF-32" : "UTF-16") + (isLittle ? "LE" : "BE")
    }
}
