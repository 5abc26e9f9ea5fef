/// Why a document is not JSON: one reason, one place, the likely cause and the remedy.
public struct JSONError: Error, Sendable, Hashable {
    /// Why the document is rejected: a code of the linter, such as `json-trailing-comma`. The codes
    /// name the mistakes of people rather than the expectations of the grammar.
    public var code: String { diagnostic.code }
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

    /// - Parameters:
    ///   - remedy: for this particular case; otherwise that of the catalogue.
    ///   - fix: the edits that carry it out, if it leaves no choice.
    init(
        _ code: String, in source: SourceText, at range: Range<Int>, _ message: String,
        remedy: String? = nil, fix: [TextEdit]? = nil, related: [Diagnostic.Related] = []
    ) {
        diagnostic = Diagnostic(
            code: code, severity: .error, message: message,
            remedy: remedy ?? RuleCatalog.rule(code)?.remedy ?? "", fix: fix, source: source,
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
