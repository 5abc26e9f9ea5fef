internal import COpenSSL

/// Bounds what the lists of a ClientHello cost, before OpenSSL works on them; also those of the
/// second one that a HelloRetryRequest asks for.
///
/// For each key share OpenSSL searches the client's list of groups from its begin
/// (`tls_parse_ctos_key_share`). A hello of 64 KB with 6,400 shares of one byte and 16,000 groups,
/// which its sender computes nothing for, would cost 26 ms: as much as 50 handshakes.
enum ClientHelloLists {
    /// Comparisons of a share with a group, 0.25 ns each: 65 µs, a tenth of a handshake. A client
    /// offers up to five shares of 20 groups; 65 KB of groups with eight shares are within it.
    static let comparisonsMaximum = 1 << 18

    /// Whether OpenSSL may work on the extensions of a ClientHello.
    ///
    /// Lists that are not well-formed are left to OpenSSL, which reports them.
    ///
    /// - Parameters:
    ///   - groups: the content of supported_groups (RFC 8446 section 4.2.7).
    ///   - shares: the content of key_share (RFC 8446 section 4.2.8).
    static func areBearable(
        groups: UnsafeBufferPointer<UInt8>, shares: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        // Both contents begin with two bytes of length.
        let groupCount = max(0, groups.count - 2) / 2
        // The least that a share takes: group, length, one byte.
        if shares.count / 5 * groupCount <= comparisonsMaximum { return true }
        var left = comparisonsMaximum / groupCount
        var offset = 2
        while offset + 4 <= shares.count {
            left -= 1
            if left < 0 { return false }
            offset += 4 + (Int(shares[offset + 2]) << 8 | Int(shares[offset + 3]))
        }
        return true
    }

    /// Bytes of suites that a client may offer: 1,024 of them; scanners offer some 350. OpenSSL
    /// makes a list of those it knows, however often each is there: 433 KB and 1.5 ms for 65 KB.
    static let cipherBytesMaximum = 2048

    /// Bytes of the extensions that OpenSSL makes objects of, which it keeps for as long as the
    /// session, or walks through for each of its own entries. 65 KB of empty names in
    /// certificate_authorities would cost 4 ms and hold 3 MB, one name of thousands of values 5 ms.
    /// Clients that we have seen send none of the first, 5 bytes of the second and 32 of the next
    /// two; a ticket takes some 250, and browsers offer one or two.
    static let contentMaxima: [(type: Int32, bytes: Int)] = [
        (TLSEXT_TYPE_certificate_authorities, 2048), (TLSEXT_TYPE_status_request, 256),
        (TLSEXT_TYPE_signature_algorithms, 1024), (TLSEXT_TYPE_signature_algorithms_cert, 1024),
        (TLSEXT_TYPE_psk, 4096),
    ]

    static func areBearable(in ssl: OpaquePointer) -> Bool {
        var suites: UnsafePointer<UInt8>?
        if SSL_client_hello_get0_ciphers(ssl, &suites) > cipherBytesMaximum { return false }
        for maximum in contentMaxima
        where content(of: maximum.type, in: ssl).count > maximum.bytes {
            return false
        }
        return areBearable(
            groups: content(of: TLSEXT_TYPE_supported_groups, in: ssl),
            shares: content(of: TLSEXT_TYPE_key_share, in: ssl))
    }

    private static func content(
        of type: Int32, in ssl: OpaquePointer
    ) -> UnsafeBufferPointer<UInt8> {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        guard SSL_client_hello_get0_ext(ssl, UInt32(type), &bytes, &count) == 1 else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(start: bytes, count: count)
    }
}

/// Checks every ClientHello before OpenSSL parses it, the second one after a HelloRetryRequest
/// included. The argument is the context's ``ServerCallbacks`` where challenges are possible.
let inspectClientHello: SSL_client_hello_cb_fn = { ssl, alert, argument in
    guard let ssl else { return SSL_CLIENT_HELLO_SUCCESS }
    guard ClientHelloLists.areBearable(in: ssl) else {
        // The alert for repeated shares, which most of these must be (RFC 8446 section 4.2.8), and
        // for what no client has a reason to send.
        alert?.pointee = SSL_AD_ILLEGAL_PARAMETER
        return SSL_CLIENT_HELLO_ERROR
    }
    guard let argument else { return SSL_CLIENT_HELLO_SUCCESS }
    return selectChallengeEarly(
        ssl, Unmanaged<ServerCallbacks>.fromOpaque(argument).takeUnretainedValue())
}
