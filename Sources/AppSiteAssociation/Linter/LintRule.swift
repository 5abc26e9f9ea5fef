/// What stands behind a rule: how sure one can be that a device behaves as the rule says.
public enum LintStanding: String, Sendable, CaseIterable {
    /// Documented by Apple (or, for sibling documents, by the owner of their format).
    case documented
    /// Shown by the published output of Apple's own `swcutil`.
    case appleTool = "apple-tool"
    /// Observed in public by independent people.
    case observed
    /// A third party's reading of the system's behaviour; not promised by anybody.
    case reported
    /// Good practice: nothing breaks, but people regret it.
    case advice
}

/// A document that shows a rule at work: its file name tells the linter what it is.
public struct LintExample: Sendable {
    /// Name under which the text is linted, for instance `apple-app-site-association`.
    public let file: String
    /// The document, without its padding.
    public let bytes: [UInt8]
    /// Blanks that follow the bytes, for the rules about size.
    public let padding: Int
    /// Further files of the same host that the finding needs (a second team's fragment).
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

    /// An association document in bytes that are no text.
    init(bytes: [UInt8]) {
        self.init(bytes: bytes, file: "apple-app-site-association")
    }

    /// The document as text; bytes that are not UTF-8 come out as U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// What the linter says of this document (not of its companions).
    ///
    /// - Parameter now: seconds since 1970, for what depends on the date.
    public func lint(now: Int? = nil) -> [Diagnostic] {
        // Of two fragments that clash, the later is reported.
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

    /// The whole document, ready to be linted.
    public var source: SourceText {
        SourceText(
            name: file, bytes: bytes + [UInt8](repeating: UInt8(ascii: " "), count: padding))
    }

    /// An association document with one `applinks` entry of one app and these further members.
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

    /// An association document of one app in the old form with these paths.
    static func paths(_ list: String) -> LintExample { entry("\"paths\": [\(list)]") }

    /// A document whose only content is one identifier under `webcredentials`.
    static func app(_ identifier: String) -> LintExample {
        LintExample("{ \"webcredentials\": { \"apps\": [\"\(identifier)\"] } }\n")
    }
}

/// One rule of the linter: what `aasa lint --explain CODE` prints.
public struct LintRule: Sendable {
    /// Stable name; never reused for something else.
    public let code: String
    /// How much its findings matter.
    public let severity: Severity
    /// One line without a full stop.
    public let title: String
    /// What happens on a device, and why.
    public let explanation: String
    /// What to do.
    public let remedy: String
    /// How well it stands: documented, observed, or advice.
    public let standing: LintStanding
    /// Where it is written: Apple page, RFC, or the observation.
    public let source: String
    /// A document that breaks it.
    public let bad: LintExample
    /// The same without the fault.
    public let good: LintExample

    init(
        _ code: String, _ severity: Severity, _ title: String, why explanation: String,
        fix remedy: String, _ standing: LintStanding, _ source: String, bad: LintExample,
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
