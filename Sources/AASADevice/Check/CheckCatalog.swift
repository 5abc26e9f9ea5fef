package import AppSiteAssociation
package import OpenSSL

/// The codes of `aasa check`, of signed files and of builds. Those about documents are the
/// linter's.
///
/// They are stable: scripts and alerts depend on them. A test compares them with the literals of
/// this target.
package enum CheckCatalog {
    /// Read on first use, from the files of the folders `Catalog`.
    package static let table = CodeTable(.checkCatalog)

    package static func entry(_ code: String) -> CodeEntry? { table[code] }

    /// Why a finding matters, also one about the document.
    static func why(_ code: String) -> String? {
        (table[code] ?? RuleCatalog.rule(code))?.why
    }
}

extension Diagnostic {
    /// A finding about a host or a build.
    ///
    /// - Parameters:
    ///   - subject: what it is about: a URL, with address or agent if relevant, or a build.
    ///   - fix: the word of a particular case in the catalogue; otherwise the fix of the code.
    ///   - remedy: a fix that names what was found.
    init(
        _ code: String, _ message: String, subject: String, fix: String? = nil,
        remedy: String? = nil, severity: Severity? = nil
    ) {
        let entry = CheckCatalog.entry(code)
        let remedy = remedy ?? fix.flatMap { entry?.remedies[$0] } ?? entry?.remedy ?? ""
        self.init(
            code: code, severity: severity ?? entry?.severity ?? .error, message: message,
            remedy: remedy.isEmpty ? nil : remedy, file: subject)
    }

    /// A finding about a signed file.
    package init(_ finding: CMSReport.Finding, file: String) {
        self.init(
            code: "cms-\(finding.code.rawValue)", severity: finding.isError ? .error : .warning,
            message: finding.message, remedy: finding.remedy, file: file)
    }
}
