package import AppSiteAssociation

extension LoadReport {
    /// Why a machine does not follow its fleet to the revision that this load read; nil: it does.
    ///
    /// - Parameter judgesCertificates: they came with the revision. A machine's own are its own
    ///   matter: what is wrong with them is no reason to stay behind the fleet. Nor is a host that
    ///   cannot be signed: only a host that is served gets its certificate ordered.
    package func refusal(judgesCertificates: Bool) -> String? {
        if judgesCertificates, let finding = certificates.first(where: \.isError) {
            return finding.problem.cause
        }
        let findings = findings.flatMap(\.findings).filter {
            $0.severity == .error && (judgesCertificates || !$0.needsOwnCertificate)
        }
        return findings.first.map { finding in
            let place = finding.start.map { "\(finding.file):\($0)" } ?? finding.file
            return "\(place): \(finding.message)"
        }
    }
}

extension Diagnostic {
    /// Whether a machine's own certificate decides it, which a publisher does not see.
    package var needsOwnCertificate: Bool { code == "site-cannot-sign" }
}
