internal import COpenSSL

/// Owns one `SSL_CTX` and everything it points to.
final class ContextHandle: @unchecked Sendable {
    let pointer: OpaquePointer
    /// Equal for server contexts with the same certificates and settings.
    let identity: String
    private let protocols: ProtocolList?
    private let tickets: SessionTickets?

    /// Mozilla's "intermediate" suites of TLS 1.2, without finite-field Diffie-Hellman.
    static let cipherList =
        "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256"
        + ":ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384"
        + ":ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"
    /// Added for hosts of the signed form: iOS 8, which alone reads it, has no better suite.
    ///
    /// Last, so that no client with a better one gets them. OpenSSL checks the padding in constant
    /// time (CVE-2013-0169). All clients that need them have both, so there are no others.
    static let suitesOfIOS8 = "ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256"
    /// The TLS 1.3 suites in server preference order: AES-128 with SHA-256 first, as in Go's
    /// servers.
    ///
    /// X25519 and P-256 have a strength of 128 bits, so a longer cipher key adds no security.
    /// SHA-384, which belongs to AES-256, has no CPU instructions: it costs 300,000 instructions of
    /// a handshake's 2,400,000. Apple's clients prefer AES-128, too. A client that prefers ChaCha20
    /// has no AES unit and gets ChaCha20 (SSL_OP_PRIORITIZE_CHACHA).
    static let cipherSuites =
        "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    /// Every client of TLS 1.3 has P-256 (RFC 8446 section 9.1), and Apple's had it before. P-384
    /// is not offered: 250 bytes with a share made once would cost 2.7 ms in place of 0.5.
    ///
    /// A list without `/` is one tuple of OpenSSL 3.5: the first group that the client sent a share
    /// for is used, and only a client that sent none of them is asked for another share.
    static let groups = "X25519:P-256"
    /// OpenSSL 3.5 and newer. It makes a handshake 1.4 times as expensive, and its secrecy protects
    /// nothing here, because the documents are public. So it comes last, unless it is preferred.
    static let hybridGroup = "X25519MLKEM768"

    deinit { SSL_CTX_free(pointer) }

    static func identity(_ host: TLSHost, _ settings: TLSServerSettings) -> String {
        let tickets = settings.tickets.map { "\(ObjectIdentifier($0))" } ?? "-"
        let protocols = settings.protocols.map(\.rawValue).joined(separator: ",")
        let versions = "\(settings.minimumVersion)-\(settings.maximumVersion)"
        return host.pairs.map(\.identity).sorted().joined(separator: "+")
            + "|\(host.servesIOS8)|\(protocols)|\(versions)|\(tickets)|\(settings.prefersPostQuantum)"
    }

    /// A server context for the host.
    init(
        serving host: TLSHost, _ settings: TLSServerSettings, _ protocols: ProtocolList,
        _ library: TLSLibrary, identity: String
    ) throws(OpenSSLError) {
        ERR_clear_error()
        guard let pointer = SSL_CTX_new_ex(library.handle, nil, TLS_server_method()) else {
            throw OpenSSLError(doing: "creating a TLS server context")
        }
        self.pointer = pointer
        self.identity = identity
        self.protocols = protocols
        self.tickets = settings.tickets

        try setVersions(settings.minimumVersion, settings.maximumVersion)
        SSL_CTX_set_options(pointer, COpenSSL_SSL_OP_SERVER())
        _ = COpenSSL_SSL_CTX_set_session_cache_mode(pointer, Int(SSL_SESS_CACHE_OFF))
        let cipherList =
            ContextHandle.cipherList + (host.servesIOS8 ? ":" + ContextHandle.suitesOfIOS8 : "")
        guard SSL_CTX_set_cipher_list(pointer, cipherList) == 1,
            SSL_CTX_set_ciphersuites(pointer, ContextHandle.cipherSuites) == 1
        else {
            throw OpenSSLError(doing: "setting the cipher suites")
        }
        try setGroups(prefersPostQuantum: settings.prefersPostQuantum)
        setModes()
        if let tickets {
            SSL_CTX_set_num_tickets(pointer, 1)
            // OpenSSL's default of five minutes would expire tickets long before their key. RFC
            // 8446 section 4.6.1 allows seven days; a key decrypts for at least one period.
            SSL_CTX_set_timeout(pointer, Int(min(tickets.period, 7 * 86_400)))
            SSL_CTX_set_ex_data(
                pointer, ticketsIndex, Unmanaged.passUnretained(tickets).toOpaque())
            SSL_CTX_set_tlsext_ticket_key_evp_cb(pointer, selectTicketKey)
        } else {
            SSL_CTX_set_options(pointer, COpenSSL_SSL_OP_NO_TICKET())
            SSL_CTX_set_num_tickets(pointer, 0)
        }
        SSL_CTX_set_client_hello_cb(pointer, inspectClientHello, nil)
        SSL_CTX_set_alpn_select_cb(
            pointer, selectProtocol, Unmanaged.passUnretained(protocols).toOpaque())
        for pair in host.pairs { try use(pair, library) }
    }

    /// A client context.
    init(client settings: TLSClientSettings, _ library: TLSLibrary) throws(OpenSSLError) {
        ERR_clear_error()
        guard let pointer = SSL_CTX_new_ex(library.handle, nil, TLS_client_method()) else {
            throw OpenSSLError(doing: "creating a TLS client context")
        }
        self.pointer = pointer
        identity = ""
        protocols = nil
        tickets = nil

        SSL_CTX_set_security_level(pointer, settings.securityLevel)
        try setVersions(settings.offer.minimumVersion, settings.offer.maximumVersion)
        SSL_CTX_set_options(
            pointer, COpenSSL_SSL_OP_NO_RENEGOTIATION() | COpenSSL_SSL_OP_NO_COMPRESSION())
        // A client that resumes keeps its sessions itself. Those that a context keeps cannot be
        // resumed any more once it is freed, and a storm would keep 20,480 of them for nothing.
        let keptByCaller = SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL_STORE
        _ = COpenSSL_SSL_CTX_set_session_cache_mode(
            pointer, Int(settings.resumes ? keptByCaller : SSL_SESS_CACHE_OFF))
        if !settings.resumes { SSL_CTX_set_options(pointer, COpenSSL_SSL_OP_NO_TICKET()) }
        setModes()
        try setLists(settings)
        if let certificate = settings.certificate { try use(certificate, library) }
        try setTrust(settings)
    }

    private func setLists(_ settings: TLSClientSettings) throws(OpenSSLError) {
        let offer = settings.offer
        if let list = offer.cipherList, SSL_CTX_set_cipher_list(pointer, list) != 1 {
            throw OpenSSLError(doing: "setting the cipher list \(list)")
        }
        if let suites = offer.cipherSuites, SSL_CTX_set_ciphersuites(pointer, suites) != 1 {
            throw OpenSSLError(doing: "setting the cipher suites \(suites)")
        }
        if let list = offer.signatureAlgorithms,
            COpenSSL_SSL_CTX_set1_sigalgs_list(pointer, list) != 1
        {
            throw OpenSSLError(doing: "setting the signature algorithms \(list)")
        }
        try setGroups(of: offer)
        if settings.actsAsValidator || !offer.protocols.isEmpty {
            let list =
                settings.actsAsValidator
                ? ChallengeProtocol.list : ProtocolList(offer.protocols)
            let refused = withExtendedLifetime(list) {
                SSL_CTX_set_alpn_protos(pointer, list.wire.baseAddress, UInt32(list.wire.count))
            }
            if refused != 0 { throw OpenSSLError(doing: "setting the application protocols") }
        }
    }

    private func setGroups(of offer: TLSOffer) throws(OpenSSLError) {
        if offer.isHybrid {
            // With `*` each has a key share.
            let list = "*\(ContextHandle.hybridGroup)" + (offer.groups.map { ":*" + $0 } ?? "")
            if COpenSSL_SSL_CTX_set1_groups_list(pointer, list) == 1 { return }
            ERR_clear_error()
            if !HelloPadding.add(to: pointer) { throw OpenSSLError(doing: "padding the hello") }
        }
        if let list = offer.groups, COpenSSL_SSL_CTX_set1_groups_list(pointer, list) != 1 {
            throw OpenSSLError(doing: "setting the groups \(list)")
        }
    }

    private func setGroups(prefersPostQuantum: Bool) throws(OpenSSLError) {
        let groups = [ContextHandle.groups, ContextHandle.hybridGroup]
        let withHybrid = (prefersPostQuantum ? groups.reversed() : groups).joined(separator: ":")
        if COpenSSL_SSL_CTX_set1_groups_list(pointer, withHybrid) == 1 { return }
        if prefersPostQuantum {
            throw OpenSSLError(
                doing: "setting the key exchange groups \(withHybrid)",
                remedy: "Use OpenSSL 3.5 or later, or do not prefer post-quantum groups.")
        }
        ERR_clear_error()
        guard COpenSSL_SSL_CTX_set1_groups_list(pointer, ContextHandle.groups) == 1 else {
            throw OpenSSLError(doing: "setting the key exchange groups")
        }
    }

    private func setTrust(_ settings: TLSClientSettings) throws(OpenSSLError) {
        switch settings.verification {
        case .skipped:
            SSL_CTX_set_verify(pointer, SSL_VERIFY_NONE, nil)
            // Also saves the verification work.
            SSL_CTX_set_cert_verify_callback(pointer, { _, _ in 1 }, nil)
            return
        case .reported: SSL_CTX_set_verify(pointer, SSL_VERIFY_NONE, nil)
        case .required: SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        }
        try TrustStore.fill(SSL_CTX_get_cert_store(pointer), settings.trust)
    }

    private func setVersions(_ low: TLSVersion, _ high: TLSVersion) throws(OpenSSLError) {
        guard COpenSSL_SSL_CTX_set_min_proto_version(pointer, Int32(low.rawValue)) == 1,
            COpenSSL_SSL_CTX_set_max_proto_version(pointer, Int32(high.rawValue)) == 1
        else { throw OpenSSLError(doing: "setting the versions \(low) to \(high)") }
    }

    private func setModes() {
        _ = COpenSSL_SSL_CTX_set_mode(
            pointer,
            Int(
                SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
                    | SSL_MODE_NO_AUTO_CHAIN))
        // Reads a record's header and content with one call of the transport's BIO, not two.
        _ = COpenSSL_SSL_CTX_set_read_ahead(pointer, 1)
        // Otherwise SSL_read would continue after a record without data, and such records could not
        // be counted (TLSLimits.controlRecords).
        _ = COpenSSL_SSL_CTX_clear_mode(pointer, Int(SSL_MODE_AUTO_RETRY))
    }

    /// Installs the certificates and a copy of the key in the library context.
    ///
    /// A handshake computes with the key, and OpenSSL locks it. Certificates are only read, so they
    /// are shared: copying each per worker would cost 0.3 ms of parsing (1,000 hosts!).
    private func use(_ pair: CertificatePair, _ library: TLSLibrary) throws(OpenSSLError) {
        try Self.install(pair, try pair.key.copy(into: library), on: pointer)
    }

    fileprivate static func install(
        _ pair: CertificatePair, _ key: PrivateKey, on pointer: OpaquePointer
    ) throws(OpenSSLError) {
        let stack = COpenSSL_sk_X509_new_null()
        defer { COpenSSL_sk_X509_free(stack) }
        // A root in the file is not sent: clients that trust it have it.
        for certificate in pair.chain.dropFirst() where !certificate.isSelfSigned {
            COpenSSL_sk_X509_push(stack, certificate.handle)
        }
        guard SSL_CTX_use_cert_and_key(pointer, pair.leaf.handle, key.handle, stack, 1) == 1 else {
            throw OpenSSLError(
                doing: "using \(pair.chainName) with \(pair.keyName)",
                remedy:
                    "Issue it again: every key of the chain must be ECDSA P-256, P-384 or RSA of 2048 bits or more, and every signature SHA-256 or better."
            )
        }
    }
}

/// Checks pairs of certificate and key before a server accepts them.
///
/// OpenSSL checks the keys and digests of the whole chain when a context loads the pair
/// (SSL_CTX_set_security_level(3)): too late for a server that serves other hosts. One context
/// checks all pairs: creating one takes 0.1 ms, which adds up to 0.1 s at start with a thousand
/// hosts. Used by one thread at a time.
package final class CertificateChecker {
    private let context: OpaquePointer?

    /// - Parameter library: nil for OpenSSL's default, whose first use costs 8 million instructions
    ///   at start (it looks up each algorithm and creates its random generator).
    package init(in library: TLSLibrary? = nil) {
        context = SSL_CTX_new_ex(library?.handle, nil, TLS_server_method())
    }

    deinit { SSL_CTX_free(context) }

    /// Why no server can use the pair; nil if it is usable.
    package func refusal(of pair: CertificatePair) -> OpenSSLError? {
        guard let context else { return OpenSSLError(doing: "making a context") }
        do throws(OpenSSLError) {
            try ContextHandle.install(pair, pair.key, on: context)
            return nil
        } catch {
            return error
        }
    }
}
