package import AppSiteAssociation
package import OpenSSL

extension CodeEntry {
    init(
        _ code: CheckCode, _ severity: Severity, _ title: String, why: String, remedy: String
    ) {
        self.init(code.rawValue, severity, title, why: why, fix: remedy)
    }
}

/// The codes of `aasa check` and of signed files. Those about documents are the linter's.
package enum CheckCatalog {
    package static let families = [
        CodeEntry.Family("addresses", addresses), CodeEntry.Family("TLS", tls),
        CodeEntry.Family("answers", answers), CodeEntry.Family("statuses", statuses),
        CodeEntry.Family("redirects", redirects), CodeEntry.Family("user agents", agents),
        CodeEntry.Family("devices", devices), CodeEntry.Family("live documents", documents),
        CodeEntry.Family("signed files", signatures), CodeEntry.Family("Apple's CDN", cdn),
        CodeEntry.Family("siblings", siblings), CodeEntry.Family("watching", watching),
    ]

    package static let all = families.flatMap(\.entries)

    private static let byCode = Dictionary(
        all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    package static func entry(_ code: String) -> CodeEntry? { byCode[code] }

    /// Why a finding matters, also one about the document.
    static func why(_ code: String) -> String? {
        byCode[code]?.why ?? RuleCatalog.rule(code)?.explanation
    }

    static func entry(_ code: CheckCode) -> CodeEntry {
        byCode[code.rawValue]
            ?? CodeEntry(code.rawValue, .error, code.rawValue, why: "", fix: "")
    }

    /// Documents, beyond the linter's rules.
    private static let documents: [CodeEntry] = [
        CodeEntry(
            .documentAppNotListed, .error, "The document does not list the app asked for",
            why: "A device associates only apps whose identifier stands in the document, letter by "
                + "letter.",
            remedy: "Add PREFIX.bundle.id to the service, with the prefix of the App ID."),
        CodeEntry(
            .documentMore, .warning, "The document has more findings than are shown",
            why: "Many faults of one kind are told by the first ones.",
            remedy: "Save the document and run aasa lint, which shows all of them."),
    ]
}

extension Diagnostic {
    /// A finding about a host.
    ///
    /// - Parameters:
    ///   - subject: the object of the request: a URL, with address or agent if relevant.
    ///   - remedy: for this particular case; otherwise that of the code.
    init(
        _ code: CheckCode, _ message: String, subject: String, remedy: String? = nil,
        severity: Severity? = nil
    ) {
        let entry = CheckCatalog.entry(code)
        let remedy = remedy ?? entry.remedy
        self.init(
            code: code.rawValue, severity: severity ?? entry.severity, message: message,
            remedy: remedy.isEmpty ? nil : remedy, file: subject)
    }

    /// A finding about a signed file.
    package init(_ finding: CMSReport.Finding, file: String) {
        let code = "cms-\(finding.code.rawValue)"
        let usual = CheckCatalog.entry(code)?.severity ?? .warning
        self.init(
            code: code, severity: finding.isError ? .error : usual, message: finding.message,
            remedy: finding.remedy, file: file)
    }
}
