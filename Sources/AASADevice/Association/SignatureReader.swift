import OpenSSL

extension SignedDocument {
    /// A reader that verifies with the system's roots and those of a file.
    ///
    /// - Parameters:
    ///   - authorityFile: additional trusted certificates, PEM.
    ///   - now: seconds since 1970.
    package static func reader(authorityFile: String?, now: Int64) -> Reader {
        let trust = authorityFile.map { TLSClientSettings.Trust.systemAndFile($0) } ?? .system
        return { bytes, host in
            let report = CMSVerifier.verify(bytes, host: host, trust: trust, now: now)
            let problem = report.findings.first(where: \.isError)?.message
            return SignedDocument(
                payload: report.payload ?? [],
                problem: report.isGood ? nil : problem ?? "the signature could not be checked")
        }
    }
}
