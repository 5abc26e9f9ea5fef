/// A private certificate authority, for trials and tests: an ECDSA P-256 root and leaf certificates
/// signed by it. Devices trust it only after it is installed there.
package struct LocalAuthority: Sendable {
    /// The root with its key.
    package let pair: CertificatePair

    /// 10 years: a root installed on test devices should outlast the project.
    package static let rootLife: Int64 = 3650 * 86_400
    /// 90 days, as from public authorities; Apple's clients accept at most 398.
    package static let leafLife: Int64 = 90 * 86_400
    /// Certificates begin an hour early, for clocks that run behind.
    package static let backdating: Int64 = 3600

    package init(pair: CertificatePair) { self.pair = pair }

    /// Creates a new root.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: ``OpenSSLError``.
    package static func make(now: Int64) throws(OpenSSLError) -> LocalAuthority {
        var plan = CertificateTemplate(
            commonName: "aasa local CA \(DateText.day(now))",
            notBefore: now - backdating, notAfter: now + rootLife)
        plan.isAuthority = true
        return LocalAuthority(pair: try plan.make(issuer: nil))
    }

    /// Issues a leaf certificate for the names, with a key of the given type.
    ///
    /// - Throws: ``OpenSSLError``, also for a name that is not allowed in a certificate.
    package func issue(
        names: [String], key: CertificateTemplate.Key, now: Int64, life: Int64 = leafLife
    ) throws(OpenSSLError) -> CertificatePair {
        var plan = CertificateTemplate(
            commonName: names.first ?? "", names: names,
            notBefore: max(now - LocalAuthority.backdating, pair.leaf.summary.notBefore),
            notAfter: min(now + life, pair.leaf.summary.notAfter))
        plan.key = key
        return try plan.make(issuer: pair)
    }
}
