package import AppSiteAssociation
import OpenSSL

/// The texts of a code: the same for every host.
package struct CheckEntry: Sendable {
    package let code: String
    package let severity: Severity
    /// What was found.
    package let what: String
    /// Why it matters to devices.
    package let why: String
    /// What to change.
    package let remedy: String

    init(_ code: String, _ severity: Severity, _ what: String, _ why: String, _ remedy: String) {
        self.code = code
        self.severity = severity
        self.what = what
        self.why = why
        self.remedy = remedy
    }

    init(
        _ code: CheckCode, _ severity: Severity, _ what: String, why: String, remedy: String
    ) {
        self.init(code.rawValue, severity, what, why, remedy)
    }
}

/// All possible findings.
package enum CheckCatalog {
    package static let all: [CheckEntry] =
        addresses + tls + answers + statuses + redirects + agents + devices + documents + signatures
        + cdn
        + siblings + watching

    private static let byCode = Dictionary(
        all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    package static func entry(_ code: String) -> CheckEntry? { byCode[code] }

    static func entry(_ code: CheckCode) -> CheckEntry {
        byCode[code.rawValue]
            ?? CheckEntry(code, .error, code.rawValue, why: "", remedy: "")
    }

    /// Codes with the same first word or containing the text, for an unknown code.
    package static func similar(to code: String) -> [String] {
        let group = code.prefix { $0 != "-" }
        return all.map(\.code).filter { $0.hasPrefix(group) || $0.contains(code) }
    }

    /// The linter's rules under this command's names.
    private static let documents: [CheckEntry] =
        [
            CheckEntry(
                .documentAppNotListed, .error, "The document does not list the app asked for",
                why:
                    "A device associates only apps whose identifier stands in the document, "
                    + "letter by "
                    + "letter.",
                remedy: "Add PREFIX.bundle.id to the service, with the prefix of the App ID."),
            CheckEntry(
                .documentMore, .warning, "The document has more findings than are shown",
                why: "Many faults of one kind are told by the first ones.",
                remedy: "Save the document and run aasa lint, which shows all of them."),
        ]
        + RuleCatalog.all.map { rule in
            CheckEntry(
                documentCode(rule.code), rule.severity, rule.title, rule.explanation, rule.remedy)
        }

    /// `json-html` and `app-id-placeholder` become `document-html` and
    /// `document-app-id-placeholder`.
    package static func documentCode(_ lintCode: String) -> String {
        "document-" + (lintCode.hasPrefix("json-") ? String(lintCode.dropFirst(5)) : lintCode)
    }

    static func signedCode(_ code: CMSFindingCode) -> String { "signed-" + code.rawValue }
}

/// One finding about a host.
package struct CheckFinding: Sendable, Hashable {
    package let code: String
    package let severity: Severity
    /// What is wrong here: one sentence without a full stop.
    package let message: String
    /// What to change here.
    package let remedy: String
    /// The object of the request: a URL, with address or agent if relevant.
    package let subject: String

    init(
        _ code: CheckCode, _ message: String, subject: String, remedy: String? = nil,
        severity: Severity? = nil
    ) {
        let entry = CheckCatalog.entry(code)
        self.code = code.rawValue
        self.severity = severity ?? entry.severity
        self.message = message
        self.remedy = remedy ?? entry.remedy
        self.subject = subject
    }

    init(
        code: String, severity: Severity, message: String, remedy: String, subject: String
    ) {
        self.code = code
        self.severity = severity
        self.message = message
        self.remedy = remedy
        self.subject = subject
    }
}
