internal import COpenSSL

/// What a client offers in its ClientHello. Names are OpenSSL's.
package struct TLSOffer: Sendable, Hashable {
    package var minimumVersion: TLSVersion = .tls12
    package var maximumVersion: TLSVersion = .tls13
    /// Cipher list for TLS 1.2 and older, `nil` for the library's. Suites that the library does not
    /// have are not offered: ``unavailable``.
    package var cipherList: String?
    /// Cipher suites for TLS 1.3, `nil` for the library's.
    package var cipherSuites: String?
    /// Signature algorithms; `nil` for the library's. ``onlyRSA`` and ``onlyECDSA`` request one
    /// type of certificate.
    package var signatureAlgorithms: String?
    /// Groups, such as `X25519:P-256`; `nil` for the library's. There is a key share for the first.
    package var groups: String?
    /// Whether X25519MLKEM768 comes before ``groups``, with a key share of its own. If the library
    /// does not have it, an extension that servers ignore makes the hello as long.
    package var isHybrid = false
    /// ALPN, in this order; empty for none.
    package var protocols: [TLSApplicationProtocol] = [.http2, .http11]

    package init() {}

    package static let onlyRSA =
        "rsa_pss_rsae_sha256:rsa_pss_rsae_sha384:rsa_pss_rsae_sha512"
        + ":rsa_pkcs1_sha256:rsa_pkcs1_sha384:rsa_pkcs1_sha512"
    package static let onlyECDSA = "ecdsa_secp256r1_sha256:ecdsa_secp384r1_sha384"

    /// The suites and the group that this machine's OpenSSL cannot offer.
    package var unavailable: [String] {
        TLSLibrary.prepare()
        guard let context = SSL_CTX_new(TLS_client_method()) else { return [] }
        defer {
            SSL_CTX_free(context)
            ERR_clear_error()
        }
        let suites = (cipherList ?? "").split(separator: ":").map(String.init)
        return suites.filter { SSL_CTX_set_cipher_list(context, $0 + ":@SECLEVEL=0") != 1 }
            + (isHybrid && !TLSLibrary.hasHybridGroup ? [ContextHandle.hybridGroup] : [])
    }
}

/// The extension that makes a hello as long as one with X25519MLKEM768: a type that servers ignore
/// (RFC 8701), with as many bytes as a group, the head of a share, and its key.
enum HelloPadding {
    static let type: UInt32 = 0x2A2A
    private static let bytes = 2 + 4 + 1216
    nonisolated(unsafe) private static let content: UnsafeMutablePointer<UInt8> = {
        let content = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes)
        content.initialize(repeating: 0, count: bytes)
        return content
    }()

    /// Adds it to the hellos of a client's context.
    static func add(to context: OpaquePointer) -> Bool {
        SSL_CTX_add_custom_ext(
            context, type, UInt32(SSL_EXT_CLIENT_HELLO),
            { _, _, _, out, count, _, _, _, _ in
                out?.pointee = UnsafePointer(HelloPadding.content)
                count?.pointee = HelloPadding.bytes
                return 1
            }, nil, nil, nil, nil) == 1
    }
}
