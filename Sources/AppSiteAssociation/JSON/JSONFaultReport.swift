import Texts

/// Derives the likely mistake and the remedy from the place where the grammar failed, and the edits
/// that carry it out where the mistake has one meaning only.
///
/// Runs for the first error and for up to twenty further ones, so it may scan the bytes once.
///
/// The mistakes are the objects of `json-faults.json`, and the first that fits counts. All
/// conditions of an object have to hold:
///
/// * `at`: the kind of the fault is one of these; without it, the place is between two tokens.
/// * `found`: the place begins with one of these.
/// * `inside`: the array, the object or the string around it begins so.
/// * `words`: the word there is one of these, in lower case.
/// * `test`: a `Test`.
///
/// `underlined` is a number of bytes and `place` a `Place`; without both, one character is
/// underlined. `whole` is the fix if the word is the whole document. `write` replaces what is
/// underlined, and `edit` is an `Edit`.
struct JSONFaultReport {
    /// The conditions that no text at the place expresses.
    enum Test: String {
        case blank, commaInQuotes, control, end, exclusion, leadingZero, notUTF8, note, word
    }

    /// What is underlined. `opened` is where the current token begins, and `run` all that is equal
    /// to the character.
    enum Place: String {
        case comma, number, opened, run, word
    }

    static let mistakes = Text.jsonFaults.json.array ?? []

    let fault: JSONFault
    let source: SourceText

    func error() -> JSONError {
        if let wrongFile = FileKind.recognize(source) { return wrongFile }
        let mistake = Self.mistakes.first(where: fits) ?? JSONValue(.null)
        let place = place(mistake)
        let isWhole = mistake["whole"] != nil && isWhole(place)
        let written = mistake["write"]?.string.map { [TextEdit(place, Array($0.utf8))] }
        let opened = fault.opened..<fault.opened + 1
        let related = opened.upperBound > bytes.count ? nil : text(mistake["opened"], place)
        return JSONError(
            mistake["code"]?.string ?? "", in: source, at: place,
            text(mistake["message"], place) ?? "",
            remedy: text(mistake[isWhole ? "whole" : "fix"], place),
            fix: written ?? mistake["edit"]?.string.flatMap(Edit.init).flatMap { edits($0, place) },
            related: (related.map { [$0] } ?? []).map {
                Diagnostic.Related(message: $0, source: source, range: opened)
            })
    }

    // MARK: Conditions

    private func fits(_ mistake: JSONValue) -> Bool {
        func some(_ key: String, _ holds: (String) -> Bool) -> Bool? {
            mistake[key]?.texts?.contains { holds($0.value) }
        }
        guard some("at", { $0 == fault.kind.rawValue }) ?? fault.kind.isBetweenTokens,
            some("found", { bytes[fault.offset...].starts(with: $0.utf8) }) ?? true,
            mistake["inside"]?.string.map({ bytes[fault.opened...].starts(with: $0.utf8) }) ?? true,
            some("words", { $0 == word.lowercased() }) ?? true
        else { return false }
        return mistake["test"]?.string.map { Test(rawValue: $0).map(passes) == true } ?? true
    }

    private func passes(_ test: Test) -> Bool {
        switch test {
        case .blank: scalar.map(isBlank) == true
        case .commaInQuotes: isPreceded(by: ",\"")
        case .control: byte.map { $0 < 0x20 } == true
        case .end: byte == nil
        case .exclusion: word == "NOT"
        case .leadingZero:
            ["0", "-0"].contains(where: number.hasPrefix) && !number.contains(".")
        case .notUTF8: byte != nil && scalar == nil
        case .note: removingNote() != nil
        case .word: !word.isEmpty
        }
    }

    var bytes: [UInt8] { source.bytes }
    private var byte: UInt8? { fault.offset < bytes.count ? bytes[fault.offset] : nil }

    /// Length of the scalar at the error; 0 at the end or for invalid UTF-8.
    private var scalarLength: Int {
        UTF8Scalar.length(bytes.dropFirst(fault.offset)) ?? 0
    }

    private var scalar: Unicode.Scalar? {
        source.text(in: fault.offset..<fault.offset + scalarLength).unicodeScalars.first
    }

    /// Whether the character takes room or none, and shows nothing.
    private func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
    }

    private var word: String { source.text(in: wordRange) }

    /// A run of letters, digits and other name characters, from the error on.
    private var wordRange: Range<Int> {
        let first = bytes[fault.offset...].prefix(64)
        let dotted = first.prefix { $0.isNameCharacter || $0 == UInt8(ascii: ".") }
        return dotted.first == UInt8(ascii: ".") ? fault.offset..<fault.offset : dotted.indices
    }

    /// A number up to the byte that is wrong.
    private var number: String { source.text(in: fault.opened..<fault.offset + 1) }

    /// Whether a program has written a word in place of the whole document.
    private func isWhole(_ word: Range<Int>) -> Bool {
        !"{[".utf8.contains(bytes[fault.opened])
            && bytes[word.upperBound...].allSatisfy { $0 <= UInt8(ascii: " ") }
    }

    // MARK: Texts

    private func place(_ mistake: JSONValue) -> Range<Int> {
        let start = fault.offset
        switch mistake["place"]?.string.flatMap(Place.init) {
        case .comma:
            let comma = bytes[..<start].lastIndex(of: UInt8(ascii: ",")) ?? 0
            return comma..<comma + 1
        case .number: return fault.opened..<max(start, fault.opened + 1)
        case .opened: return fault.opened..<fault.opened + 1
        case .run:
            // A run of one character is one mistake: an editor indents with it, or a program pads.
            let one = bytes[start..<start + scalarLength]
            var end = one.endIndex
            while bytes[end...].starts(with: one) { end += one.count }
            return start..<end
        case .word: return wordRange
        case nil:
            let count = mistake["underlined"]?.integer.map(Int.init) ?? max(scalarLength, 1)
            return start..<min(start + count, bytes.count)
        }
    }

    /// A text of the mistake with what it is about.
    private func text(_ text: JSONValue?, _ place: Range<Int>) -> String? {
        guard let text = text?.string else { return nil }
        let isInObject = bytes.dropFirst(fault.opened).first == UInt8(ascii: "{")
        let code = scalar?.codePoint ?? ""
        let count = scalarLength > 0 ? place.count / scalarLength : 0
        let run = count == 1 ? "invisible character" : "\(count) invisible characters"
        let words: KeyValuePairs = [
            "{bracket}": isInObject ? "}" : "]",
            "{byte}": byte.map { String($0, radix: 16, uppercase: true) } ?? "",
            "{code}": code,
            "{container}": isInObject ? "object" : "array",
            "{element}": isInObject ? "member" : "element",
            "{found}": found,
            "{marks}": "\(CombiningMarks.rowMaximum)",
            "{run}": "\(run) \(code)",
            "{text}": source.text(in: place),
        ]
        return words.reduce(text) { $0.replacing($1.key, with: $1.value) }
    }

    /// The text at the error.
    private var found: String {
        guard byte != nil else { return "the end of the file" }
        guard let scalar else { return "a byte that is not UTF-8" }
        let isHidden = scalar.properties.generalCategory == .control || isBlank(scalar)
        return isHidden ? scalar.codePoint : "'\(scalar)'"
    }
}
