internal import COpenSSL

/// One X.509 certificate. Immutable, and so safe to share.
package final class Certificate: @unchecked Sendable {
    let handle: OpaquePointer
    /// The encoded certificate.
    package let der: [UInt8]
    package let summary: CertificateSummary

    /// Takes ownership of the reference.
    init(owning handle: OpaquePointer) {
        self.handle = handle
        der = derEncoding { i2d_X509(handle, $0) }
        summary = CertificateSummary(handle, der: der)
    }

    deinit { X509_free(handle) }

    /// Loads every certificate of a PEM file, in order; other blocks are skipped.
    ///
    /// - Parameter name: the file's name, for messages.
    /// - Throws: ``OpenSSLError`` if a block is damaged or there is no certificate.
    package static func load(pem: [UInt8], name: String) throws(OpenSSLError) -> [Certificate] {
        TLSLibrary.prepare()
        ERR_clear_error()
        let bio = MemoryBIO(reading: pem)
        var certificates: [Certificate] = []
        while let handle = PEM_read_bio_X509(bio.handle, nil, nil, nil) {
            certificates.append(Certificate(owning: handle))
        }
        // OpenSSL reports the end of the file as "no start line"; anything else is a damaged block.
        let last = ERR_peek_last_error()
        let ended =
            COpenSSL_ERR_GET_LIB(last) == ERR_LIB_PEM
            && COpenSSL_ERR_GET_REASON(last) == PEM_R_NO_START_LINE
        if !ended {
            throw OpenSSLError(
                doing: "reading certificate \(certificates.count + 1) of \(name)",
                remedy: "Copy the file again: the PEM block is damaged or cut off.")
        }
        ERR_clear_error()
        if certificates.isEmpty {
            throw OpenSSLError(
                cause: "\(name) holds no certificate",
                remedy: pem.first == 0x30
                    ? "Convert it, because it seems to be DER: openssl x509 -inform DER -in \(name)."
                    : "Use a PEM file: -----BEGIN CERTIFICATE-----.")
        }
        return certificates
    }

    /// The certificate as PEM.
    package var pem: [UInt8] {
        let bio = MemoryBIO()
        PEM_write_bio_X509(bio.handle, handle)
        return bio.bytes
    }

    /// How a host name is compared (RFC 6125). Apple's clients since iOS 13 ignore the common name
    /// (support.apple.com/103769); before, it counted without a DNS name among the alternatives.
    static func nameFlags(_ acceptsCommonName: Bool) -> UInt32 {
        UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
            | (acceptsCommonName ? 0 : UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
    }

    /// Whether the certificate covers a host name.
    ///
    /// - Parameter acceptsCommonName: as systems before iOS 13 do.
    package func covers(_ host: String, acceptsCommonName: Bool = false) -> Bool {
        let flags = Certificate.nameFlags(acceptsCommonName)
        defer { ERR_clear_error() }
        return X509_check_host(handle, host, host.utf8.count, flags, nil) == 1
    }

    /// Whether a moment (seconds since 1970) is within the certificate's life.
    package func isValid(at now: Int64) -> Bool {
        summary.notBefore <= now && now < summary.notAfter
    }

    /// Whether `issuer` is the issuer of this certificate and its key verifies the signature.
    package func isIssued(by issuer: Certificate) -> Bool {
        guard X509_check_issued(issuer.handle, handle) == X509_V_OK,
            let key = X509_get0_pubkey(issuer.handle)
        else { return false }
        defer { ERR_clear_error() }
        return X509_verify(handle, key) == 1
    }

    /// Whether the certificate is self-signed, like a root.
    package var isSelfSigned: Bool {
        X509_get_extension_flags(handle) & UInt32(EXFLAG_SS) != 0
    }

    /// Whether the certificate is a CA certificate.
    package var isAuthority: Bool { X509_check_ca(handle) > 0 }

    /// Whether the certificate may be used for TLS servers.
    package var isForServers: Bool { X509_check_purpose(handle, X509_PURPOSE_SSL_SERVER, 0) == 1 }

    /// Whether the extended key usage lists `serverAuth` (RFC 5280 section 4.2.1.12). Without that
    /// extension a certificate may be used for everything, but not with Apple's systems.
    package var listsServerUse: Bool {
        let usage = X509_get_extended_key_usage(handle)
        return usage != UInt32.max && usage & UInt32(XKU_SSL_SERVER) != 0
    }

    /// The digest of the issuer's signature by its OpenSSL name, such as `SHA256`; nil if there is
    /// none of its own (Ed25519), or an unknown one.
    package var signatureDigest: String? {
        var digest = NID_undef
        guard X509_get_signature_info(handle, &digest, nil, nil, nil) == 1, digest != NID_undef
        else { return nil }
        return OBJ_nid2sn(digest).map { String(cString: $0) }
    }

    /// Whether the certificate gives the location of its issuer's (AIA, RFC 5280 4.2.2.1).
    package var namesIssuerLocation: Bool { X509_get_ext_by_NID(handle, NID_info_access, -1) >= 0 }

    /// The certificates of a stack, each with a reference of its own.
    static func all(in stack: OpaquePointer) -> [Certificate] {
        (0..<COpenSSL_sk_X509_num(stack)).compactMap { index in
            COpenSSL_sk_X509_value(stack, index).map {
                X509_up_ref($0)
                return Certificate(owning: $0)
            }
        }
    }
}

/// What an `i2d` function of OpenSSL writes; empty if it fails.
func derEncoding(
    _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) -> [UInt8] {
    let count = Int(write(nil))
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
        var cursor = buffer.baseAddress
        used = max(0, Int(write(&cursor)))
    }
}

/// The octets of an ASN.1 string; nil if there is none.
func octets(of string: UnsafePointer<ASN1_STRING>?) -> [UInt8]? {
    guard let string, let start = ASN1_STRING_get0_data(string) else { return nil }
    return Array(UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(string))))
}
