import AppSiteAssociation
import OpenSSL

/// What `aasa verify` knows of a signed file, as findings of `aasa lint`.
enum SignedFindings {
    /// - Parameters:
    ///   - host: the name that the signer has to cover; nil: that is said to be unknown.
    ///   - cacert: roots for the chain, beside the machine's; nil: that is said to be unknown.
    static func evaluate(
        _ source: SourceText, host: String?, now: Int64, cacert: String?
    ) -> [Diagnostic] {
        let trust: TLSClientSettings.Trust = cacert.map { .systemAndFile($0) } ?? .none
        let report = CMSVerifier.verify(source.bytes, host: host, trust: trust, now: now)
        // A signer below a root needs no intermediate: without roots nobody can tell.
        let judgedByRoots: Set<CMSFindingCode> = [.untrusted, .missingIntermediate]
        let known = report.findings.filter { cacert != nil || !judgedByRoots.contains($0.code) }
        var findings = known.map {
            Diagnostic(
                code: "cms-\($0.code.rawValue)", severity: $0.isError ? .error : .warning,
                message: $0.message, remedy: $0.remedy, file: source.name)
        }
        var open: [String] = []
        if host == nil { open.append("whether the signer covers the host (--host HOST)") }
        if cacert == nil { open.append("whether its chain is trusted (--cacert FILE)") }
        if !open.isEmpty {
            findings.append(
                Diagnostic(
                    code: "cms-not-checked", severity: .note,
                    message: "not looked at: " + open.joined(separator: "; "),
                    remedy: "name them, or ask aasa verify", file: source.name))
        }
        return findings
    }
}
