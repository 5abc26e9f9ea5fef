/// Why a document is not JSON: one reason, one place, the likely cause and the remedy.
public struct JSONError: Error, Sendable, Hashable {
    /// The reasons, by the mistakes of people rather than the expectations of the grammar.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        case binary = "json-binary"
        case binaryPropertyList = "json-binary-property-list"
        case byteOrderMark = "json-byte-order-mark"
        case combiningMarks = "json-combining-marks"
        case comment = "json-comment"
        case compressed = "json-compressed"
        case controlCharacter = "json-control-character"
        case empty = "json-empty"
        case errorText = "json-error-text"
        case extraContent = "json-extra-content"
        case html = "json-html"
        case httpHeaders = "json-http-headers"
        case invalidEscape = "json-invalid-escape"
        case invalidLiteral = "json-invalid-literal"
        case invalidNumber = "json-invalid-number"
        case invalidUTF8 = "json-invalid-utf8"
        case loneSurrogate = "json-lone-surrogate"
        case mergeConflict = "json-merge-conflict"
        case mismatchedBracket = "json-mismatched-bracket"
        case missingColon = "json-missing-colon"
        case missingComma = "json-missing-comma"
        case missingValue = "json-missing-value"
        case outerBracesMissing = "json-outer-braces-missing"
        case pem = "json-pem"
        case richText = "json-rich-text"
        case signedDER = "json-signed-der"
        case signedMIME = "json-signed-mime"
        case singleQuote = "json-single-quote"
        case smartQuote = "json-smart-quote"
        case sourceCode = "json-source-code"
        case tooDeep = "json-too-deep"
        case tooLarge = "json-too-large"
        case trailingComma = "json-trailing-comma"
        case truncated = "json-truncated"
        case unexpectedByte = "json-unexpected-byte"
        case unicodeSpace = "json-unicode-space"
        case unquotedKey = "json-unquoted-key"
        case unquotedString = "json-unquoted-string"
        case utf16 = "json-utf16"
        case xml = "json-xml"
    }

    /// Why the document is rejected.
    public let reason: Reason
    /// The place, the likely cause and the remedy, with the source line.
    public let diagnostic: Diagnostic
    /// Byte offset of the error.
    public var offset: Int { position.offset }
    /// The line and column of the error.
    public var position: SourcePosition {
        diagnostic.start ?? SourcePosition(offset: 0, line: 1, column: 1)
    }
    /// What is wrong and the likely cause, as one sentence without a full stop.
    public var message: String { diagnostic.message }
    /// The remedy.
    public var remedy: String { diagnostic.remedy ?? "" }

    /// - Parameter remedy: for this particular case; otherwise that of the catalogue.
    init(
        _ reason: Reason, in source: SourceText, at range: Range<Int>, _ message: String,
        remedy: String? = nil, related: [Diagnostic.Related] = []
    ) {
        self.reason = reason
        diagnostic = Diagnostic(
            code: reason.rawValue, severity: .error, message: message,
            remedy: remedy ?? RuleCatalog.rule(reason.rawValue)?.remedy ?? "", source: source,
            range: range, related: related)
    }
}

extension JSONError: CustomStringConvertible {
    /// The finding as one line: file, position, severity, message and code.
    public var description: String { diagnostic.description }
}

/// The limits of a parser.
public struct JSONLimits: Sendable, Hashable {
    /// Bytes of the document.
    public var bytesMaximum: Int
    /// Depth of nested arrays and objects.
    public var depthMaximum: Int

    /// 4 MiB and 512 levels. Apple reads 131,072 bytes; a document 32 times that size is still
    /// parsed, so that its size can be reported. For untrusted input the parser needs 4 MiB for the
    /// bytes and, at worst (`[[],[],…`, three bytes for a value of 32 and an empty array), 96 MiB
    /// for the values while their array grows. Foundation's parser accepts 512 levels; a level
    /// costs below 300 bytes of stack.
    public static let standard = JSONLimits(bytesMaximum: 4 << 20, depthMaximum: 512)

    /// Values are clamped to 1 GiB and to the levels of a thread's stack.
    public init(bytesMaximum: Int, depthMaximum: Int) {
        self.bytesMaximum = min(max(bytesMaximum, 0), 1 << 30)
        self.depthMaximum = min(max(depthMaximum, 1), 512)
    }
}
