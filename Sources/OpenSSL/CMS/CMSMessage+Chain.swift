internal import COpenSSL

extension CMSMessage {
    /// Checks the chain to a trusted root, and separately the dates.
    func checkChain(
        of signer: Certificate, trust: TLSClientSettings.Trust, now: Int64,
        _ report: inout CMSReport
    ) {
        checkDates(signer, now, &report)
        let dated = ChainCheck.run(signer, untrusted: certificates, trust: trust, at: now)
        if case .success(X509_V_OK) = dated { return report.answer(.chain, .good) }
        switch ChainCheck.run(signer, untrusted: certificates, trust: trust) {
        case .failure(let error): report.answer(.chain, .unknown("\(error)"))
        case .success(X509_V_OK):
            report.answer(.chain, .good)
            // An authority that is not in the file expires as well.
            let isKnown = report.findings.contains { $0.check == .dates && $0.isError }
            if !isKnown, case .success(let code) = dated {
                report.find(
                    .expired, .dates,
                    "an authority above the signer's certificate is not valid now: "
                        + String(cString: X509_verify_cert_error_string(Int(code))),
                    remedy: "Sign with a certificate of an authority that is valid.")
            }
        case .success(let code): explain(code, signer, &report)
        }
    }

    private func explain(_ code: Int32, _ signer: Certificate, _ report: inout CMSReport) {
        let issuer = signer.summary.issuer
        let hasIssuer = certificates.contains { $0 !== signer && signer.isIssued(by: $0) }
        switch code {
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            report.find(
                .selfSigned, .chain, "the signer's certificate is self-signed",
                remedy: "Sign with the host's TLS certificate from a public authority.")
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
            if hasIssuer {
                report.find(
                    .untrusted, .chain,
                    "the chain does not lead to an authority that this machine trusts",
                    remedy: "If you use a private authority, name its certificate: --cacert FILE.")
            } else {
                report.find(
                    .missingIntermediate, .chain,
                    "the issuer of the signer's certificate (\(issuer)) is not in the file, and this machine does not trust it",
                    remedy:
                        "Include the intermediates (-certfile chain.pem, or `aasa sign` with the full chain). If you use a private authority, name its certificate: --cacert FILE."
                )
            }
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
            report.find(
                .untrusted, .chain, "the chain leads to a root that this machine does not trust",
                remedy: "If you use a private authority, name its certificate: --cacert FILE.")
        case X509_V_ERR_INVALID_PURPOSE:
            report.find(
                .wrongPurpose, .chain, "the signer's certificate is not for TLS servers",
                remedy: "Sign with the host's TLS certificate (extended key usage serverAuth).")
        case X509_V_ERR_CERT_SIGNATURE_FAILURE:
            report.find(
                .badChain, .chain,
                "a certificate in the file does not have its issuer's signature: it was damaged, or an authority of the same name issued it",
                remedy: "Copy the file again as binary, or sign again with a fresh certificate.")
        default:
            report.find(
                .badChain, .chain,
                "the chain is not valid: "
                    + String(cString: X509_verify_cert_error_string(Int(code))),
                remedy: "Get a new certificate with its full chain and sign again.")
        }
    }

    private func checkDates(_ signer: Certificate, _ now: Int64, _ report: inout CMSReport) {
        report.answer(.dates, .good)
        let others = certificates.filter { $0 !== signer }
        for (index, certificate) in ([signer] + others).enumerated() {
            let summary = certificate.summary
            let what =
                index == 0 ? "the signer's certificate" : "the certificate \(summary.subject)"
            if now >= summary.notAfter {
                report.find(
                    .expired, .dates, "\(what) expired on \(DateText.day(summary.notAfter))",
                    remedy:
                        "Sign again with the renewed certificate; `aasa serve` does so automatically."
                )
            } else if now < summary.notBefore {
                report.find(
                    .notYetValid, .dates,
                    "\(what) is not valid before \(DateText.day(summary.notBefore))",
                    remedy: "Check the clock, or sign with the certificate in use.")
            } else if index == 0,
                (summary.notAfter - now) < (summary.notAfter - summary.notBefore) / 4
            {
                report.find(
                    .endsSoon, .dates,
                    "\(what) expires on \(DateText.day(summary.notAfter)), and clients reject the file from then on",
                    remedy: "Renew the certificate and sign again before that day.")
            }
        }
    }
}

/// Verifies a chain against trusted roots for the purpose of a TLS server.
enum ChainCheck {
    /// - Parameter now: seconds since 1970; nil: dates are ignored.
    static func run(
        _ leaf: Certificate, untrusted: [Certificate], trust: TLSClientSettings.Trust,
        at now: Int64? = nil
    ) -> Result<Int32, OpenSSLError> {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let store = X509_STORE_new(), let context = X509_STORE_CTX_new(),
            let stack = COpenSSL_sk_X509_new_null()
        else { return .failure(OpenSSLError(doing: "checking a chain")) }
        defer {
            X509_STORE_CTX_free(context)
            COpenSSL_sk_X509_free(stack)
            X509_STORE_free(store)
        }
        do {
            try TrustStore.fill(store, trust)
        } catch {
            return .failure(error)
        }
        for certificate in untrusted { COpenSSL_sk_X509_push(stack, certificate.handle) }
        guard X509_STORE_CTX_init(context, store, leaf.handle, stack) == 1,
            X509_STORE_CTX_set_purpose(context, X509_PURPOSE_SSL_SERVER) == 1
        else { return .failure(OpenSSLError(doing: "checking a chain")) }
        if let now {
            X509_STORE_CTX_set_time(context, 0, Int(now))
        } else {
            X509_STORE_CTX_set_flags(context, UInt(X509_V_FLAG_NO_CHECK_TIME))
        }
        if X509_verify_cert(context) == 1 { return .success(X509_V_OK) }
        return .success(X509_STORE_CTX_get_error(context))
    }
}

/// Adds the trusted roots to a store.
enum TrustStore {
    static func fill(
        _ store: OpaquePointer?, _ trust: TLSClientSettings.Trust
    ) throws(OpenSSLError) {
        switch trust {
        case .none: return
        case .system: try system(store)
        case .file(let path): try file(store, path)
        case .systemAndFile(let path):
            try system(store)
            try file(store, path)
        case .certificates(let certificates):
            for certificate in certificates
            where X509_STORE_add_cert(store, certificate.handle) != 1 {
                throw OpenSSLError(doing: "trusting \(certificate.summary.subject)")
            }
        }
    }

    private static func system(_ store: OpaquePointer?) throws(OpenSSLError) {
        guard X509_STORE_set_default_paths(store) == 1 else {
            throw OpenSSLError(doing: "reading the system's trusted certificates")
        }
    }

    private static func file(_ store: OpaquePointer?, _ path: String) throws(OpenSSLError) {
        guard X509_STORE_load_file(store, path) == 1 else {
            throw OpenSSLError(
                doing: "reading the trusted certificates in \(path)",
                remedy: "It has to be a PEM file with at least one certificate.")
        }
    }
}
