/// Derives the likely mistake and the remedy from the place where the grammar failed, and the edits
/// that carry it out where the mistake has one meaning only.
///
/// Runs for the first error and for up to twenty further ones, so it may scan the bytes once.
struct JSONFaultReport {
    let fault: JSONFault
    let source: SourceText

    func error() -> JSONError {
        if let wrongFile = FileKind.recognize(source) { return wrongFile }
        switch fault.kind {
        case .controlCharacter: return controlCharacter()
        case .expectedColon: return expectedColon()
        case .expectedCommaOrEnd: return expectedCommaOrEnd()
        case .expectedKey: return expectedKey()
        case .expectedValue: return expectedValue()
        case .extraContent: return extraContent()
        case .invalidEscape:
            return error(
                "json-invalid-escape", at: fault.offset..<min(fault.offset + 2, bytes.count),
                "invalid escape; JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hex "
                    + "digits",
                "For a backslash itself write \\\\. Patterns of association files have no escapes.")
        case .invalidNumber: return invalidNumber()
        case .invalidUTF8: return invalidUTF8()
        case .loneSurrogate:
            return error(
                "json-lone-surrogate", at: fault.offset..<min(fault.offset + 6, bytes.count),
                "half of a surrogate pair, which is not a character",
                "Write both halves (\\ud83d\\ude00), or the character itself in UTF-8.")
        case .combiningMarks:
            return error(
                "json-combining-marks",
                "more than \(CombiningMarks.rowMaximum) combining marks follow one another in this "
                    + "string, which no language needs")
        case .tooDeep:
            return error(
                "json-too-deep", "arrays and objects are nested too deeply",
                "Check that this is an association file: it needs only 7 levels.")
        case .unterminatedString:
            return error(
                "json-truncated", at: fault.opened..<fault.opened + 1,
                "the file ends inside the string that begins here: its closing quote is missing",
                Self.completion)
        }
    }

    private static let completion =
        "Add what is missing, or upload the file again: a transfer may have been cut off."

    var bytes: [UInt8] { source.bytes }
    private var byte: UInt8? { fault.offset < bytes.count ? bytes[fault.offset] : nil }

    private func error(
        _ code: String, at range: Range<Int>? = nil, _ message: String,
        _ remedy: String? = nil, opened: String? = nil, fix: [TextEdit]? = nil
    ) -> JSONError {
        let place = range ?? fault.offset..<min(fault.offset + max(scalarLength, 1), bytes.count)
        let related = opened.map {
            [
                Diagnostic.Related(
                    message: $0, source: source, range: fault.opened..<fault.opened + 1)
            ]
        }
        return JSONError(
            code, in: source, at: place, message, remedy: remedy, fix: fix, related: related ?? [])
    }

    /// Length of the scalar at the error; 0 at the end or for invalid UTF-8.
    private var scalarLength: Int {
        UTF8Scalar.length(bytes.dropFirst(fault.offset)) ?? 0
    }

    private var scalar: Unicode.Scalar? {
        source.text(in: fault.offset..<fault.offset + scalarLength).unicodeScalars.first
    }

    /// The text at the error, for a message.
    private var found: String {
        guard byte != nil else { return "the end of the file" }
        guard let scalar else { return "a byte that is not UTF-8" }
        let isHidden = scalar.value < 0x20 || scalar.value == 0x7F || isBlank(scalar)
        return isHidden ? scalar.codePoint : "'\(scalar)'"
    }

    /// Whether the character takes room or none, and shows nothing.
    private func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
    }

    private func truncated(_ what: String) -> JSONError {
        error(
            "json-truncated", "the file ends before \(what)", Self.completion,
            opened: fault.opened >= bytes.count ? nil : "opened here")
    }

    /// Mistakes that can occur anywhere between two tokens.
    private func anywhere() -> JSONError? {
        guard let byte else { return nil }
        let next = fault.offset + 1 < bytes.count ? bytes[fault.offset + 1] : 0
        if byte == UInt8(ascii: "#")
            || (byte == UInt8(ascii: "/") && (next == byte || next == UInt8(ascii: "*")))
        {
            guard let fix = removingComment() else {
                return error(
                    "json-comment", "a comment, or a string that has lost a quote",
                    "Add the missing quote. If this is a comment, remove only the comment.")
            }
            return error("json-comment", "comments are not part of JSON", fix: fix)
        }
        if byte == UInt8(ascii: "'") {
            return error(
                "json-single-quote", "JSON strings need double quotes, not single quotes",
                fix: replacingQuotes(length: 1))
        }
        for ellipsis in ["...", "…"] where bytes[fault.offset...].starts(with: ellipsis.utf8) {
            return error(
                "json-unexpected-byte", at: fault.offset..<fault.offset + ellipsis.utf8.count,
                "\(ellipsis) stands for something that is not there",
                "Write what is missing here, or remove the dots.")
        }
        guard byte >= 0x80 || byte < 0x20 || byte == 0x7F else { return nil }
        guard let scalar else { return invalidUTF8() }
        switch scalar.value {
        case 0x2018...0x201F, 0x00AB, 0x00BB, 0x2039, 0x203A, 0x300C...0x300F, 0xFF02, 0xFF07:
            return error(
                "json-smart-quote",
                "typographic quotation mark \(scalar) (\(scalar.codePoint)) where JSON needs "
                    + "\"",
                fix: quoteMark(at: fault.offset).flatMap(replacingQuotes))
        default: return isBlank(scalar) || byte < 0x20 ? invisible(scalar) : nil
        }
    }

    /// A run of one character is one mistake: an editor indents with it, a program pads with it.
    private func invisible(_ scalar: Unicode.Scalar) -> JSONError {
        let one = Array(String(scalar).utf8)
        var end = fault.offset
        while bytes[end...].starts(with: one) { end += one.count }
        let count = (end - fault.offset) / one.count
        return error(
            "json-unicode-space", at: fault.offset..<end,
            (count == 1 ? "invisible character" : "\(count) invisible characters")
                + " \(scalar.codePoint) between the tokens; only space, tab, line feed and "
                + "carriage return may stand there",
            scalar.value < 0x20
                ? "Delete what is not text. Check the program that writes the file."
                : "Write ordinary spaces. Other spaces often come from web pages.",
            fix: removingBlanks(to: end))
    }

    private func unexpected(_ wanted: String, fix: [TextEdit]? = nil) -> JSONError {
        error(
            "json-unexpected-byte", "\(found) where \(wanted) was expected", "Check this place.",
            fix: fix)
    }

    private func controlCharacter() -> JSONError {
        let name = found
        if byte == 0x0A || byte == 0x0D {
            return error(
                "json-control-character",
                "the string runs over the end of the line: its closing quote is missing, or a "
                    + "line break is inside it",
                "Close the string, or write the line break as \\n.",
                opened: "the string begins here"
            )
        }
        return error(
            "json-control-character", "control character \(name) inside a string",
            byte == 0x09 ? "Write it as \\t, or remove it." : "Remove it.",
            opened: "the string begins here")
    }

    private func expectedColon() -> JSONError {
        if byte == nil { return truncated("the ':' after this key") }
        if let error = anywhere() { return error }
        if byte == UInt8(ascii: "=") {
            return error("json-missing-colon", "'=' in place of ':'", fix: replacingEqualsSign())
        }
        return error(
            "json-missing-colon", "\(found) where ':' was expected after the key", opened: "the key"
        )
    }

    private func expectedCommaOrEnd() -> JSONError {
        let inObject = bytes[fault.opened] == UInt8(ascii: "{")
        let bracket = inObject ? "}" : "]"
        let container = inObject ? "object" : "array"
        switch byte {
        case nil: return truncated("the '\(bracket)' that closes this \(container)")
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            return error(
                "json-mismatched-bracket",
                "\(found) where '\(bracket)' has to close the \(container)",
                "Close brackets in the order they were opened. One may be missing before this "
                    + "place.",
                opened: "the \(container) begins here")
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
            return error(
                "json-missing-comma", "a comma is missing before \(found)",
                isPreceded(by: ",\"")
                    ? "Put the comma behind the quote: it is inside the string before this place."
                    : "Put a comma between two \(inObject ? "members" : "elements").",
                fix: addingComma())
        case UInt8(ascii: ":") where !inObject:
            return error(
                "json-missing-comma",
                "':' inside an array: key and value need an object around them",
                "Write {\"key\": value}.", opened: "the array begins here")
        default:
            return anywhere()
                ?? unexpected("',' or '\(bracket)'", fix: replacingSemicolon(isInside: true))
        }
    }

    private func expectedKey() -> JSONError {
        switch byte {
        case nil: return truncated("the '}' that closes this object")
        case UInt8(ascii: "}"): return trailingComma("}")
        case UInt8(ascii: ","):
            return error(
                "json-missing-value", "an extra comma", "Remove it.", fix: removingComma())
        case UInt8(ascii: "]"):
            return error(
                "json-mismatched-bracket", "']' where '}' has to close the object",
                opened: "the object begins here")
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return error(
                "json-missing-value",
                "\(found) where a key was expected: an object contains \"key\": value",
                "Give it a key, or use an array.", opened: "the object begins here")
        default:
            if let error = anywhere() { return error }
            let word = wordRange()
            if !word.isEmpty {
                return error(
                    "json-unquoted-key", at: word,
                    "the key \(source.text(in: word)) needs double quotes",
                    fix: quoting(word, isKey: true))
            }
            return unexpected("a key in double quotes")
        }
    }

    private func expectedValue() -> JSONError {
        switch byte {
        case nil: return truncated("a value")
        case UInt8(ascii: "]") where bytes[fault.opened] == UInt8(ascii: "["):
            return trailingComma("]")
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"):
            return error(
                "json-missing-value", "\(found) where a value was expected",
                "Write the value, or remove the comma or the key before it.", fix: removingComma())
        case UInt8(ascii: "+"), UInt8(ascii: "."):
            return anywhere()
                ?? error(
                    "json-invalid-number", "a number begins with a digit or with '-'",
                    "Write it as 0.5 or 1.")
        default:
            if let error = anywhere() { return error }
            return word(wordRange()) ?? unexpected("a value")
        }
    }

    private func word(_ range: Range<Int>) -> JSONError? {
        guard !range.isEmpty else { return nil }
        let text = source.text(in: range)
        // A word that a program has written in place of the whole document.
        let isAll =
            !"{[".utf8.contains(bytes[fault.opened])
            && bytes[range.upperBound...].allSatisfy { $0 <= UInt8(ascii: " ") }
        let document =
            isAll ? "Write the document in its place, and check the program that wrote this." : nil
        let literals = ["true": "true", "false": "false", "null": "null", "none": "null"]
        if let meant = literals[text.lowercased()] {
            return error(
                "json-invalid-literal", at: range, "'\(text)' is not JSON; it is written \(meant)",
                document ?? "Write \(meant).", fix: [TextEdit(range, Array(meant.utf8))])
        }
        if ["nan", "infinity", "undefined", "nil"].contains(text.lowercased()) {
            return error(
                "json-invalid-literal", at: range, "'\(text)' is not JSON",
                document ?? "Remove it, or write null.")
        }
        return error(
            "json-unquoted-string", at: range, "\(text) needs double quotes to be a string",
            text == "NOT" ? "Write the word NOT inside the quotes: \"NOT /path\"." : document,
            fix: text == "NOT" ? joiningExclusion(range) : quoting(range, isKey: false))
    }

    /// A run of letters, digits and other name characters, from the error on.
    private func wordRange() -> Range<Int> {
        var end = fault.offset
        while end < bytes.count, end - fault.offset < 64 {
            let byte = bytes[end]
            guard byte.isNameCharacter || byte == UInt8(ascii: ".") && end > fault.offset else {
                break
            }
            end += 1
        }
        return fault.offset..<end
    }

    private func trailingComma(_ bracket: String) -> JSONError {
        var comma = fault.offset
        while comma > 0, bytes[comma] != UInt8(ascii: ",") { comma -= 1 }
        return error(
            "json-trailing-comma", at: comma..<comma + 1,
            "a comma after the last \(bracket == "}" ? "member" : "element")",
            "Remove the comma before '\(bracket)'.", fix: [TextEdit(comma..<comma + 1, [])])
    }

    private func extraContent() -> JSONError {
        switch byte {
        case UInt8(ascii: ":") where bytes[fault.opened] == UInt8(ascii: "\""):
            return error(
                "json-outer-braces-missing", at: fault.opened..<fault.opened + 1,
                "the braces around the whole document are missing",
                "Put { before it and } after it.", fix: addingBraces())
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            return error(
                "json-mismatched-bracket",
                "\(found) closes nothing: the document has ended before it",
                "Remove it, or find the bracket that was closed too early.")
        case UInt8(ascii: ","):
            return error(
                "json-extra-content",
                "a comma after the end of the document: a bracket was closed too early, or the "
                    + "outer brackets are missing",
                "Keep everything inside one { }.")
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return error(
                "json-extra-content", "a second document begins here; a file contains exactly one",
                "Merge them into one. For the fragments of several teams, use aasa build.")
        default:
            return anywhere()
                ?? error(
                    "json-extra-content", "\(found) follows the end of the document", "Remove it.",
                    fix: replacingSemicolon(isInside: false))
        }
    }

    private func invalidNumber() -> JSONError {
        let text = source.text(in: fault.opened..<min(fault.offset + 1, bytes.count))
        if byte == nil {
            return error(
                "json-invalid-number", at: fault.opened..<bytes.count,
                "the number \(text) is incomplete",
                "Complete the number.")
        }
        let zero = text.hasPrefix("0") || text.hasPrefix("-0")
        return error(
            "json-invalid-number", at: fault.opened..<max(fault.offset, fault.opened + 1),
            zero && !text.contains(".")
                ? "a JSON number cannot have leading zeros" : "this is not a valid JSON number",
            "Write it in decimal, without a leading zero or plus sign, or as a string in "
                + "double quotes.")
    }

    private func invalidUTF8() -> JSONError {
        let value = byte.map { String($0, radix: 16, uppercase: true) } ?? ""
        return error(
            "json-invalid-utf8", at: fault.offset..<min(fault.offset + 1, bytes.count),
            "byte 0x\(value) is not UTF-8; the file is probably saved in Latin-1 or Windows-1252")
    }
}
