internal import COpenSSL

/// The parameters of a new certificate, for ``LocalAuthority`` and tests of broken certificates.
package struct CertificateTemplate: Sendable {
    package enum Key: Sendable, Hashable {
        case ecdsaP256
        case rsa(bits: Int)
    }

    package var commonName: String
    /// Host names (optionally with a leading `*.`) and IP addresses.
    package var names: [String] = []
    package var key: Key = .ecdsaP256
    package var isAuthority = false
    /// Seconds since 1970.
    package var notBefore: Int64
    /// Seconds since 1970.
    package var notAfter: Int64
    /// Extended key usage, in OpenSSL's syntax; nil omits it.
    package var purpose: String? = "serverAuth"
    /// The URL of the issuer's certificate (AIA).
    package var issuerLocation: String?
    /// The digest of the key authorization, for TLS-ALPN-01.
    package var acmeIdentifier: [UInt8]?
    /// Whether to add "must staple" (RFC 7633), which makes clients reject a certificate without
    /// OCSP.
    package var mustStaple = false

    package init(commonName: String, names: [String] = [], notBefore: Int64, notAfter: Int64) {
        self.commonName = commonName
        self.names = names
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Creates a key and a certificate for it.
    ///
    /// - Parameters:
    ///   - issuer: the issuer; `nil` for a self-signed certificate.
    ///   - existing: the key to certify, instead of a new one.
    /// - Returns: a pair whose chain is the new certificate, followed by the issuer's chain without
    ///   its root.
    /// - Throws: ``OpenSSLError``.
    package func make(
        issuer: CertificatePair?, for existing: PrivateKey? = nil
    ) throws(OpenSSLError) -> CertificatePair {
        let key = if let existing { existing } else { try PrivateKey.make(key) }
        let certificate = try sign(key, issuer)
        let rest = issuer?.chain.filter { !$0.isSelfSigned } ?? []
        return CertificatePair(
            chain: [certificate] + rest, key: key, chainName: commonName, keyName: commonName)
    }

    private func sign(
        _ key: PrivateKey, _ issuer: CertificatePair?
    ) throws(OpenSSLError) -> Certificate {
        guard names.allSatisfy(CertificateTemplate.isName), (acmeIdentifier?.count ?? 32) == 32,
            let x509 = X509_new()
        else {
            throw OpenSSLError(
                doing: "making a certificate for \(names.joined(separator: ", "))",
                remedy: "Use letters, digits, dots, hyphens and a leading `*.` in names.")
        }
        defer { X509_free(x509) }
        var serial = randomBytes(16)
        serial[0] = serial[0] & 0x7f | 0x40  // positive, and always 16 bytes
        guard let number = BN_bin2bn(serial, Int32(serial.count), nil) else {
            throw OpenSSLError(doing: "making a serial number")
        }
        defer { BN_free(number) }
        let subject = X509_get_subject_name(x509)
        var good = X509_set_version(x509, Int(X509_VERSION_3)) == 1
        good = good && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x509)) != nil
        good = good && ASN1_TIME_set(X509_getm_notBefore(x509), Int(notBefore)) != nil
        good = good && ASN1_TIME_set(X509_getm_notAfter(x509), Int(notAfter)) != nil
        // MBSTRING_UTF8; a common name has at most 64 characters (X.520). The names have their own
        // extension.
        let short = String(commonName.prefix(64))
        good =
            good && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, short, -1, -1, 0) == 1
        let issuerName = issuer.map { X509_get_subject_name($0.leaf.handle) } ?? subject
        good = good && X509_set_issuer_name(x509, issuerName) == 1
        good = good && X509_set_pubkey(x509, key.handle) == 1
        for (name, value) in extensions where good {
            good = add(name, value, to: x509, issuer?.leaf.handle ?? x509)
        }
        let signer = issuer?.key ?? key
        guard good, X509_sign(x509, signer.handle, EVP_sha256()) > 0 else {
            throw OpenSSLError(doing: "making a certificate for \(commonName)")
        }
        // Parse the encoded form again, so that the object holds exactly what others will read.
        guard let finished = X509_dup(x509) else {
            throw OpenSSLError(doing: "encoding the certificate for \(commonName)")
        }
        return Certificate(owning: finished)
    }

    /// In OpenSSL's syntax (x509v3_config(5)).
    private var extensions: [(String, String)] {
        var list = [("subjectKeyIdentifier", "hash"), ("authorityKeyIdentifier", "keyid")]
        if isAuthority {
            list.append(("basicConstraints", "critical,CA:TRUE"))
            list.append(("keyUsage", "critical,keyCertSign,cRLSign"))
        } else {
            list.append(("basicConstraints", "critical,CA:FALSE"))
            list.append(("keyUsage", "critical,digitalSignature"))
            if let purpose { list.append(("extendedKeyUsage", purpose)) }
        }
        if !names.isEmpty {
            let entries = names.map { (TLSSession.isAddress($0) ? "IP:" : "DNS:") + $0 }
            list.append(("subjectAltName", entries.joined(separator: ",")))
        }
        if mustStaple { list.append(("tlsfeature", "status_request")) }
        if let issuerLocation {
            list.append(("authorityInfoAccess", "caIssuers;URI:\(issuerLocation)"))
        }
        if let acmeIdentifier {
            // RFC 8737 section 3: an OCTET STRING of the 32 bytes.
            list.append(("1.3.6.1.5.5.7.1.31", "critical,DER:0420" + hexadecimal(acmeIdentifier)))
        }
        return list
    }

    private func add(
        _ name: String, _ value: String, to x509: OpaquePointer, _ issuer: OpaquePointer
    ) -> Bool {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, x509, nil, nil, 0)
        guard let made = X509V3_EXT_nconf(nil, &context, name, value) else { return false }
        defer { X509_EXTENSION_free(made) }
        return X509_add_ext(x509, made, -1) == 1
    }

    /// Whether a name has no character that could start another entry in OpenSSL's configuration
    /// syntax.
    package static func isName(_ name: String) -> Bool {
        let bare = name.utf8.starts(with: "*.".utf8) ? String(name.dropFirst(2)) : name
        guard !bare.isEmpty, bare.utf8.count <= 253 else { return false }
        return bare.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || ".-:".contains($0))
        }
    }
}
