internal import COpenSSL

/// An X25519 key (RFC 7748) for key agreement with many peers: for load tests, whose thousands of
/// clients may share one. Belongs to one thread.
package final class X25519Key {
    package static let byteCount = 32

    private let key: OpaquePointer
    private let agreement: OpaquePointer
    private let library: TLSLibrary
    package let publicKey: [UInt8]

    /// - Throws: ``OpenSSLError`` if the library has no X25519.
    package init(library: TLSLibrary) throws(OpenSSLError) {
        ERR_clear_error()
        guard let maker = EVP_PKEY_CTX_new_from_name(library.handle, "X25519", nil) else {
            throw OpenSSLError(doing: "making a key of X25519")
        }
        defer { EVP_PKEY_CTX_free(maker) }
        var made: OpaquePointer?
        guard EVP_PKEY_keygen_init(maker) == 1, EVP_PKEY_generate(maker, &made) == 1,
            let made
        else { throw OpenSSLError(doing: "making a key of X25519") }
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        var count = bytes.count
        guard EVP_PKEY_get_raw_public_key(made, &bytes, &count) == 1, count == Self.byteCount,
            let agreement = EVP_PKEY_CTX_new_from_pkey(library.handle, made, nil)
        else {
            EVP_PKEY_free(made)
            throw OpenSSLError(doing: "reading a key of X25519")
        }
        guard EVP_PKEY_derive_init(agreement) == 1 else {
            EVP_PKEY_CTX_free(agreement)
            EVP_PKEY_free(made)
            throw OpenSSLError(doing: "agreeing on a key with X25519")
        }
        key = made
        self.agreement = agreement
        self.library = library
        publicKey = bytes
    }

    deinit {
        EVP_PKEY_CTX_free(agreement)
        EVP_PKEY_free(key)
    }

    /// The shared secret.
    ///
    /// - Parameter peer: the peer's public key, 32 bytes.
    /// - Returns: nil for an invalid public key (RFC 7748 section 6.1: the secret would be all
    ///   zero).
    package func agree(with peer: UnsafeRawBufferPointer) -> Block256? {
        guard peer.count == Self.byteCount,
            let base = peer.bindMemory(to: UInt8.self).baseAddress,
            let other = EVP_PKEY_new_raw_public_key_ex(
                library.handle, "X25519", nil, base, peer.count)
        else { return refused() }
        defer { EVP_PKEY_free(other) }
        var secret = Block256()
        var count = Self.byteCount
        let derived = withUnsafeMutableBytes(of: &secret) { bytes in
            // No validation: X25519 has no invalid points, and the all-zero secret is rejected.
            EVP_PKEY_derive_set_peer_ex(agreement, other, 0) == 1
                && EVP_PKEY_derive(
                    agreement, bytes.bindMemory(to: UInt8.self).baseAddress, &count) == 1
        }
        guard derived, count == Self.byteCount, secret != Block256() else { return refused() }
        return secret
    }

    private func refused() -> Block256? {
        ERR_clear_error()
        return nil
    }
}
