internal import COpenSSL

/// The data for resuming a session with the same server.
package final class TLSResumption: @unchecked Sendable {
    let handle: OpaquePointer
    init(owning handle: OpaquePointer) { self.handle = handle }
    deinit { SSL_SESSION_free(handle) }
}

/// The result of the server certificate verification.
package struct TLSVerification: Sendable, Hashable {
    /// OpenSSL's X509_V_ERR number; 0 is good. `nil` if it was not verified.
    package let code: Int?
    /// The result as text: "ok", "certificate has expired", "not checked".
    package let text: String
    /// The remedy, for common cases.
    package let remedy: String?

    package var isGood: Bool { code == 0 }

    init(code: Int?) {
        self.code = code
        text = code.map { String(cString: X509_verify_cert_error_string($0)) } ?? "not checked"
        remedy = code.flatMap(TLSVerification.remedy)
    }

    package static let notChecked = TLSVerification(code: nil)

    static func remedy(_ code: Int) -> String? {
        switch Int32(truncatingIfNeeded: code) {
        case X509_V_OK: nil
        case X509_V_ERR_CERT_HAS_EXPIRED:
            "Renew the certificate and reload the server."
        case X509_V_ERR_CERT_NOT_YET_VALID:
            "Check the clocks of the server and of this machine: the certificate is not valid yet."
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            "Get a certificate that names this host in its subject alternative names."
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
            "Serve the full chain: the certificate followed by its intermediates (fullchain.pem). If you use a private authority, add its certificate as trusted."
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
            "Use a certificate of a public authority, or install your authority on the devices."
        case X509_V_ERR_INVALID_PURPOSE:
            "Get a certificate for TLS servers (extended key usage serverAuth)."
        case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK:
            "Get a certificate with SHA-256 and an ECDSA P-256 key or an RSA key of 2048 bits or more."
        default: nil
        }
    }
}

extension TLSSession {
    /// By ALPN; empty: none.
    var selectedProtocol: UnsafeBufferPointer<UInt8> {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        return UnsafeBufferPointer(start: name, count: Int(length))
    }

    /// Client role: the chain that the server sent, leaf first.
    package var peerChain: [Certificate] {
        SSL_get_peer_cert_chain(ssl).map(Certificate.all(in:)) ?? []
    }

    /// Client role: the result of the certificate verification, available after the handshake or
    /// its failure.
    package var verification: TLSVerification {
        isVerifying ? TLSVerification(code: SSL_get_verify_result(ssl)) : .notChecked
    }

    /// Client role: the data to resume this session; in TLS 1.3 available once the server's ticket
    /// was read.
    package func resumption() -> TLSResumption? {
        guard let session = SSL_get1_session(ssl) else { return nil }
        let resumption = TLSResumption(owning: session)
        return SSL_SESSION_is_resumable(session) == 1 ? resumption : nil
    }
}
