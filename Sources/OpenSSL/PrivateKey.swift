internal import COpenSSL

/// A private key. Its bytes never appear in a description, message or log.
package final class PrivateKey: @unchecked Sendable {
    let handle: OpaquePointer
    package let type: KeyType

    /// Takes over the reference.
    init(owning handle: OpaquePointer) {
        self.handle = handle
        type = KeyType(handle)
    }

    deinit { EVP_PKEY_free(handle) }

    /// Reads the first private key of a PEM file (PKCS #8, PKCS #1 or SEC 1).
    ///
    /// - Parameter name: the file's name, for messages.
    /// - Throws: ``OpenSSLError`` when there is none, or it is damaged or encrypted.
    package static func load(pem: [UInt8], name: String) throws(OpenSSLError) -> PrivateKey {
        TLSLibrary.prepare()
        ERR_clear_error()
        let bio = MemoryBIO(reading: pem)
        // Without a callback OpenSSL would ask for a passphrase on the terminal and wait.
        var asked = false
        let handle = withUnsafeMutablePointer(to: &asked) { flag in
            PEM_read_bio_PrivateKey(
                bio.handle, nil,
                { _, _, _, flag in
                    flag?.assumingMemoryBound(to: Bool.self).pointee = true
                    return -1
                }, flag)
        }
        if let handle {
            ERR_clear_error()
            return PrivateKey(owning: handle)
        }
        if asked {
            ERR_clear_error()
            throw OpenSSLError(
                cause: "the key in \(name) is encrypted with a passphrase",
                remedy: "Write it without one, readable by the server alone: "
                    + "openssl pkey -in \(name) -out privkey.pem.")
        }
        throw OpenSSLError(
            doing: "reading the private key in \(name)",
            remedy: "It has to be a key in PEM (openssl pkey -in FILE shows it).")
    }

    /// Whether the certificate's public key belongs to this key.
    package func matches(_ certificate: Certificate) -> Bool {
        let good = X509_check_private_key(certificate.handle, handle) == 1
        if !good { ERR_clear_error() }
        return good
    }

    /// The key, not encrypted, as PKCS #8 PEM. For writing it to a file with mode 0600 alone.
    package func unencryptedPEM() -> [UInt8] {
        let bio = MemoryBIO()
        PEM_write_bio_PKCS8PrivateKey(bio.handle, handle, nil, nil, 0, nil, nil)
        return bio.bytes
    }

    /// A copy in another library context, so that a worker never takes a lock of another.
    ///
    /// Through parameters rather than an encoding: OpenSSL 3.0 searches all its decoders for each
    /// key that it decodes, 0.3 ms a key, and sites have a thousand hosts.
    func copy(into library: TLSLibrary) throws(OpenSSLError) -> PrivateKey {
        ERR_clear_error()
        var parameters: UnsafeMutablePointer<OSSL_PARAM>?
        guard EVP_PKEY_todata(handle, COpenSSL_EVP_PKEY_KEYPAIR(), &parameters) == 1,
            let first = parameters
        else { throw OpenSSLError(doing: "copying a private key") }
        defer {
            var parameter = first
            while parameter.pointee.key != nil {
                OPENSSL_cleanse(parameter.pointee.data, parameter.pointee.data_size)
                parameter += 1
            }
            OSSL_PARAM_free(first)
        }
        var copy: OpaquePointer?
        guard let name = EVP_PKEY_get0_type_name(handle),
            let context = EVP_PKEY_CTX_new_from_name(library.handle, name, nil)
        else { throw OpenSSLError(doing: "copying a private key") }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_fromdata_init(context) == 1,
            EVP_PKEY_fromdata(context, &copy, COpenSSL_EVP_PKEY_KEYPAIR(), first) == 1, let copy
        else { throw OpenSSLError(doing: "copying a private key") }
        return PrivateKey(owning: copy)
    }
}
