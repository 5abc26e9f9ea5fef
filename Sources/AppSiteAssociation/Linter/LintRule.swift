/// The evidence for a rule: how certain it is that a device behaves as the rule says.
public enum LintConfidence: String, Sendable, CaseIterable {
    /// Documented by Apple (or, for sibling documents, by the owner of their format).
    case documented
    /// Shown by the published output of Apple's `swcutil`.
    case appleTool = "apple-tool"
    /// Observed in public by independent people.
    case observed
    /// A third party's analysis of the system; not documented.
    case reported
    /// Good practice: nothing breaks.
    case advice
}

/// A document that demonstrates a rule: its file name determines its type.
public struct LintExample: Sendable {
    /// The file name for linting, for instance `apple-app-site-association`.
    public let file: String
    /// The document, without its padding.
    public let bytes: [UInt8]
    /// Blanks after the bytes, for the rules about size.
    public let padding: Int
    /// Further files of the same host that the finding requires (a second team's fragment).
    public let companions: [LintExample]

    /// Size of the signed form, for the rule about it.
    public let signedSize: Int?

    init(
        bytes: [UInt8], file: String, padding: Int = 0, companions: [LintExample] = [],
        signedSize: Int? = nil
    ) {
        self.bytes = bytes
        self.file = file
        self.padding = padding
        self.companions = companions
        self.signedSize = signedSize
    }

    init(_ text: String, file: String, companions: [LintExample] = []) {
        self.init(bytes: Array(text.utf8), file: file, companions: companions)
    }

    /// The document as text; invalid UTF-8 becomes U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The linter's findings for this document (not for its companions).
    ///
    /// - Parameter now: seconds since 1970, for what depends on the date.
    public func lint(now: Int? = nil) -> [Diagnostic] {
        // Of two conflicting fragments, the later one gets the finding.
        let files = companions + [self]
        return Linter.lintHost(
            files.map(\.lintFile), options: LintOptions(now: now, signedSize: signedSize)
        ).filter { $0.file == file }
    }

    /// `teams/PREFIX.json` is a fragment of the example's host, `HOST/…` a document of that host.
    private var lintFile: LintFile {
        let parts = file.split(separator: "/").map(String.init)
        let isFragment = parts.count == 2 && parts[1].hasSuffix(".json")
        return LintFile(
            source, host: isFragment ? "example.com" : parts.count == 2 ? parts[0] : nil,
            team: isFragment ? String(parts[1].dropLast(5)) : nil)
    }

    /// The complete document for the linter.
    public var source: SourceText {
        SourceText(
            name: file, bytes: bytes + [UInt8](repeating: UInt8(ascii: " "), count: padding))
    }
}

/// One rule of the linter, as printed by `aasa lint --explain CODE`.
public struct LintRule: Sendable {
    package let entry: CodeEntry

    init(_ entry: CodeEntry) { self.entry = entry }

    /// Stable name; never reused for another rule.
    public var code: String { entry.code }
    /// The severity of its findings.
    public var severity: Severity { entry.severity }
    /// One line without a full stop.
    public var title: String { entry.title }
    /// What happens on a device, and why.
    public var explanation: String { entry.why }
    /// The suggested fix.
    public var remedy: String { entry.remedy }
    /// What a device does with a document that violates it, if it is an error.
    public var deviceAnswer: String? { entry.device }
    /// Its evidence: documented, observed, or advice.
    public var standing: LintConfidence { entry.standing ?? .advice }
    /// The source: Apple page, RFC, or the observation.
    public var source: String { entry.source }
    /// The web page of the source.
    public var page: String { entry.page }
    /// A document that violates it.
    public var bad: LintExample { entry.bad?.document ?? LintExample("", file: "") }
    /// The same without the violation.
    public var good: LintExample { entry.good?.document ?? LintExample("", file: "") }
}
