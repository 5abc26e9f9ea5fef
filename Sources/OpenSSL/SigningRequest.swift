internal import COpenSSL

/// A certificate signing request (PKCS #10, RFC 2986) with host names only: the authority decides
/// the rest.
package enum SigningRequest {
    /// - Parameter names: DNS names; the subject is empty, as authorities ignore names in it.
    /// - Returns: DER.
    /// - Throws: ``OpenSSLError``, also for a name that is not allowed in a certificate.
    package static func make(
        names: [String], key: PrivateKey
    ) throws(OpenSSLError) -> [UInt8] {
        TLSLibrary.prepare()
        ERR_clear_error()
        guard !names.isEmpty, names.allSatisfy(CertificateTemplate.isName),
            let request = X509_REQ_new()
        else {
            throw OpenSSLError(
                cause: "no certificate can be requested for the names "
                    + names.joined(separator: ", "),
                remedy: "Use letters, digits, dots, hyphens and a leading `*.` in names.")
        }
        defer { X509_REQ_free(request) }
        let list = names.map { (TLSSession.isAddress($0) ? "IP:" : "DNS:") + $0 }
            .joined(separator: ",")
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, nil, nil, request, nil, 0)
        let extensions = COpenSSL_sk_X509_EXTENSION_new_null()
        defer { COpenSSL_sk_X509_EXTENSION_pop_free(extensions) }
        guard X509_REQ_set_version(request, 0) == 1,
            X509_REQ_set_pubkey(request, key.handle) == 1,
            let alternatives = X509V3_EXT_nconf_nid(nil, &context, NID_subject_alt_name, list)
        else { throw OpenSSLError(doing: "making a signing request for \(list)") }
        guard COpenSSL_sk_X509_EXTENSION_push(extensions, alternatives) > 0 else {
            X509_EXTENSION_free(alternatives)
            throw OpenSSLError(doing: "making a signing request for \(list)")
        }
        guard X509_REQ_add_extensions(request, extensions) == 1,
            X509_REQ_sign(request, key.handle, EVP_sha256()) > 0
        else { throw OpenSSLError(doing: "making a signing request for \(list)") }
        let encoded = derEncoding { i2d_X509_REQ(request, $0) }
        guard !encoded.isEmpty else { throw OpenSSLError(doing: "encoding a signing request") }
        return encoded
    }
}
