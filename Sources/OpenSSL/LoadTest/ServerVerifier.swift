internal import COpenSSL

/// Verifies a server's part of a TLS 1.3 handshake outside of a session: its chain for a name, and
/// its signature. For load tests, which verify a sample. Belongs to one thread.
package final class ServerVerifier {
    private let store: OpaquePointer
    private let name: String
    private let library: TLSLibrary

    /// - Parameters:
    ///   - trust: the roots.
    ///   - name: the host or address that the certificate must cover.
    /// - Throws: ``OpenSSLError`` if the roots cannot be read.
    package init(
        trust: TLSClientSettings.Trust, name: String, library: TLSLibrary
    ) throws(OpenSSLError) {
        ERR_clear_error()
        guard let store = X509_STORE_new() else {
            throw OpenSSLError(doing: "making a store of certificates")
        }
        self.store = store
        self.name = name
        self.library = library
        try TrustStore.fill(store, trust)
    }

    deinit { X509_STORE_free(store) }

    /// Whether the chain (DER, leaf first) leads to a root, is valid now, and covers the name.
    package func accepts(_ chain: [[UInt8]]) -> Bool {
        let certificates = chain.compactMap { Certificate.load(der: $0) }
        guard let leaf = certificates.first, certificates.count == chain.count,
            let context = X509_STORE_CTX_new_ex(library.handle, nil),
            let untrusted = COpenSSL_sk_X509_new_null()
        else { return false }
        defer {
            COpenSSL_sk_X509_free(untrusted)
            X509_STORE_CTX_free(context)
            ERR_clear_error()
        }
        for certificate in certificates.dropFirst() {
            COpenSSL_sk_X509_push(untrusted, certificate.handle)
        }
        guard X509_STORE_CTX_init(context, store, leaf.handle, untrusted) == 1,
            X509_STORE_CTX_set_default(context, "ssl_server") == 1,
            let parameters = X509_STORE_CTX_get0_param(context)
        else { return false }
        // As in a session (TLSClientSettings.securityLevel).
        X509_VERIFY_PARAM_set_auth_level(parameters, 2)
        X509_VERIFY_PARAM_set_hostflags(
            parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        let isSet =
            TLSSession.isAddress(name)
            ? X509_VERIFY_PARAM_set1_ip_asc(parameters, name)
            : X509_VERIFY_PARAM_set1_host(parameters, name, 0)
        return isSet == 1 && X509_verify_cert(context) == 1
    }

    /// Whether the signature was made with the leaf's key.
    ///
    /// - Parameters:
    ///   - leaf: in DER.
    ///   - scheme: the signature scheme's number (RFC 8446 section 4.2.3).
    ///   - content: the signed bytes.
    package func verifies(
        _ signature: UnsafeRawBufferPointer, by leaf: [UInt8], scheme: UInt16,
        of content: UnsafeRawBufferPointer
    ) -> Bool {
        guard let scheme = SignatureScheme(rawValue: scheme),
            let certificate = Certificate.load(der: leaf),
            let key = X509_get0_pubkey(certificate.handle),
            EVP_PKEY_is_a(key, scheme.keyType) == 1,
            let context = EVP_MD_CTX_new()
        else { return false }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        var settings: OpaquePointer?
        guard
            EVP_DigestVerifyInit_ex(
                context, &settings, scheme.digest, library.handle, nil, key, nil) == 1
        else { return false }
        if scheme.isPSS {
            guard EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_pss_saltlen(settings, RSA_PSS_SALTLEN_DIGEST) == 1
            else { return false }
        }
        return EVP_DigestVerify(
            context, signature.bindMemory(to: UInt8.self).baseAddress, signature.count,
            content.bindMemory(to: UInt8.self).baseAddress, content.count) == 1
    }
}

/// The signature schemes of TLS 1.3 servers, for the keys that ``CertificatePair`` accepts.
package enum SignatureScheme: UInt16, CaseIterable, Sendable {
    case ecdsaP256SHA256 = 0x0403
    case ecdsaP384SHA384 = 0x0503
    case rsaPSSSHA256 = 0x0804
    case rsaPSSSHA384 = 0x0805
    case rsaPSSSHA512 = 0x0806

    var isPSS: Bool { self != .ecdsaP256SHA256 && self != .ecdsaP384SHA384 }
    var keyType: String { isPSS ? "RSA" : "EC" }
    var digest: String {
        switch self {
        case .ecdsaP256SHA256, .rsaPSSSHA256: "SHA256"
        case .ecdsaP384SHA384, .rsaPSSSHA384: "SHA384"
        case .rsaPSSSHA512: "SHA512"
        }
    }
}
