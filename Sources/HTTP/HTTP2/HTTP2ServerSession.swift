import CNGHTTP2

/// Answers the requests of an ``HTTP2ServerSession``.
package protocol HTTP2ServerDelegate: AnyObject {
    /// A request head is complete. `request` is valid during the call only. Answer with
    /// ``HTTP2ServerSession/respond(stream:with:now:)``, in the call or later. Announced content is
    /// not waited for and is discarded.
    func session(
        _ session: HTTP2ServerSession, received request: RequestView, stream: HTTP2StreamID)
}

package typealias HTTP2StreamID = Int32

/// The server side of one HTTP/2 connection (RFC 9113) on nghttp2, sans I/O: bytes in, requests
/// out; answers in, bytes out. No descriptor, no clock.
///
/// ```
///            receive / respond / send          limit or drain(), answers sent
///  ──► open ─────────────────────────► closing ─────────────────────► finished (GOAWAY sent)
///        │     resets, pings, SETTINGS    │ new requests: REFUSED_STREAM
///        │     above their budget         │
///        └── budget or rule broken ───────┴──► failed(reason): GOAWAY, nothing read any more
/// ```
///
/// GOAWAY is sent *after* the last answer, in the same write, with the last answered stream, and
/// nothing follows it. So the peer knows that its later requests were not processed (RFC 9113
/// §6.8), and clients built on Python's h2, which accept no frame after a GOAWAY, get their answer.
///
/// Call order per wake-up: ``receive(_:now:delegate:)`` with the received bytes, then
/// ``send(into:now:)`` until it returns 0, then check ``isFinished``. ``deadline`` may have
/// changed.
package final class HTTP2ServerSession {
    private enum Phase {
        case open
        /// The request limit is reached, the server drains, or a budget is spent that an eager peer
        /// may spend, too: GOAWAY after the answers.
        case closing(HTTP2CloseReason)
        /// GOAWAY was submitted to nghttp2.
        case goAwaySubmitted(HTTP2CloseReason)
        /// nghttp2 is no longer used; `goAway`: our own GOAWAY frame is still to be written.
        case failed(HTTP2CloseReason, goAway: Bool)
    }

    private let settings: HTTP2ServerSettings
    private let date: HTTPDate
    let session: OpaquePointer?
    private var phase = Phase.open
    @exclusivity(unchecked) var parts: Parts
    private(set) var now: UInt64
    private var lastStream: HTTP2StreamID = 0
    private var isDraining = false
    private var peerSaidGoAway = false
    /// Set during ``receive(_:now:delegate:)`` only.
    private unowned(unsafe) var delegate: (any HTTP2ServerDelegate)?

    /// - Parameters:
    ///   - date: the session keeps it, as field lists point to its text.
    ///   - now: monotonic time in nanoseconds.
    package init(
        settings: HTTP2ServerSettings, date: HTTPDate, now: UInt64
    ) throws(HTTP2Error) {
        self.settings = settings
        self.date = date
        self.now = now
        parts = Parts(guardian: FloodGuard(limits: settings.limits, now: now))
        var created: OpaquePointer?
        var memory = settings.blocks.functions
        let result = nghttp2_session_server_new3(
            &created, settings.callbacks, nil, settings.options, &memory)
        session = created
        try HTTP2Error.check(result, "nghttp2_session_server_new3")
        nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        let submitted = settings.withInitialSettings { entries, count in
            nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, count)
        }
        try HTTP2Error.check(submitted, "nghttp2_submit_settings")
    }

    deinit {
        parts.fields.release()
        nghttp2_session_del(session)
    }

    // MARK: What the server asks

    /// Requests passed to the delegate.
    package var requestCount: Int { parts.requests }

    /// Requests whose answer was sent completely.
    package var answeredCount: Int { parts.answered }

    /// Why the connection ends, once known.
    package var closeReason: HTTP2CloseReason? {
        switch phase {
        case .open: nil
        case .closing(let reason), .goAwaySubmitted(let reason), .failed(let reason, _): reason
        }
    }

    /// Whether the peer exceeded a budget or violated a rule: nothing more is read.
    package var hasFailed: Bool {
        if case .failed = phase { return true }
        return false
    }

    /// Whether everything was sent: close the connection in order (close_notify, linger).
    package var isFinished: Bool {
        if parts.output.hasRest { return false }
        switch phase {
        case .failed(_, let goAway): return !goAway
        case .goAwaySubmitted:
            return (openRequests == 0 || nghttp2_session_want_read(session) == 0)
                && nghttp2_session_want_write(session) == 0
        case .open:
            // nghttp2 ends a session with a GOAWAY; the callback after its sending ends this phase.
            return false
        case .closing:
            return nghttp2_session_want_read(session) == 0
                && nghttp2_session_want_write(session) == 0
        }
    }

    /// Whether ``send(into:now:)`` has something to write now. False while only the peer's flow
    /// control windows block answers.
    package var wantsSend: Bool {
        if parts.output.hasRest { return true }
        if case .failed(_, let goAway) = phase { return goAway }
        return nghttp2_session_want_write(session) != 0
    }

    /// Requests received whose answer is not completely sent.
    package var openRequests: Int { requestCount - answeredCount - parts.abandoned }

    /// When the connection counts as stalled; nil while no answer is under way. At that time call
    /// ``deadlinePassed(now:)``.
    package var deadline: UInt64? {
        if case .failed = phase { return nil }
        return parts.deadline
    }

    // MARK: Input

    /// Processes all bytes of the peer and passes complete requests to the delegate.
    package func receive(
        _ bytes: UnsafeRawBufferPointer, now: UInt64, delegate: any HTTP2ServerDelegate
    ) {
        self.now = now
        if case .failed = phase { return }
        var windingDown: HTTP2CloseReason?
        if let reason = judge(bytes, windingDown: &windingDown) { return fail(reason) }
        guard let base = bytes.baseAddress else { return }
        self.delegate = delegate
        let result = CNGHTTP2_session_mem_recv(
            session, base.assumingMemoryBound(to: UInt8.self), bytes.count)
        self.delegate = nil
        if result < 0 {
            fail(reason(ofFailure: Int32(truncatingIfNeeded: result)))
        } else if let windingDown, case .open = phase {
            // Requests that came with the frame are answered.
            phase = .closing(windingDown)
            submitGoAwayIfDone()
        }
    }

    /// Counts the bytes and their frames, before nghttp2 processes them.
    private func judge(
        _ bytes: UnsafeRawBufferPointer, windingDown: inout HTTP2CloseReason?
    ) -> HTTP2CloseReason? {
        if let reason = parts.guardian.bytesReceived(bytes.count) { return reason }
        var rest = bytes
        while let head = parts.scanner.next(&rest) {
            switch parts.guardian.frameReceived(head, now: now) {
            case nil: break
            case .windDown(let reason): windingDown = reason
            case .fail(let reason): return reason
            }
            if let reason = parts.history.judge(head) { return reason }
        }
        return nil
    }

    /// Answers a request, behind its content if that is short. Does nothing if its stream is gone.
    package func respond(stream: HTTP2StreamID, with response: PreparedResponse, now: UInt64) {
        if case .failed = phase { return }
        guard let slot = slot(of: stream), parts.streams[slot].response == nil else {
            return
        }
        parts.streams[slot].response = response
        parts.streams[slot].body = response.body.bytes
        parts.guardian.answerBegan(now: now)
        if !awaitsContent(slot, stream: stream) { submit(slot, stream: stream, response) }
    }

    func submit(_ slot: Int, stream: HTTP2StreamID, _ response: PreparedResponse) {
        let hasContent = response.body.count > 0 && !parts.streams[slot].isHead
        let result = response.fieldBlock.withFields(date: date) { fields, count in
            guard hasContent else {
                return CNGHTTP2_submit_response(session, stream, fields, count, nil)
            }
            var data = CNGHTTP2_data_provider(
                source: nghttp2_data_source(fd: Int32(truncatingIfNeeded: slot)),
                read_callback: HTTP2ServerCallbacks.readContent)
            return CNGHTTP2_submit_response(session, stream, fields, count, &data)
        }
        if result != 0 { fail(.internalError) }
    }

    /// Accepts no new requests: GOAWAY after the answers under way. A connection without a request
    /// so far may send one, as it may be on its way already.
    package func drain() {
        if requestCount > 0 { return end() }
        isDraining = true
    }

    /// Like ``drain()``, but not even a first request is accepted: the connection ends. By GOAWAY
    /// the peer knows that a request on its way was not processed (RFC 9113 §6.8).
    package func end() {
        guard case .open = phase else { return }
        phase = .closing(.drained)
        submitGoAwayIfDone()
    }

    /// ``deadline`` has passed.
    package func deadlinePassed(now: UInt64) {
        self.now = now
        if let deadline = parts.awaited.deadline, now >= deadline { answerAwaited() }
        if let deadline = parts.guardian.deadline, now >= deadline { fail(.stalled) }
    }

    // MARK: Output

    /// Fills a buffer with as many frames as are pending and fit.
    ///
    /// - Parameter buffer: at least 1 KiB; 16 KiB fill TLS records.
    /// - Returns: the bytes written; 0 if there is nothing to send now.
    package func send(into buffer: UnsafeMutableRawBufferPointer, now: UInt64) -> Int {
        self.now = now
        parts.output.begin(buffer)
        if parts.output.hasRest { return parts.output.finish() }
        switch phase {
        case .failed(let reason, goAway: true):
            writeGoAway(reason)
        case .failed(_, goAway: false):
            break
        case .open, .closing, .goAwaySubmitted:
            if nghttp2_session_send(session) != 0 { fail(.internalError) }
        }
        return parts.output.finish()
    }

    private func writeGoAway(_ reason: HTTP2CloseReason) {
        let frame = HTTP2FrameHead.goAway(lastStream: lastStream, code: reason.errorCode)
        let written = frame.withUnsafeBytes { parts.output.write($0) }
        if written > 0 { phase = .failed(reason, goAway: false) }
    }

    private func fail(_ reason: HTTP2CloseReason) {
        if case .failed = phase { return }
        phase = .failed(reason, goAway: true)
    }

    private func reason(ofFailure code: Int32) -> HTTP2CloseReason {
        // A callback that ended the session has set the reason.
        if case .failed(let reason, _) = phase { return reason }
        switch nghttp2_error(code) {
        case NGHTTP2_ERR_BAD_CLIENT_MAGIC: return .badPreface
        case NGHTTP2_ERR_FLOODED: return .acknowledgementBudget
        case NGHTTP2_ERR_CALLBACK_FAILURE, NGHTTP2_ERR_NOMEM: return .internalError
        default: return .protocolError
        }
    }
}

// MARK: - Called by nghttp2

extension HTTP2ServerSession {
    /// Whether nghttp2 may continue.
    typealias MayContinue = Bool

    func fieldBlockBegan(isRequest: Bool) -> MayContinue {
        parts.guardian.fieldBlockBegan()
        if isRequest { parts.fields.begin() }
        return true
    }

    func fieldReceived(name: OpaquePointer, value: OpaquePointer) -> MayContinue {
        let size = HTTP2Buffer.bytes(name).count + HTTP2Buffer.bytes(value).count + 32
        let verdict = parts.guardian.fieldReceived(size: size)
        if case .close(let reason) = verdict { return judge(reason) }
        let isSkipped = verdict == .skip
        if isSkipped { parts.fields.skip() }
        // Of a request with too large a head, the path is read all the same.
        let isRead = !isSkipped || HTTP2Buffer.bytes(name).first == Octet.colon
        if isRead, parts.fields.isCollecting {
            parts.fields.add(name: name, value: value, limits: Self.headLimits)
        }
        return true
    }

    func requestReceived(stream: HTTP2StreamID, endsStream: Bool) -> MayContinue {
        defer { parts.fields.release() }
        guard case .open = phase else {
            // Not processed: the client may retry on another connection (RFC 9113 §8.7).
            nghttp2_submit_rst_stream(
                session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream,
                HTTP2ErrorCode.refusedStream.rawValue)
            return true
        }
        parts.requests += 1
        lastStream = stream
        let view = parts.fields.view(hasBody: !endsStream)
        let slot = parts.streams.insert(
            isHead: view.method == .head,
            content: endsStream ? .none : parts.fields.expectsContinue ? .withheld : .coming)
        nghttp2_session_set_stream_user_data(
            session, stream, UnsafeMutableRawPointer(bitPattern: slot + 1))
        if let limit = settings.limits.requestsPerConnection, requestCount >= limit {
            phase = .closing(.requestLimit)
        } else if isDraining {
            phase = .closing(.drained)
        }
        delegate?.session(self, received: view, stream: stream)
        if case .failed = phase { return false }
        return true
    }

    func invalidFrameReceived() -> MayContinue {
        judge(parts.guardian.resetProvoked())
    }

    func frameSent(_ frame: UnsafePointer<nghttp2_frame>) {
        let head = frame.pointee.hd
        switch nghttp2_frame_type(UInt32(head.type)) {
        case NGHTTP2_HEADERS, NGHTTP2_DATA:
            guard head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 else { return }
            if let slot = slot(of: head.stream_id) { answerIsWhole(slot, stream: head.stream_id) }
        case NGHTTP2_GOAWAY:
            let code = HTTP2ErrorCode(rawValue: frame.pointee.goaway.error_code)
            if case .goAwaySubmitted = phase { return }
            // nghttp2's own: the peer violated the protocol.
            if code != .noError { phase = .goAwaySubmitted(HTTP2CloseReason(errorCode: code)) }
        default:
            break
        }
    }

    func streamClosed(_ stream: HTTP2StreamID) {
        guard let slot = slot(of: stream) else { return }
        let isWhole = parts.streams[slot].isWhole
        let isAnswered = parts.streams[slot].response != nil
        parts.streams.remove(slot)
        if isWhole { return }
        parts.awaited.remove(stream)
        parts.abandoned += 1
        if isAnswered { parts.guardian.answerEnded(whole: false, now: now) }
        submitGoAwayIfDone()
    }

    /// The last frame of an answer was written.
    private func answerIsWhole(_ slot: Int, stream: HTTP2StreamID) {
        stopContent(slot, stream: stream)
        parts.streams[slot].isWhole = true
        parts.answered += 1
        parts.guardian.answerEnded(whole: true, now: now)
        submitGoAwayIfDone()
    }

    /// A GOAWAY from the client concerns streams that we would open: none. The client may still
    /// send requests (RFC 9113 §6.8) while answers are under way; after that nghttp2 accepts none.
    func goAwayReceived() {
        peerSaidGoAway = true
        submitGoAwayIfDone()
    }

    private func submitGoAwayIfDone() {
        guard openRequests == 0 else { return }
        if case .open = phase, peerSaidGoAway {
            // The peer does not wait for a GOAWAY in reply to its own.
            phase = .goAwaySubmitted(.peerGoAway)
        }
        guard case .closing(let reason) = phase else { return }
        phase = .goAwaySubmitted(reason)
        let result = nghttp2_submit_goaway(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), lastStream, reason.errorCode.rawValue,
            nil, 0)
        if result != 0 { fail(.internalError) }
    }

    private func judge(_ reason: HTTP2CloseReason?) -> MayContinue {
        guard let reason else { return true }
        fail(reason)
        return false
    }
}
