package import AppSiteAssociation
package import OpenSSL

/// What `aasa verify` finds in a signed file, as findings of the linter.
package struct SignedFindings {
    package let findings: [Diagnostic]
    /// The signer's certificate, and nil if there is none or the file holds no document.
    package let signer: CertificateSummary?

    /// - Parameters:
    ///   - host: the name that the signer has to cover; nil: a note says that it is unknown.
    ///   - now: seconds since 1970, for dates; nil: they are not checked.
    ///   - authorities: a file of roots for the chain, besides the machine's; nil: a note says that
    ///     it is unknown. The machine's own roots are not those of devices.
    package init(_ source: SourceText, host: String?, now: Int64?, authorities: String?) {
        let trust: TLSClientSettings.Trust = authorities.map { .systemAndFile($0) } ?? .none
        let report = CMSVerifier.verify(source.bytes, host: host, trust: trust, now: now ?? 0)
        // A signer below a root needs no intermediate: without roots this is unknown.
        let needRoots: Set<CMSFindingCode> = [.untrusted, .missingIntermediate]
        let known = report.findings.filter {
            (authorities != nil || !needRoots.contains($0.code))
                && (now != nil || $0.check != .dates)
        }
        var findings = known.map {
            let isCertain = $0.check != .chain || authorities != nil
            return Diagnostic(
                code: "cms-\($0.code.rawValue)",
                severity: $0.isError && isCertain ? .error : .warning,
                message: $0.message, remedy: $0.remedy, file: source.name)
        }
        var open: [String] = []
        if host == nil { open.append("whether the signer covers the host (--host HOST)") }
        if authorities == nil { open.append("whether its chain is trusted (--cacert FILE)") }
        if !open.isEmpty {
            findings.append(
                Diagnostic(
                    code: "cms-not-checked", severity: .note,
                    message: "not checked: " + open.joined(separator: "; "),
                    remedy: "pass these options, or run aasa verify", file: source.name))
        }
        self.findings = findings
        signer = report.payload == nil ? nil : report.signer
    }
}
