internal import COpenSSL

/// AES-256-GCM (NIST SP 800-38D): modified data, or data of another name, fails to decrypt.
package enum AuthenticatedCipher {
    package static let keyBytes = 32
    /// 96 bits, random for every message. With 2³² messages per key the probability of a repeated
    /// nonce is 2⁻³³ (SP 800-38D section 8.3); a fleet encrypts some thousand.
    package static let nonceBytes = 12
    package static let tagBytes = 16

    /// Returns nonce, ciphertext and tag, concatenated.
    ///
    /// - Parameter associated: authenticated but not encrypted; must be the same to open.
    /// - Throws: ``OpenSSLError``.
    package static func seal(
        _ plaintext: [UInt8], key: [UInt8], associated: [UInt8]
    ) throws(OpenSSLError) -> [UInt8] {
        let nonce = randomBytes(nonceBytes)
        let context = try begin(key, nonce, encrypts: true, associated)
        defer { EVP_CIPHER_CTX_free(context) }
        var tag = [UInt8](repeating: 0, count: tagBytes)
        guard let ciphertext = finish(context, plaintext),
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, Int32(tagBytes), &tag) == 1
        else { throw OpenSSLError(doing: "encrypting") }
        return nonce + ciphertext + tag
    }

    /// Nil unless the bytes were sealed with this key and these associated data.
    package static func open(
        _ sealed: [UInt8], key: [UInt8], associated: [UInt8]
    ) -> [UInt8]? {
        guard sealed.count >= nonceBytes + tagBytes,
            let context = try? begin(
                key, Array(sealed[..<nonceBytes]), encrypts: false, associated)
        else { return nil }
        defer {
            EVP_CIPHER_CTX_free(context)
            ERR_clear_error()
        }
        var tag = Array(sealed.suffix(tagBytes))
        guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, Int32(tagBytes), &tag) == 1 else {
            return nil
        }
        return finish(context, Array(sealed[nonceBytes..<(sealed.count - tagBytes)]))
    }

    /// Encrypts or decrypts everything; nil if that fails, or the tag does not fit.
    private static func finish(_ context: OpaquePointer, _ input: [UInt8]) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: input.count + 16)
        var count: Int32 = 0
        var last: Int32 = 0
        guard EVP_CipherUpdate(context, &output, &count, input, Int32(input.count)) == 1,
            output.withUnsafeMutableBufferPointer({
                EVP_CipherFinal_ex(context, $0.baseAddress?.advanced(by: Int(count)), &last)
            }) == 1
        else { return nil }
        return Array(output[..<Int(count + last)])
    }

    private static func begin(
        _ key: [UInt8], _ nonce: [UInt8], encrypts: Bool, _ associated: [UInt8]
    ) throws(OpenSSLError) -> OpaquePointer {
        guard key.count == keyBytes, nonce.count == nonceBytes else {
            throw OpenSSLError(
                cause: "the key has \(key.count) bytes", remedy: "Use a key of 32 bytes.")
        }
        TLSLibrary.prepare()
        ERR_clear_error()
        var count: Int32 = 0
        guard let context = EVP_CIPHER_CTX_new() else {
            throw OpenSSLError(doing: "making a cipher")
        }
        guard
            EVP_CipherInit_ex(
                context, EVP_aes_256_gcm(), nil, key, nonce, encrypts ? 1 : 0) == 1,
            EVP_CipherUpdate(context, nil, &count, associated, Int32(associated.count)) == 1
        else {
            EVP_CIPHER_CTX_free(context)
            throw OpenSSLError(doing: "starting AES-256-GCM")
        }
        return context
    }
}
