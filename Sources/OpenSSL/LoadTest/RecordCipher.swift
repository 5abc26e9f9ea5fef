internal import COpenSSL

/// AES-128-GCM for TLS 1.3 records of many connections of one thread: the contexts are created
/// once, each record sets its key.
package final class RecordCipher {
    package static let tagBytes = 16

    /// The key of one direction of a connection (RFC 8446 section 5.3).
    package struct Key: Sendable {
        package let key: SIMD2<UInt64>
        /// The 12 bytes of the IV, after four zero bytes.
        package let iv: SIMD2<UInt64>
        /// The sequence number of the next record.
        package var sequence: UInt64 = 0

        /// - Parameters:
        ///   - key: 16 bytes.
        ///   - iv: 12 bytes, the last of 16.
        package init(key: SIMD2<UInt64>, iv: SIMD2<UInt64>) {
            self.key = key
            self.iv = iv
        }

        /// The next record's nonce: the IV with the sequence number XORed into its last eight
        /// bytes.
        mutating func nextNonce() -> SIMD2<UInt64> {
            defer { sequence &+= 1 }
            return iv ^ SIMD2(0, sequence.bigEndian)
        }
    }

    private let sealing: OpaquePointer
    private let opening: OpaquePointer

    /// - Throws: ``OpenSSLError`` if memory is short.
    package init(library: TLSLibrary) throws(OpenSSLError) {
        ERR_clear_error()
        guard let cipher = EVP_CIPHER_fetch(library.handle, "AES-128-GCM", nil),
            let sealing = EVP_CIPHER_CTX_new()
        else { throw OpenSSLError(doing: "making AES-128-GCM") }
        defer { EVP_CIPHER_free(cipher) }
        guard let opening = EVP_CIPHER_CTX_new() else {
            EVP_CIPHER_CTX_free(sealing)
            throw OpenSSLError(doing: "making AES-128-GCM")
        }
        self.sealing = sealing
        self.opening = opening
        guard EVP_EncryptInit_ex2(sealing, cipher, nil, nil, nil) == 1,
            EVP_DecryptInit_ex2(opening, cipher, nil, nil, nil) == 1
        else { throw OpenSSLError(doing: "making AES-128-GCM") }
    }

    deinit {
        EVP_CIPHER_CTX_free(sealing)
        EVP_CIPHER_CTX_free(opening)
    }

    /// Encrypts into `output`, including the tag.
    ///
    /// - Parameters:
    ///   - associated: the record's header.
    ///   - output: room for the plaintext and ``tagBytes``.
    /// - Returns: whether it succeeded.
    package func seal(
        _ plaintext: UnsafeRawBufferPointer, associated: UnsafeRawBufferPointer,
        with key: inout Key, into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard output.count >= plaintext.count + Self.tagBytes,
            let target = output.bindMemory(to: UInt8.self).baseAddress
        else { return false }
        var count: Int32 = 0
        let nonce = key.nextNonce()
        return start(key, nonce) { EVP_EncryptInit_ex2(sealing, nil, $0, $1, nil) }
            && EVP_EncryptUpdate(
                sealing, nil, &count, associated.bindMemory(to: UInt8.self).baseAddress,
                Int32(associated.count)) == 1
            && EVP_EncryptUpdate(
                sealing, target, &count, plaintext.bindMemory(to: UInt8.self).baseAddress,
                Int32(plaintext.count)) == 1
            && EVP_EncryptFinal_ex(sealing, target + plaintext.count, &count) == 1
            && EVP_CIPHER_CTX_ctrl(
                sealing, EVP_CTRL_GCM_GET_TAG, Int32(Self.tagBytes), target + plaintext.count) == 1
    }

    /// Decrypts into `output`.
    ///
    /// - Parameter sealed: ciphertext and tag.
    /// - Returns: the number of plaintext bytes; nil if authentication fails.
    package func open(
        _ sealed: UnsafeRawBufferPointer, associated: UnsafeRawBufferPointer,
        with key: inout Key, into output: UnsafeMutableRawBufferPointer
    ) -> Int? {
        let length = sealed.count - Self.tagBytes
        guard length >= 0, output.count >= length,
            let source = sealed.bindMemory(to: UInt8.self).baseAddress,
            let target = output.bindMemory(to: UInt8.self).baseAddress
        else { return nil }
        var count: Int32 = 0
        let nonce = key.nextNonce()
        let isGood =
            start(key, nonce) { EVP_DecryptInit_ex2(opening, nil, $0, $1, nil) }
            && EVP_DecryptUpdate(
                opening, nil, &count, associated.bindMemory(to: UInt8.self).baseAddress,
                Int32(associated.count)) == 1
            && EVP_DecryptUpdate(opening, target, &count, source, Int32(length)) == 1
            && EVP_CIPHER_CTX_ctrl(
                opening, EVP_CTRL_GCM_SET_TAG, Int32(Self.tagBytes),
                UnsafeMutableRawPointer(mutating: source + length)) == 1
            && EVP_DecryptFinal_ex(opening, target + length, &count) == 1
        if !isGood { ERR_clear_error() }
        return isGood ? length : nil
    }

    private func start(
        _ key: Key, _ nonce: SIMD2<UInt64>,
        _ body: (UnsafePointer<UInt8>?, UnsafePointer<UInt8>?) -> Int32
    ) -> Bool {
        withUnsafeBytes(of: key.key) { key in
            withUnsafeBytes(of: nonce) { nonce in
                // The nonce is the last twelve of the sixteen bytes.
                body(
                    key.bindMemory(to: UInt8.self).baseAddress,
                    nonce.bindMemory(to: UInt8.self).baseAddress.map { $0 + 4 })
            }
        } == 1
    }
}
