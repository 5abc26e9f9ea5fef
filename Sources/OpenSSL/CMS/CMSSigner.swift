internal import COpenSSL

/// Creates the signed form of an association file (Apple, "Supporting Universal Links", iOS 8):
/// DER CMS SignedData (RFC 5652) with the document embedded byte for byte.
package enum CMSSigner {
    /// Signs a document.
    ///
    /// The document is attached without canonicalization. There are no signed attributes, so the
    /// signature covers the document itself. The digest is SHA-256. The signer's intermediates are
    /// included, the root is not.
    ///
    /// - Parameter pair: the certificate of the host, with its chain and key.
    /// - Throws: ``OpenSSLError``.
    package static func sign(
        _ document: [UInt8], with pair: CertificatePair
    ) throws(OpenSSLError) -> [UInt8] {
        ERR_clear_error()
        let flags = COpenSSL_CMS_FLAGS_SIGN()
        let action = "signing with \(pair.chainName)"
        if case .other(let type) = pair.leaf.summary.keyType {
            throw OpenSSLError(
                cause: "\(action): iOS 8 reads no signature by a key of type \(type)",
                remedy: "Use a certificate with an ECDSA P-256 key, or an RSA key of 2048 bits.")
        }
        guard let cms = CMS_sign(nil, nil, nil, nil, flags) else {
            throw OpenSSLError(doing: action)
        }
        defer { CMS_ContentInfo_free(cms) }
        let signer = pair.leaf.handle
        guard CMS_add1_signer(cms, signer, pair.key.handle, EVP_sha256(), flags) != nil else {
            throw OpenSSLError(
                doing: action, remedy: "Use a key and a certificate that belong together.")
        }
        var included: Set<[UInt8]> = [pair.leaf.der]
        for certificate in pair.chain.dropFirst()
        where !certificate.isSelfSigned && included.insert(certificate.der).inserted {
            guard CMS_add1_cert(cms, certificate.handle) == 1 else {
                throw OpenSSLError(doing: action)
            }
        }
        let content = MemoryBIO(reading: document)
        let encoded = MemoryBIO()
        guard CMS_final(cms, content.handle, nil, flags) == 1,
            i2d_CMS_bio(encoded.handle, cms) == 1
        else { throw OpenSSLError(doing: action) }
        return encoded.bytes
    }
}
