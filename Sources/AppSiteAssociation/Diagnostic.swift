/// The severity of a finding.
public enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Works, but is noteworthy.
    case note
    /// Only tolerated by Apple, or very likely unintended.
    case warning
    /// Does not work, or must not be published.
    case error

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Reads a severity as users write it. `info`, the name of ``note`` until 1.1, is accepted for
    /// one release.
    public init?(parsing text: String) {
        self.init(rawValue: text == "info" ? "note" : text)
    }

    /// Whether `left` is less severe.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
}

/// One finding about a document: what is wrong, where, and the remedy.
///
/// Findings are collected as values, not thrown as errors at the first one.
public struct Diagnostic: Sendable, Hashable {
    /// A stable name in kebab case for scripts, such as `json-trailing-comma`.
    public let code: String
    /// The severity; a configuration may have changed it.
    public private(set) var severity: Severity
    /// What is wrong, as one sentence without a full stop.
    public let message: String
    /// The remedy, if known.
    public let remedy: String?
    /// The edits that carry out the remedy, if it leaves no choice. Whether they are safe,
    /// ``Fixer`` decides.
    public let fix: [TextEdit]?
    /// The name of the source (see ``SourceText/name``) or of the file that could not be read.
    public let file: String
    /// The affected bytes; nil if the finding is about the file as a whole.
    public let range: Range<Int>?
    /// Where ``range`` begins; nil when the finding is about the file as a whole.
    public let start: SourcePosition?
    /// The position after the last byte of ``range``.
    public let end: SourcePosition?
    /// The line of ``start``, shortened if it is long.
    public let sourceLine: String?
    /// The column at which ``sourceLine`` begins: 1 unless it was shortened.
    public let sourceLineColumn: Int
    /// Related places, such as the first of two conflicting definitions.
    public let related: [Related]

    /// Findings of one code that are counted but not listed, if this finding reports them.
    public private(set) var omission: Omission?

    /// How many findings of a code are not listed; see `findings-omitted`.
    public struct Omission: Sendable, Hashable {
        /// The code of the findings that are not listed.
        public let code: String
        /// Their severity.
        public let severity: Severity
        /// Their number.
        public let count: Int
    }

    /// A second place of a finding.
    public struct Related: Sendable, Hashable {
        /// How this place relates to the finding, as one sentence without a full stop.
        public let message: String
        /// The name of the source (see ``SourceText/name``).
        public let file: String
        /// Its bytes; nil for the file as a whole.
        public let range: Range<Int>?
        /// Where ``range`` begins; nil without one.
        public let start: SourcePosition?

        /// A place in a source, or without a range the whole source.
        public init(message: String, source: SourceText, range: Range<Int>?) {
            self.message = message
            self.file = source.name
            self.range = range
            self.start = range.map { source.position(at: $0.lowerBound) }
        }

        /// A file as a whole.
        public init(message: String, file: String) {
            self.init(message: message, source: SourceText(name: file, bytes: []), range: nil)
        }
    }

    /// A finding at a place in a source, or without a range about the whole source.
    public init(
        code: String, severity: Severity, message: String, remedy: String? = nil,
        fix: [TextEdit]? = nil, source: SourceText, range: Range<Int>?, related: [Related] = []
    ) {
        let excerpt = range.map { source.excerpt(at: $0.lowerBound) }
        self.code = code
        self.severity = severity
        self.message = Self.cut(message)
        self.remedy = remedy
        self.fix = fix
        self.file = source.name
        self.range = range
        self.start = range.map { source.position(at: $0.lowerBound) }
        self.end = range.map { source.position(at: $0.upperBound) }
        self.sourceLine = excerpt?.text
        self.sourceLineColumn = excerpt?.firstColumn ?? 1
        self.related = related
    }

    /// A finding about a file as a whole.
    public init(
        code: String, severity: Severity, message: String, remedy: String? = nil, file: String,
        related: [Related] = [], omission: Omission? = nil
    ) {
        self.init(
            code: code, severity: severity, message: message, remedy: remedy,
            source: SourceText(name: file, bytes: []), range: nil, related: related)
        self.omission = omission
    }

    /// The same finding with another severity, as set by a configuration of the linter.
    public func rated(_ severity: Severity) -> Diagnostic {
        var copy = self
        copy.severity = severity
        return copy
    }

    /// Messages quote the document, and a quoted string may be as long as the document.
    private static func cut(_ message: String) -> String {
        guard message.utf8.count > 600 else { return message }
        let scalars = message.unicodeScalars
        return String(scalars.prefix(320)) + " … " + String(scalars.suffix(200))
    }
}

extension Diagnostic: CustomStringConvertible {
    /// `file:line:column: severity: message [code]`, the format that editors and CI systems
    /// recognize.
    public var description: String {
        "\(place): \(severity.rawValue): \(message) [\(code)]"
    }

    /// `file:line:column`.
    package var place: String { start.map { "\(file):\($0)" } ?? file }
}

extension Diagnostic.Related {
    /// `file:line:column`.
    package var place: String { start.map { "\(file):\($0)" } ?? file }
}
