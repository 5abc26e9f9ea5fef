internal import COpenSSL

// The C callbacks of TLS. They only look things up.

/// The data of a server context's callbacks. Owned by the context; OpenSSL holds it unretained.
final class ServerCallbacks {
    let selection: ServerNameSelection
    /// One per host, same index.
    let handles: [ContextHandle]
    /// The context that new sessions start with. It is never reused from an earlier one: the
    /// argument of its callbacks is its own.
    let entry: ContextHandle
    let defaultHost: Int
    let challenges: ChallengeTable?
    let library: TLSLibrary

    /// - Parameter previous: the handles of hosts that did not change are taken from these.
    init(
        _ settings: TLSServerSettings, _ library: TLSLibrary, replacing previous: ServerCallbacks?
    ) throws(OpenSSLError) {
        // Before its first certificate a server answers only challenges.
        let waits = settings.hosts.isEmpty && settings.challenges != nil
        guard waits || settings.hosts.indices.contains(settings.defaultHost) else {
            throw OpenSSLError(
                cause: "the default host has no certificate",
                remedy:
                    "Create a folder with fullchain.pem and privkey.pem for every host of the site."
            )
        }
        let protocols = ProtocolList(settings.protocols)
        // Hosts with the same certificates and suites share one SSL_CTX: an alias costs a table
        // entry.
        var known: [String: ContextHandle] = [:]
        for handle in previous?.handles ?? [] { known[handle.identity] = handle }
        var handles: [ContextHandle] = []
        for host in settings.hosts {
            let identity = ContextHandle.identity(host, settings)
            let handle =
                if let handle = known[identity] {
                    handle
                } else {
                    try ContextHandle(
                        serving: host, settings, protocols, library, identity: identity)
                }
            known[identity] = handle
            handles.append(handle)
        }
        self.handles = handles
        entry = try ContextHandle(
            serving: waits ? TLSHost(names: [], pairs: []) : settings.hosts[settings.defaultHost],
            settings, protocols, library, identity: "")
        selection = ServerNameSelection(
            settings.hosts.enumerated().flatMap { index, host in
                host.names.map { (name: $0, host: index) }
            })
        defaultHost = settings.defaultHost
        challenges = settings.challenges
        self.library = library
        let argument = Unmanaged.passUnretained(self).toOpaque()
        _ = COpenSSL_SSL_CTX_set_tlsext_servername_callback(entry.pointer, selectServerName)
        _ = COpenSSL_SSL_CTX_set_tlsext_servername_arg(entry.pointer, argument)
        if challenges != nil {
            SSL_CTX_set_client_hello_cb(entry.pointer, inspectClientHello, argument)
        }
    }
}

/// Calls `body` with the server name that the client sent, borrowed from the session.
func withServerName<R>(_ ssl: OpaquePointer, _ body: (UnsafeRawBufferPointer?) -> R) -> R {
    guard let name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) else { return body(nil) }
    var count = 0
    while name[count] != 0 { count += 1 }
    return body(UnsafeRawBufferPointer(start: name, count: count))
}

/// Selects the host's certificates. An unknown or missing name gets the default host's, without an
/// alert: a response with another certificate tells a user more than a rejection.
let selectServerName: COpenSSL_servername_cb = { ssl, alert, argument in
    guard let ssl, let argument else { return SSL_TLSEXT_ERR_NOACK }
    let callbacks = Unmanaged<ServerCallbacks>.fromOpaque(argument).takeUnretainedValue()
    // For a validator the certificate is already selected.
    if callbacks.challenges != nil, SSL_get_SSL_CTX(ssl) != callbacks.entry.pointer {
        return SSL_TLSEXT_ERR_OK
    }
    if callbacks.handles.isEmpty {
        // No host has a certificate yet.
        alert?.pointee = SSL_AD_UNRECOGNIZED_NAME
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
    let host = withServerName(ssl) { name in name.flatMap { callbacks.selection.host(of: $0) } }
    guard let host else { return SSL_TLSEXT_ERR_NOACK }
    if host != callbacks.defaultHost {
        if SSL_set_SSL_CTX(ssl, callbacks.handles[host].pointer) == nil {
            return SSL_TLSEXT_ERR_NOACK
        }
    }
    return SSL_TLSEXT_ERR_OK
}

/// Selects the application protocol by server preference.
let selectProtocol: SSL_CTX_alpn_select_cb_func = {
    _, chosen, chosenCount, offered, count, argument in
    guard let chosen, let chosenCount, let offered, let argument else {
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
    let ours = Unmanaged<ProtocolList>.fromOpaque(argument).takeUnretainedValue().wire
    var selected: UnsafeMutablePointer<UInt8>?
    let result = SSL_select_next_proto(
        &selected, chosenCount, ours.baseAddress, UInt32(ours.count), offered, count)
    guard result == OPENSSL_NPN_NEGOTIATED, let selected else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    chosen.pointee = UnsafePointer(selected)
    return SSL_TLSEXT_ERR_OK
}

/// Provides the key to encrypt (`sealing` 1) or decrypt (0) a ticket. Returns: 0 for an unknown key
/// (a full handshake follows), 1 to continue, 2 to continue and renew, -1 on error.
let selectTicketKey: TicketKeyCallback = {
    ssl, name, vector, cipher, mac, sealing in
    guard let ssl, let name, let vector,
        let argument = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), ticketsIndex)
    else { return -1 }
    let tickets = Unmanaged<SessionTickets>.fromOpaque(argument).takeUnretainedValue()
    let key: SessionTickets.Key
    var result: Int32 = 1
    if sealing == 1 {
        key = tickets.sealing
        guard RAND_bytes(vector, 16) == 1 else { return -1 }
        name.update(from: key.name, count: 16)
    } else {
        guard let found = tickets.opening(name) else { return 0 }
        key = found.key
        // A client uses a ticket of TLS 1.3 once (RFC 8446 appendix C.4), so it needs another.
        result = found.isCurrent && SSL_version(ssl) < TLS1_3_VERSION ? 1 : 2
    }
    guard let aes = ticketCipher,
        EVP_CipherInit_ex(cipher, aes, nil, key.cipher, vector, sealing) == 1
    else { return -1 }
    return setTicketMAC(mac, key.mac) ? result : -1
}

typealias TicketKeyCallback =
    @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?,
        OpaquePointer?, OpaquePointer?, Int32
    ) -> Int32

/// Fetched once: an implicit fetch per ticket would search the algorithm store.
nonisolated(unsafe) private let ticketCipher: OpaquePointer? = EVP_CIPHER_fetch(
    nil, "AES-256-CBC", nil)

/// The ex_data index of the ticket keys in an `SSL_CTX`.
let ticketsIndex: Int32 = CRYPTO_get_ex_new_index(
    CRYPTO_EX_INDEX_SSL_CTX, 0, nil, nil, nil, nil)

private func setTicketMAC(_ mac: OpaquePointer?, _ key: [UInt8]) -> Bool {
    var key = key
    var digest = Array("SHA256".utf8CString)
    return key.withUnsafeMutableBytes { key in
        digest.withUnsafeMutableBufferPointer { digest in
            var parameters = [
                OSSL_PARAM_construct_octet_string(
                    COpenSSL_OSSL_MAC_PARAM_KEY(), key.baseAddress, key.count),
                OSSL_PARAM_construct_utf8_string(
                    COpenSSL_OSSL_MAC_PARAM_DIGEST(), digest.baseAddress, digest.count - 1),
                OSSL_PARAM_construct_end(),
            ]
            return EVP_MAC_CTX_set_params(mac, &parameters) == 1
        }
    }
}

/// The protocols in wire format (RFC 7301 section 3.1), at a stable address.
final class ProtocolList: Sendable {
    nonisolated(unsafe) let wire: UnsafeMutableBufferPointer<UInt8>

    convenience init(_ protocols: [TLSApplicationProtocol]) {
        self.init(names: protocols.map(\.rawValue))
    }

    init(names: [String]) {
        var bytes: [UInt8] = []
        for name in names.map(\.utf8) {
            bytes.append(UInt8(name.count))
            bytes.append(contentsOf: name)
        }
        wire = .allocate(capacity: bytes.count)
        _ = wire.initialize(from: bytes)
    }

    deinit { wire.deallocate() }
}
