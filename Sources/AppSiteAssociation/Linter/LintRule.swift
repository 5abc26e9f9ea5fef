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

    /// An association document.
    init(_ text: String, padding: Int = 0, signedSize: Int? = nil) {
        self.init(
            bytes: Array(text.utf8), file: "apple-app-site-association", padding: padding,
            signedSize: signedSize)
    }

    /// An association document whose bytes are not text.
    init(bytes: [UInt8]) {
        self.init(bytes: bytes, file: "apple-app-site-association")
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

    /// An association document with one `applinks` entry for one app and these further members.
    static func entry(_ members: String, applinks: String = "") -> LintExample {
        let more = applinks.isEmpty ? "" : applinks + ",\n    "
        return LintExample(
            """
            {
              "applinks": {
                \(more)"details": [
                  {
                    "appIDs": ["9JA89QQLNQ.com.example.shop"],
                    \(members)
                  }
                ]
              }
            }

            """)
    }

    /// An association document whose one entry has these components.
    static func components(_ list: String, applinks: String = "") -> LintExample {
        entry("\"components\": [\(list)]", applinks: applinks)
    }

    /// An association document with one app in the old form with these paths.
    static func paths(_ list: String) -> LintExample { entry("\"paths\": [\(list)]") }

    /// A document whose only content is one identifier under `webcredentials`.
    static func app(_ identifier: String) -> LintExample {
        LintExample("{ \"webcredentials\": { \"apps\": [\"\(identifier)\"] } }\n")
    }
}

/// One rule of the linter, as printed by `aasa lint --explain CODE`.
public struct LintRule: Sendable {
    /// Stable name; never reused for another rule.
    public let code: String
    /// The severity of its findings.
    public let severity: Severity
    /// One line without a full stop.
    public let title: String
    /// What happens on a device, and why.
    public let explanation: String
    /// The remedy.
    public let remedy: String
    /// Its evidence: documented, observed, or advice.
    public let standing: LintConfidence
    /// The source: Apple page, RFC, or the observation.
    public let source: String
    /// A document that violates it.
    public let bad: LintExample
    /// The same without the violation.
    public let good: LintExample

    init(
        _ code: String, _ severity: Severity, _ title: String, why explanation: String,
        fix remedy: String, _ standing: LintConfidence, _ source: String, bad: LintExample,
        good: LintExample
    ) {
        self.code = code
        self.severity = severity
        self.title = title
        self.explanation = explanation
        self.remedy = remedy
        self.standing = standing
        self.source = source
        self.bad = bad
        self.good = good
    }
}
