/// Strict JSON parser (RFC 8259) that keeps the place of every value.
///
/// It accepts what Foundation's parser without options accepts, as that parses the file on a
/// device: no comment, no trailing comma, no byte order mark, UTF-8 only. Everything else is
/// rejected with the place, the likely cause and the remedy. For any bytes, parsing ends after one
/// pass with a document or a ``JSONError``; ``JSONLimits`` limits depth and size.
public enum JSONReader {
    /// Parses a complete document.
    ///
    /// - Throws: ``JSONError`` with the first error; see ``furtherFaults(after:in:)`` for more.
    public static func read(
        _ source: SourceText, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONDocument {
        guard source.bytes.count <= limits.bytesMaximum else {
            throw JSONError(
                "json-too-large", in: source, at: limits.bytesMaximum..<limits.bytesMaximum,
                "the file has \(source.bytes.count) bytes, and aasa reads at most "
                    + "\(limits.bytesMaximum)",
                remedy: "Devices read at most 131,072 bytes. Describe paths with wildcards and "
                    + "substitution variables instead of listing each one.")
        }
        do throws(JSONFault) {
            var parser = JSONParser(source.bytes, depthMaximum: limits.depthMaximum)
            // Apple documents that JSONSerialization takes a byte order mark; the linter warns.
            if source.hasByteOrderMark { parser.at = 3 }
            return JSONDocument(source: source, root: try parser.document())
        } catch {
            throw JSONFaultReport(fault: error, source: source).error()
        }
    }

    /// Parses text in memory, for examples and tests.
    public static func read(
        text: String, name: String = "-", limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONDocument {
        try read(SourceText(name: name, text: text), limits: limits)
    }
}

/// Where the grammar failed, and on what. ``JSONFaultReport`` determines the cause.
struct JSONFault: Error {
    enum Kind: String {
        case combiningMarks
        case controlCharacter
        case expectedColon
        case expectedCommaOrEnd
        case expectedKey
        case expectedValue
        case extraContent
        case invalidEscape
        case invalidNumber
        case invalidUTF8
        case loneSurrogate
        case tooDeep
        case unterminatedString

        /// Whether the place is between two tokens.
        var isBetweenTokens: Bool { rawValue.hasPrefix("expected") || self == .extraContent }
    }

    let kind: Kind
    let offset: Int
    /// The start of the current token: the string, the number, or the array or object around the
    /// place.
    let opened: Int
}
