internal import COpenSSL

// TLS-ALPN-01 within the handshake of a server (RFC 8737 section 4).

/// ALPN's list of one protocol, as it stands in the extension (RFC 7301 section 3.1): two bytes of
/// length, then `acme-tls/1` behind its own.
private let challengeList: [UInt8] =
    [0, UInt8(ChallengeProtocol.name.utf8.count + 1), UInt8(ChallengeProtocol.name.utf8.count)]
    + Array(ChallengeProtocol.name.utf8)

/// The application protocol of validators.
enum ChallengeProtocol {
    static let name = "acme-tls/1"
    static let list = ProtocolList(names: [name])
}

/// Looks at every ClientHello before OpenSSL does: what it has parsed of an extension is gone for
/// later callbacks. Installed only where challenges may come.
let selectChallengeEarly: SSL_client_hello_cb_fn = { ssl, _, argument in
    guard let ssl, let argument else { return SSL_CLIENT_HELLO_SUCCESS }
    let callbacks = Unmanaged<ServerCallbacks>.fromOpaque(argument).takeUnretainedValue()
    guard let challenges = callbacks.challenges, offersChallengeAlone(ssl),
        let name = earlyServerName(ssl)?.lowercased()
    else { return SSL_CLIENT_HELLO_SUCCESS }
    let questions = challenges.questions
    let ticket = UInt64(UInt(bitPattern: SSL_get_ex_data(ssl, questionIndex)))
    // Before the table is looked at: what a look found is there when it is over.
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

/// Where a session keeps the number of its question; 0: none.
private let questionIndex: Int32 = CRYPTO_get_ex_new_index(
    CRYPTO_EX_INDEX_SSL, 0, nil, nil, nil, nil)

private func setQuestion(_ ssl: OpaquePointer, _ number: UInt64) -> Bool {
    SSL_set_ex_data(ssl, questionIndex, UnsafeMutableRawPointer(bitPattern: UInt(number))) == 1
}

/// The name in a ClientHello's server_name extension: length of the list, type 0, length of the
/// name (RFC 6066 section 3).
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

/// Whether the client offers the validators' protocol and no other.
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

/// Switches the session to the challenge's certificate: only this session ever has it.
///
/// A context per validation: some come per renewal, and nothing is kept of them.
private func select(_ pair: CertificatePair, _ ssl: OpaquePointer, _ library: TLSLibrary) {
    let settings = TLSServerSettings(hosts: [])
    let made = try? ContextHandle(
        serving: [pair], settings, ChallengeProtocol.list, library, identity: "")
    // The session holds a reference of its own to the SSL_CTX, and the list lives for ever.
    guard let made, SSL_set_SSL_CTX(ssl, made.pointer) != nil else {
        return ERR_clear_error()
    }
    // Tickets belong to the hosts' contexts; a validator never comes back with one.
    SSL_set_options(ssl, COpenSSL_SSL_OP_NO_TICKET())
    SSL_set_num_tickets(ssl, 0)
}

extension TLSSession {
    /// Whether the handshake was a validator's: it is complete, and there is nothing to say (RFC
    /// 8737 section 4: no data is exchanged).
    package var isChallenge: Bool {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return UnsafeBufferPointer(start: name, count: Int(count))
            .elementsEqual(ChallengeProtocol.name.utf8)
    }
}
