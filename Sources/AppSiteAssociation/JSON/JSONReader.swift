/// Strict JSON (RFC 8259) with the place of every value.
///
/// Accepts what Foundation's reader with no options accepts, because that is what reads the file on
/// a device: no comment, no trailing comma, no byte order mark, UTF-8 only. Everything else is
/// refused with the place, the likely cause and the remedy. Whatever the bytes are, reading ends
/// after one pass with a document or a ``JSONError``; depth and size are bounded by ``JSONLimits``.
public enum JSONReader {
    /// Reads a document whole.
    ///
    /// - Throws: ``JSONError`` with the first fault; see ``furtherFaults(after:in:)`` for more.
    public static func read(
        _ source: SourceText, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONDocument {
        guard source.bytes.count <= limits.bytesMaximum else {
            throw JSONError(
                .tooLarge, in: source, at: limits.bytesMaximum..<limits.bytesMaximum,
                "the file has \(source.bytes.count) bytes; more than \(limits.bytesMaximum) are "
                    + "not read",
                remedy: "Apple reads at most 131072 bytes; name path families with wildcards and "
                    + "substitution variables instead of listing every address")
        }
        let outcome = source.bytes.withUnsafeBufferPointer {
            bytes -> Result<JSONDocument, JSONFault> in
            guard let base = bytes.baseAddress, bytes.count > 0 else {
                return .failure(
                    JSONFault(kind: .expectedValue(afterComma: false), offset: 0, opened: 0))
            }
            var parser = JSONParser(base, count: bytes.count, depthMaximum: limits.depthMaximum)
            do throws(JSONFault) {
                let root = try parser.document()
                return .success(
                    JSONDocument(source: source, root: root, duplicateKeys: parser.duplicates()))
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let document): return document
        case .failure(let fault): throw JSONFaultReport.error(fault, in: source)
        }
    }

    /// Reads text in memory, for examples and tests.
    public static func read(
        text: String, name: String = "-", limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONDocument {
        try read(SourceText(name: name, text: text), limits: limits)
    }
}

/// Where and at what the grammar gave up. ``JSONFaultReport`` finds out why.
struct JSONFault: Error {
    enum Kind: Equatable {
        case combiningMarks
        case controlCharacter
        case expectedColon
        case expectedCommaOrEnd(inObject: Bool)
        case expectedKey(afterComma: Bool)
        case expectedValue(afterComma: Bool)
        case extraContent
        case invalidEscape
        case invalidNumber
        case invalidUTF8
        case loneSurrogate
        case tooDeep
        case unterminatedString
    }

    let kind: Kind
    let offset: Int
    /// Where what was being read begins: the string, the number, or the array or object around the
    /// place.
    let opened: Int
}
