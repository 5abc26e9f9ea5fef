internal import COpenSSL

/// One TLS connection, sans I/O: ciphertext goes in and out through a ``TLSTransport``.
///
/// Belongs to the thread of the transport. After every call, the transport's output must be sent,
/// whatever the result.
package final class TLSSession {
    private let context: TLSContext
    let ssl: OpaquePointer
    /// The current transport, whose BIO `ssl` uses.
    private var bound: OpaquePointer?
    /// Ciphertext of an earlier turn that is still unread.
    private var kept = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var keptOffset = 0
    private var handshakeBytes = 0
    private var handshakeRecords = HandshakeRecords()
    private var controlRecords = 0
    /// The last call was a read that returned data: OpenSSL's buffer is released.
    private var hasJustRead = false
    // Private with a package getter: properties that another module can set are checked for
    // exclusive access at every use.
    package private(set) var isHandshakeDone = false
    /// Whether the handshake has produced output.
    private var hasWritten = false
    /// The handshake waits for a read of the challenge store (``PendingValidations``), not for
    /// input: call ``handshake(_:)`` again soon.
    package private(set) var awaitsChallenge = false
    private var ended: TLSFailure?
    #if FAULT_INJECTION
        private var simulated: (any SimulatedSession)?
    #endif

    /// The failure that ended the session.
    package var failure: TLSFailure? { ended }

    /// - Parameters:
    ///   - serverName: client role: the name for SNI and for the certificate check; `nil` sends
    ///     no SNI. Ignored in the server role.
    ///   - checkedName: client role: the name that the certificate must cover, if it differs from
    ///     the one in SNI.
    ///   - resumption: client role: the data of an earlier session.
    /// - Throws: ``OpenSSLError`` if memory is short or the name cannot be sent.
    package init(
        context: TLSContext, serverName: String? = nil, checkedName: String? = nil,
        resumption: TLSResumption? = nil
    ) throws(OpenSSLError) {
        #if FAULT_INJECTION
            if let simulation = context.simulation {
                self.context = context
                ssl = try simulation.shared()
                simulated = simulation.make()
                return
            }
        #endif
        guard let ssl = SSL_new(context.entry.pointer) else {
            throw OpenSSLError(doing: "creating a TLS session")
        }
        self.context = context
        self.ssl = ssl
        guard context.client != nil else {
            SSL_set_accept_state(ssl)
            return
        }
        SSL_set_connect_state(ssl)
        try prepareClient(serverName, checkedName ?? serverName, resumption)
    }

    deinit {
        // Otherwise OpenSSL marks a session without close_notify as not resumable, for everyone who
        // holds it. TLS 1.3 and RFC 5246 section 7.2.1 allow resumption.
        if !context.isServer { SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN) }
        SSL_free(ssl)
        kept.deallocate()
    }

    private func prepareClient(
        _ serverName: String?, _ checkedName: String?, _ resumption: TLSResumption?
    ) throws(OpenSSLError) {
        // RFC 6066 section 3: addresses are not sent in SNI.
        if let serverName, !TLSSession.isAddress(serverName),
            COpenSSL_SSL_set_tlsext_host_name(ssl, serverName) != 1
        {
            throw OpenSSLError(doing: "setting the server name \(serverName)")
        }
        if let checkedName, let client = context.client, client.verification != .skipped {
            let parameters = SSL_get0_param(ssl)
            let set =
                TLSSession.isAddress(checkedName)
                ? X509_VERIFY_PARAM_set1_ip_asc(parameters, checkedName)
                : SSL_set1_host(ssl, checkedName)
            SSL_set_hostflags(ssl, Certificate.nameFlags(client.acceptsCommonName))
            if set != 1 { throw OpenSSLError(doing: "setting the name \(checkedName) to check") }
        }
        if let resumption, SSL_set_session(ssl, resumption.handle) != 1 {
            throw OpenSSLError(doing: "resuming a TLS session")
        }
    }

    package static func isAddress(_ name: String) -> Bool {
        name.utf8.contains(UInt8(ascii: ":"))
            || name.utf8.allSatisfy { $0 == UInt8(ascii: ".") || ($0 >= 0x30 && $0 <= 0x39) }
    }

    // MARK: - Handshake, read, write, close

    /// Continues the handshake: call it first (the client starts), and again whenever ciphertext
    /// arrived, until it returns ``TLSStep/done``.
    package func handshake(_ transport: TLSTransport) -> TLSStep {
        if let ended { return .failed(ended) }
        let state = begin(transport)
        defer { end(state) }
        #if FAULT_INJECTION
            if let step = simulated?.handshake(transport) {
                if case .done = step { isHandshakeDone = true }
                return step
            }
        #endif
        let before = state.pointee.keptLeft + state.pointee.inputLeft
        hasJustRead = false
        state.pointee.starved = false
        ERR_clear_error()
        let writes = state.pointee.writeCount
        if context.isServer,
            !handshakeRecords.receive(
                UnsafeRawBufferPointer(
                    start: state.pointee.input, count: state.pointee.inputLeft))
        {
            appendTooLongAlert(state, hasAnswered: hasWritten)
            return .failed(fail(TLSFailure(cause: .handshakeTooLong, code: 0)))
        }
        let result = SSL_do_handshake(ssl)
        handshakeBytes += before - state.pointee.keptLeft - state.pointee.inputLeft
        if result == 1 {
            // A successful handshake may leave errors in the queue (a ticket with an unknown key).
            ERR_clear_error()
            isHandshakeDone = true
            return .done
        }
        let reason = stopped(state, result)
        awaitsChallenge = reason == SSL_ERROR_WANT_CLIENT_HELLO_CB
        if awaitsChallenge { return .wantsInput }
        guard reason == SSL_ERROR_WANT_READ else {
            return .failed(fail(handshaking: true))
        }
        if handshakeBytes > TLSLimits.handshakeBytes, context.isServer {
            appendTooLongAlert(state, hasAnswered: hasWritten || state.pointee.writeCount != writes)
            return .failed(fail(TLSFailure(cause: .handshakeTooLong, code: 0)))
        }
        hasWritten = hasWritten || state.pointee.writeCount != writes
        return .wantsInput
    }

    /// OpenSSL has no function to send an alert. Before the first answer nothing is encrypted, and
    /// an alert has seven bytes (RFC 8446 section 6): fatal, illegal_parameter, which OpenSSL sends
    /// for messages that are too long.
    private func appendTooLongAlert(
        _ state: UnsafeMutablePointer<TransportState>, hasAnswered: Bool
    ) {
        if hasAnswered { return }
        let alert: [UInt8] = [21, 3, 3, 0, 2, 2, 47]
        alert.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { state.pointee.append(base, count: bytes.count) }
        }
    }

    /// Decrypts into `buffer`, at most one record per call: repeat the call until it returns
    /// ``TLSRead/wantsInput``, or until the buffer is full.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, _ transport: TLSTransport
    ) -> TLSRead {
        if let ended { return .failed(ended) }
        let state = begin(transport)
        defer { end(state) }
        #if FAULT_INJECTION
            if let read = simulated?.read(into: buffer, transport) { return read }
        #endif
        // OpenSSL has returned everything that it received, so another call could yield nothing. It
        // is made once if OpenSSL may hold a buffer that an empty read releases
        // (SSL_MODE_RELEASE_BUFFERS).
        if hasJustRead, state.pointee.inputLeft == 0, state.pointee.keptLeft == 0,
            SSL_has_pending(ssl) == 0
        {
            return .wantsInput
        }
        while true {
            let writes = state.pointee.writeCount
            state.pointee.starved = false
            var count = 0
            let result = SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
            controlRecords += state.pointee.writeCount - writes
            if result == 1 && controlRecords <= TLSLimits.controlRecords {
                hasJustRead = true
                return .bytes(count)
            }
            hasJustRead = false
            if result != 1 {
                let error = stopped(state, result)
                if error == SSL_ERROR_ZERO_RETURN { return .closedByPeer }
                guard error == SSL_ERROR_WANT_READ else {
                    return .failed(fail(handshaking: !isHandshakeDone))
                }
                if state.pointee.starved && controlRecords <= TLSLimits.controlRecords {
                    return .wantsInput
                }
                // OpenSSL read a record without data (SSL_MODE_AUTO_RETRY is off).
                controlRecords += 1
            }
            if controlRecords > TLSLimits.controlRecords {
                return .failed(fail(TLSFailure(cause: .controlFlood, code: 0)))
            }
        }
    }

    /// Why the last call failed, as in `SSL_get_error`.
    ///
    /// `SSL_get_error` checks the thread's error queue first, so the queue would have to be cleared
    /// before every call: 837 instructions, three times per request. A call that found no input
    /// failed for this reason only, and this frequent case must be cheap. All other failures leave
    /// a queue that ``fail(_:)`` clears.
    private func stopped(_ state: UnsafeMutablePointer<TransportState>, _ result: Int32) -> Int32 {
        if state.pointee.starved, SSL_want(ssl) == SSL_READING { return SSL_ERROR_WANT_READ }
        return SSL_get_error(ssl, result)
    }

    /// Encrypts all of `bytes` into the transport's output. The caller limits their size, and so
    /// that of the output.
    ///
    /// - Returns: false if the session has ended: ``failure`` says why.
    package func write(_ bytes: UnsafeRawBufferPointer, _ transport: TLSTransport) -> Bool {
        if ended != nil { return false }
        if bytes.isEmpty { return true }
        let state = begin(transport)
        defer { end(state) }
        #if FAULT_INJECTION
            if let simulated { return simulated.write(bytes, transport) }
        #endif
        var count = 0
        if SSL_write_ex(ssl, bytes.baseAddress, bytes.count, &count) == 1 { return true }
        _ = fail(TLSFailure(cause: .unusable, code: ERR_peek_error()))
        return false
    }

    /// Sends close_notify. Reading may continue; writing is no longer possible.
    package func closeNotify(_ transport: TLSTransport) {
        guard isHandshakeDone, ended == nil else { return }
        let state = begin(transport)
        defer { end(state) }
        #if FAULT_INJECTION
            if let simulated { return simulated.closeNotify(transport) }
        #endif
        if SSL_shutdown(ssl) < 0 { ERR_clear_error() }
    }

    /// TLS 1.3: updates our sending key and requests the same of the peer (RFC 8446 section 4.6.3),
    /// with the next write. Long sessions need it every 2^24 records; here it serves to test
    /// attacks on ``TLSLimits/controlRecords``.
    package func updateKeys(_ transport: TLSTransport) {
        guard isHandshakeDone, ended == nil else { return }
        let state = begin(transport)
        defer { end(state) }
        if SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) == 1 { SSL_do_handshake(ssl) }
        ERR_clear_error()
    }

    // MARK: - Unread ciphertext

    /// Keeps this session's unread ciphertext from the transport: call it at the end of the
    /// session's turn, before the receive buffer is reused. Costs nothing if everything was read.
    package func keepUnread(_ transport: TLSTransport) {
        let state = transport.state
        guard state.pointee.inputLeft > 0, let input = state.pointee.input else { return }
        let old = UnsafeRawBufferPointer(rebasing: kept[keptOffset...])
        let count = old.count + state.pointee.inputLeft
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        larger.copyMemory(from: old)
        UnsafeMutableRawBufferPointer(rebasing: larger[old.count...])
            .copyMemory(from: UnsafeRawBufferPointer(start: input, count: state.pointee.inputLeft))
        kept.deallocate()
        kept = larger
        keptOffset = 0
        state.pointee.inputLeft = 0
    }

    /// Whether ``read(into:_:)`` may return something without more input: check before waiting for
    /// the descriptor.
    package var hasUnread: Bool { keptOffset < kept.count || SSL_has_pending(ssl) == 1 }

    /// Bytes of kept ciphertext, to which new input would be appended.
    package var keptCount: Int { kept.count - keptOffset }

    private func begin(_ transport: TLSTransport) -> UnsafeMutablePointer<TransportState> {
        #if FAULT_INJECTION
            if simulated == nil, bound != transport.bio { bind(transport) }
        #else
            if bound != transport.bio { bind(transport) }
        #endif
        let state = transport.state
        if let base = kept.baseAddress {
            state.pointee.kept = UnsafeRawPointer(base + keptOffset)
            state.pointee.keptLeft = kept.count - keptOffset
        }
        return state
    }

    private func end(_ state: UnsafeMutablePointer<TransportState>) {
        if kept.baseAddress == nil { return }
        keptOffset = kept.count - state.pointee.keptLeft
        state.pointee.keptLeft = 0
        state.pointee.kept = nil
        if keptOffset == kept.count {
            kept.deallocate()
            kept = UnsafeMutableRawBufferPointer(start: nil, count: 0)
            keptOffset = 0
        }
    }

    private func bind(_ transport: TLSTransport) {
        // SSL_set_bio consumes one reference for both directions.
        BIO_up_ref(transport.bio)
        SSL_set_bio(ssl, transport.bio, transport.bio)
        bound = transport.bio
    }

    // MARK: - Failure

    private func fail(handshaking: Bool) -> TLSFailure {
        fail(TLSFailure(code: ERR_peek_error(), handshaking: handshaking))
    }

    private func fail(_ failure: TLSFailure) -> TLSFailure {
        ended = failure
        ERR_clear_error()
        return failure
    }

    // MARK: - Negotiated parameters

    /// Valid after the handshake.
    package var negotiated: TLSNegotiated {
        #if FAULT_INJECTION
            if let simulated { return simulated.negotiated }
        #endif
        let selected = selectedProtocol
        return TLSNegotiated(
            version: TLSVersion(rawValue: UInt16(truncatingIfNeeded: SSL_version(ssl))),
            applicationProtocol: TLSApplicationProtocol.allCases.first {
                $0.rawValue.utf8.elementsEqual(selected)
            },
            isResumed: SSL_session_reused(ssl) == 1)
    }

    /// The standard name of the cipher suite: `TLS_AES_128_GCM_SHA256`.
    package var cipherName: String {
        SSL_get_current_cipher(ssl).flatMap { SSL_CIPHER_standard_name($0) }
            .map { String(cString: $0) } ?? ""
    }

    /// The key exchange group: `x25519`, `secp256r1`.
    package var groupName: String? {
        let id = COpenSSL_SSL_get_negotiated_group(ssl)
        return id == 0
            ? nil
            : SSL_group_to_name(ssl, Int32(truncatingIfNeeded: id))
                .map { String(cString: $0) }
    }

    /// Whether the server's certificate is verified.
    var isVerifying: Bool { context.client.map { $0.verification != .skipped } ?? false }

    /// Server role: the name in SNI as sent, if any. Untrusted input.
    package var serverName: String? {
        withServerName(ssl) { $0.map { String(decoding: $0, as: UTF8.self) } }
    }
}

extension TLSFailure {
    init(code: UInt, handshaking: Bool) {
        self.code = code
        let reason = COpenSSL_ERR_GET_REASON(code)
        guard COpenSSL_ERR_GET_LIB(code) == ERR_LIB_SSL else {
            cause = code == 0 ? .unusable : handshaking ? .handshake : .record
            return
        }
        switch reason {
        case SSL_AD_REASON_OFFSET...(SSL_AD_REASON_OFFSET + 255):
            cause = .alertReceived(UInt8(reason - SSL_AD_REASON_OFFSET))
        case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_WRONG_VERSION_NUMBER:
            cause = handshaking ? .notTLS : .record
        case SSL_R_CERTIFICATE_VERIFY_FAILED:
            cause = .certificate
        default:
            cause = handshaking ? .handshake : .record
        }
    }
}
