internal import COpenSSL

// TLS-ALPN-01 in the handshake of a server (RFC 8737 section 4).

/// The ALPN list with one protocol, as in the extension (RFC 7301 section 3.1): two bytes of
/// length, then the length and name of `acme-tls/1`.
private let challengeList: [UInt8] =
    [0, UInt8(ChallengeProtocol.name.utf8.count + 1), UInt8(ChallengeProtocol.name.utf8.count)]
    + Array(ChallengeProtocol.name.utf8)

/// The application protocol of ACME validators.
enum ChallengeProtocol {
    static let name = "acme-tls/1"
    static let list = ProtocolList(names: [name])
}

/// Inspects a ClientHello before OpenSSL parses it: later callbacks cannot read the raw extensions.
func selectChallengeEarly(_ ssl: OpaquePointer, _ callbacks: ServerCallbacks) -> Int32 {
    guard let challenges = callbacks.challenges, offersChallengeAlone(ssl),
        let name = earlyServerName(ssl)?.lowercased()
    else { return SSL_CLIENT_HELLO_SUCCESS }
    let questions = challenges.questions
    let ticket = UInt64(UInt(bitPattern: SSL_get_ex_data(ssl, questionIndex)))
    // Before the table is read: a read of the store publishes its results before it ends.
    let hasAnswer = ticket != 0 && questions.isAnswered(ticket)
    if let pair = challenges.take(name) {
        select(pair, ssl, callbacks.library)
    } else if !hasAnswer {
        if ticket != 0 { return SSL_CLIENT_HELLO_RETRY }
        if let asked = questions.ask(), setQuestion(ssl, asked) { return SSL_CLIENT_HELLO_RETRY }
    }
    _ = setQuestion(ssl, 0)
    return SSL_CLIENT_HELLO_SUCCESS
}

/// The ex_data index for a session's ticket; 0: none.
private let questionIndex: Int32 = CRYPTO_get_ex_new_index(
    CRYPTO_EX_INDEX_SSL, 0, nil, nil, nil, nil)

private func setQuestion(_ ssl: OpaquePointer, _ number: UInt64) -> Bool {
    SSL_set_ex_data(ssl, questionIndex, UnsafeMutableRawPointer(bitPattern: UInt(number))) == 1
}

/// The host name in the server_name extension of a ClientHello: list length, type 0, name length
/// (RFC 6066 section 3).
private func earlyServerName(_ ssl: OpaquePointer) -> String? {
    var bytes: UnsafePointer<UInt8>?
    var count = 0
    guard
        SSL_client_hello_get0_ext(ssl, UInt32(TLSEXT_TYPE_server_name), &bytes, &count) == 1,
        let bytes, count > 5, bytes[2] == 0
    else { return nil }
    let length = Int(bytes[3]) << 8 | Int(bytes[4])
    guard length > 0, length <= count - 5 else { return nil }
    return String(
        decoding: UnsafeBufferPointer(start: bytes + 5, count: length), as: UTF8.self)
}

/// Whether the client offers `acme-tls/1` and no other protocol.
private func offersChallengeAlone(_ ssl: OpaquePointer) -> Bool {
    var bytes: UnsafePointer<UInt8>?
    var count = 0
    guard
        SSL_client_hello_get0_ext(
            ssl, UInt32(TLSEXT_TYPE_application_layer_protocol_negotiation), &bytes, &count) == 1,
        let bytes
    else { return false }
    return UnsafeBufferPointer(start: bytes, count: count).elementsEqual(challengeList)
}

/// Switches this session to the challenge's certificate.
///
/// It creates a context per validation: there are few per renewal, and nothing is kept.
private func select(_ pair: CertificatePair, _ ssl: OpaquePointer, _ library: TLSLibrary) {
    let settings = TLSServerSettings(hosts: [])
    let made = try? ContextHandle(
        serving: TLSHost(names: [], pairs: [pair]), settings, ChallengeProtocol.list, library,
        identity: "")
    // The session holds its own reference to the SSL_CTX, and the list is never freed.
    guard let made, SSL_set_SSL_CTX(ssl, made.pointer) != nil else {
        return ERR_clear_error()
    }
    // Tickets belong to the hosts' contexts; a validator never resumes.
    SSL_set_options(ssl, COpenSSL_SSL_OP_NO_TICKET())
    SSL_set_num_tickets(ssl, 0)
}

extension TLSSession {
    /// Whether this was a validator's handshake: it is complete, and no data follows (RFC 8737
    /// section 4).
    package var isChallenge: Bool {
        selectedProtocol.elementsEqual(ChallengeProtocol.name.utf8)
    }
}
