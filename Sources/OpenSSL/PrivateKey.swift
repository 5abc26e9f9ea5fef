internal import COpenSSL

/// A private key. Its bytes never appear in a description, message or log.
package final class PrivateKey: @unchecked Sendable {
    let handle: OpaquePointer
    package let type: KeyType

    /// Takes ownership of the reference.
    init(owning handle: OpaquePointer) {
        self.handle = handle
        type = KeyType(handle)
    }

    deinit { EVP_PKEY_free(handle) }

    /// Loads the first private key of a PEM file (PKCS #8, PKCS #1 or SEC 1).
    ///
    /// - Parameter name: the file's name, for messages.
    /// - Throws: ``OpenSSLError`` if there is none, or it is damaged or encrypted.
    package static func load(pem: [UInt8], name: String) throws(OpenSSLError) -> PrivateKey {
        TLSLibrary.prepare()
        ERR_clear_error()
        defer { ERR_clear_error() }
        if let handle = unencryptedPKCS8(pem) { return PrivateKey(owning: handle) }
        ERR_clear_error()
        let bio = MemoryBIO(reading: pem)
        // Without a callback OpenSSL would prompt for a passphrase on the terminal.
        var asked = false
        let handle = withUnsafeMutablePointer(to: &asked) { flag in
            PEM_read_bio_PrivateKey(
                bio.handle, nil,
                { _, _, _, flag in
                    flag?.assumingMemoryBound(to: Bool.self).pointee = true
                    return -1
                }, flag)
        }
        if let handle { return PrivateKey(owning: handle) }
        if asked {
            throw OpenSSLError(
                cause: "the key in \(name) is encrypted with a passphrase",
                remedy:
                    "Write it without a passphrase, readable only by the server: openssl pkey -in \(name) -out privkey.pem."
            )
        }
        if let found = contents(pem) {
            throw OpenSSLError(cause: "\(name) \(found.what)", remedy: found.remedy(name))
        }
        throw OpenSSLError(
            doing: "reading the private key in \(name)",
            remedy: "Use a key in PEM (openssl pkey -in FILE checks it).")
    }

    /// What a file without a key holds, where that can be told: OpenSSL calls all of it
    /// "unsupported".
    private static func contents(
        _ bytes: [UInt8]
    ) -> (what: String, remedy: (String) -> String)? {
        let again = "Write the whole file again: write it beside the old one and rename it."
        if bytes.isEmpty { return ("is empty", { _ in again }) }
        if bytes.first == 0x30, bytes.contains(where: { $0 >= 0x80 }) {
            return (
                "is not PEM; it seems to be DER",
                { "Convert it: openssl pkey -inform DER -in \($0)." }
            )
        }
        // Damaged: OpenSSL says how, and no copy of it is made.
        if bytes.firstRange(of: Array("PRIVATE KEY".utf8)) != nil { return nil }
        let begin = "-----BEGIN "
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard let first = lines.first(where: { $0.hasPrefix(begin) }) else {
            return ("holds no key", { _ in "Use a PEM file: -----BEGIN PRIVATE KEY-----." })
        }
        let kind = first.dropFirst(begin.count).prefix { $0 == " " || $0.isLetter }
        return (
            "holds a \(kind), not a private key",
            { _ in "Put the key that the certificate was requested with into this file." }
        )
    }

    private static let pkcs8Begin = Array("-----BEGIN PRIVATE KEY-----".utf8)

    /// Parses the form of nearly all key files (RFC 7468 section 10); `nil` for another form, or a
    /// damaged one.
    ///
    /// The decoder gets the format. Otherwise OpenSSL 3.0 tries all its decoders: 0.5 to 0.8 ms
    /// per key instead of 0.1 to 0.2, and sites have a thousand hosts.
    private static func unencryptedPKCS8(_ pem: [UInt8]) -> OpaquePointer? {
        guard pem.starts(with: pkcs8Begin) else { return nil }
        let bio = MemoryBIO(reading: pem)
        guard let info = PEM_read_bio_PKCS8_PRIV_KEY_INFO(bio.handle, nil, nil, nil) else {
            return nil
        }
        // Freeing also wipes it.
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        var algorithm: OpaquePointer?
        guard PKCS8_pkey_get0(&algorithm, nil, nil, nil, info) == 1 else { return nil }
        let type: String
        switch OBJ_obj2nid(algorithm) {
        case NID_X9_62_id_ecPublicKey: type = "EC"
        case NID_rsaEncryption: type = "RSA"
        default: return nil
        }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = i2d_PKCS8_PRIV_KEY_INFO(info, &encoded)
        guard count > 0, let encoded else { return nil }
        defer {
            OPENSSL_cleanse(encoded, Int(count))
            CRYPTO_free(encoded, nil, 0)
        }
        var handle: OpaquePointer?
        guard
            let context = OSSL_DECODER_CTX_new_for_pkey(
                &handle, "DER", "PrivateKeyInfo", type, COpenSSL_EVP_PKEY_KEYPAIR(), nil, nil)
        else { return nil }
        defer { OSSL_DECODER_CTX_free(context) }
        var rest: UnsafePointer<UInt8>? = UnsafePointer(encoded)
        var left = Int(count)
        guard OSSL_DECODER_from_data(context, &rest, &left) == 1 else {
            EVP_PKEY_free(handle)
            return nil
        }
        return handle
    }

    /// Whether the key belongs to the certificate's public key.
    package func matches(_ certificate: Certificate) -> Bool {
        defer { ERR_clear_error() }
        return X509_check_private_key(certificate.handle, handle) == 1
    }

    /// The unencrypted key as PKCS #8 PEM. Only for a file with mode 0600.
    package func unencryptedPEM() -> [UInt8] {
        let bio = MemoryBIO()
        PEM_write_bio_PKCS8PrivateKey(bio.handle, handle, nil, nil, 0, nil, nil)
        return bio.bytes
    }

    /// A copy in another library context, so that workers share no lock.
    ///
    /// It is copied by parameters rather than an encoding: OpenSSL 3.0 tries all its decoders for
    /// each key that it decodes, 0.3 ms per key, and sites have a thousand hosts.
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
