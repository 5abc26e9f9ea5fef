internal import COpenSSL

extension PrivateKey {
    /// Creates a new key with the library's random numbers.
    ///
    /// - Throws: ``OpenSSLError``.
    package static func make(_ kind: CertificateTemplate.Key) throws(OpenSSLError) -> PrivateKey {
        TLSLibrary.prepare()
        ERR_clear_error()
        let handle =
            switch kind {
            case .ecdsaP256: COpenSSL_EVP_EC_gen("P-256")
            case .rsa(let bits): COpenSSL_EVP_RSA_gen(UInt32(clamping: bits))
            }
        guard let handle else { throw OpenSSLError(doing: "making a private key") }
        return PrivateKey(owning: handle)
    }

    /// The public point of a P-256 key, 32 bytes per coordinate (RFC 7518 section 6.2.1).
    ///
    /// - Throws: ``OpenSSLError`` for a key of another kind.
    package func publicPoint() throws(OpenSSLError) -> (x: [UInt8], y: [UInt8]) {
        guard type == .ecdsa(curve: "prime256v1"), let x = coordinate("qx"),
            let y = coordinate("qy")
        else {
            throw OpenSSLError(cause: "the key is \(type), not ECDSA P-256", remedy: nil)
        }
        return (x, y)
    }

    private func coordinate(_ name: String) -> [UInt8]? {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(handle, name, &number) == 1, let number else {
            ERR_clear_error()
            return nil
        }
        defer { BN_free(number) }
        return Self.padded(number)
    }

    /// 32 bytes, big-endian.
    private static func padded(_ number: OpaquePointer?) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 32)
        return BN_bn2binpad(number, &bytes, 32) == 32 ? bytes : nil
    }

    /// ES256: ECDSA on P-256 with SHA-256, as two numbers of 32 bytes (RFC 7518 section 3.4), not
    /// as DER.
    ///
    /// - Throws: ``OpenSSLError`` for a key of another kind.
    package func es256(_ message: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        guard type == .ecdsa(curve: "prime256v1") else {
            throw OpenSSLError(cause: "the key is \(type), not ECDSA P-256", remedy: nil)
        }
        ERR_clear_error()
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        // DER of two numbers below 2^256 has at most 72 bytes.
        var count = 128
        var encoded = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle) == 1,
            EVP_DigestSign(context, &encoded, &count, message, message.count) == 1
        else { throw OpenSSLError(doing: "signing") }
        let signature = encoded.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var cursor = bytes.baseAddress
            return d2i_ECDSA_SIG(nil, &cursor, count)
        }
        defer { ECDSA_SIG_free(signature) }
        guard let signature, let r = Self.padded(ECDSA_SIG_get0_r(signature)),
            let s = Self.padded(ECDSA_SIG_get0_s(signature))
        else { throw OpenSSLError(doing: "encoding a signature") }
        return r + s
    }
}

/// HMAC with SHA-256 (RFC 2104).
package func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { buffer, used in
        var length = 0
        let made = EVP_Q_mac(
            nil, "HMAC", nil, "SHA256", nil, key, key.count, message, message.count,
            buffer.baseAddress, 32, &length)
        used = made == nil ? 0 : length
    }
}

/// Random bytes for keys, nonces and tokens: the kernel's, which cannot fail.
package func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in .random(in: .min ... .max, using: &generator) }
}
