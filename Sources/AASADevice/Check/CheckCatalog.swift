package import AppSiteAssociation
package import OpenSSL

/// The codes of `aasa check` and of signed files. Those about documents are the linter's.
package enum CheckCatalog {
    /// Read on first use, from the files of the folder `Catalog`.
    package static let table = CodeTable([
        PackageResources.addresses_txt, PackageResources.tls_txt, PackageResources.answers_txt,
        PackageResources.statuses_txt, PackageResources.redirects_txt,
        PackageResources.user_agents_txt, PackageResources.devices_txt,
        PackageResources.live_documents_txt, PackageResources.signed_files_txt,
        PackageResources.cdn_txt, PackageResources.siblings_txt, PackageResources.watching_txt,
    ])

    package static func entry(_ code: String) -> CodeEntry? { table[code] }

    /// Why a finding matters, also one about the document.
    static func why(_ code: String) -> String? {
        (table[code] ?? RuleCatalog.rule(code))?.why
    }

    static func entry(_ code: CheckCode) -> CodeEntry {
        table[code.rawValue] ?? CodeEntry(unknown: code.rawValue)
    }
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
        self.init(
            code: "cms-\(finding.code.rawValue)", severity: finding.isError ? .error : .warning,
            message: finding.message, remedy: finding.remedy, file: file)
    }
}
