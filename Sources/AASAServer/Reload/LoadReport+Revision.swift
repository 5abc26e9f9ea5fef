package import AppSiteAssociation

extension LoadReport {
    /// Why a machine does not follow its fleet to the revision that this load read; nil: it does.
    ///
    /// An expired certificate or signature is none: it comes only with time, on every server of the
    /// revision already, and one host's must not keep a fresh machine from serving the others. A
    /// running machine keeps what is better; health and the log say it everywhere.
    ///
    /// - Parameter judgesCertificates: they came with the revision. A machine's own are its own
    ///   matter: what is wrong with them is no reason to stay behind the fleet. Nor is a host that
    ///   cannot be signed: only a host that is served gets its certificate ordered, and what is
    /// wrong with one that is judged is reported separately.
    package func refusal(judgesCertificates: Bool) -> String? {
        if judgesCertificates,
            let finding = certificates.first(where: { $0.isError && !$0.isOfDates })
        {
            return finding.problem.cause
        }
        let findings = findings.flatMap(\.findings).filter {
            $0.severity == .error && !$0.needsOwnCertificate && !Self.ends.contains($0.code)
        }
        return findings.first?.line
    }

    /// The findings that a date alone brings.
    private static let ends: Set<String> = [
        "cms-expired", "cms-not-yet-valid", "site-signature-ended",
    ]
}

extension Diagnostic {
    /// Whether a machine's own certificate decides it, which a publisher does not see.
    package var needsOwnCertificate: Bool { code == "site-cannot-sign" }
}
