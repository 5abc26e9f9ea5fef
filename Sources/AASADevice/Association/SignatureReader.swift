package import OpenSSL

extension SignedDocument {
    /// A reader that verifies with the system's roots and those of a file.
    ///
    /// - Parameters:
    ///   - authorityFile: additional trusted certificates, PEM.
    ///   - now: seconds since 1970.
    package static func reader(authorityFile: String?, now: Int64) -> Reader {
        let trust = authorityFile.map { TLSClientSettings.Trust.systemAndFile($0) } ?? .system
        return { bytes, host, era in
            let report = CMSVerifier.verify(bytes, host: host, trust: trust, now: now)
            return SignedDocument(payload: report.payload ?? [], problem: report.problem(in: era))
        }
    }
}

extension CMSReport {
    /// Why a device of the era rejects the signed form; nil if it accepts it. Two rules of the
    /// verifier have a time: the limit of size began with iOS 9.3.1, and iOS 13 ended the Common
    /// Name.
    package func problem(in era: Era) -> String? {
        let rules = era.rules
        let problem = findings.first { finding in
            switch finding.code {
            case .fileTooLarge, .payloadTooLarge: rules.bytesMaximum != nil
            case .commonName: !rules.acceptsCommonName
            case .newAlgorithm: rules.requiresSignature
            default: finding.isError
            }
        }
        if let problem { return problem.message }
        return isSignatureGood ? nil : "the signature could not be checked"
    }

    /// Why it is not known whether systems read the file; nil if it is known. What Apple documents
    /// is DER.
    package var doubt: String? {
        let doubtful: Set<CMSFindingCode> = [.berStream, .notDER, .trailingBytes]
        return findings.first { doubtful.contains($0.code) }.map {
            "whether systems read such a signed file: \($0.message)"
        }
    }
}
