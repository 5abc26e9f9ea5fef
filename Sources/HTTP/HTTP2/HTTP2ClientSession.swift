import CNGHTTP2

/// An event of a client's HTTP/2 session.
package enum HTTP2ClientEvent: Sendable, Equatable {
    /// A whole response.
    case response(stream: HTTP2StreamID, HTTP2Response)
    /// The stream ended without a response, by RST_STREAM from either side. After `refusedStream`
    /// the request may be sent again, as the server did not process it.
    case reset(stream: HTTP2StreamID, code: HTTP2ErrorCode)
    /// The response, or its head alone, is larger than the limits; its stream was cancelled.
    case tooLarge(stream: HTTP2StreamID, isHead: Bool)
    /// The connection ends; streams above `lastStream` were not processed.
    case goAway(lastStream: HTTP2StreamID, code: HTTP2ErrorCode, debugData: [UInt8])
    /// The server violated RFC 9113, and its stream or the connection ends for it; the text is
    /// nghttp2's. A field that is merely omitted is none.
    case violation(String)
}

/// The limits of a client's session, shared by many connections of one thread.
package final class HTTP2ClientSettings: HTTP2Settings {
    /// Bytes of a field section as RFC 9113 §6.5.2 counts them: 64 KiB, as for HTTP/1.
    package let headBytes = 65_536
    /// Bytes of content; more is ``HTTP2ClientEvent/tooLarge(stream:isHead:)``.
    package let bodyMaximum: Int
    /// SETTINGS_INITIAL_WINDOW_SIZE, also for the connection: 1 MiB, so that a document of
    /// 131,072 bytes never waits for a WINDOW_UPDATE.
    package let window: Int32

    /// - Parameter bodyMaximum: as for HTTP1ResponseParser, 8 MiB.
    package init(
        bodyMaximum: Int = 8 << 20, window: Int32 = 1_048_576
    ) throws(HTTP2Error) {
        self.bodyMaximum = bodyMaximum
        self.window = window
        try super.init()
        // Servers copy values with a blank at an end out of their configuration, and other clients
        // read them. A library without this option leaves such a field out.
        _ = CNGHTTP2_option_set_no_rfc9113_leading_and_trailing_ws_validation(options, 1)
        HTTP2ClientCallbacks.install(in: callbacks)
    }
}

/// The client side of one HTTP/2 connection, sans I/O: requests in, bytes out; bytes in, events
/// out. No descriptor, no clock.
///
/// Call order per wake-up: ``receive(_:)``, ``takeEvents()``, ``send(into:)`` until it returns 0.
package final class HTTP2ClientSession {
    private let settings: HTTP2ClientSettings
    private var session: OpaquePointer?
    private var output = OutputBuffer()
    private var events: [HTTP2ClientEvent] = []
    private var exchanges: [HTTP2StreamID: Exchange] = [:]
    private var hasFailed = false
    /// Takes content as it arrives, in place of ``HTTP2Response/body``.
    package var contentSink: ((UnsafeRawBufferPointer) -> Void)?
    /// nghttp2's last words about what it read, with its error.
    private var explanation: (code: Int32, text: String)?

    private struct Exchange {
        var response = HTTP2Response()
        var headBytes = 0
        var hasFinalHead = false
        var isComplete = false
        var isTooLarge = false
    }

    package init(settings: HTTP2ClientSettings) throws(HTTP2Error) {
        self.settings = settings
        let result = nghttp2_session_client_new2(
            &session, settings.callbacks, Unmanaged.passUnretained(self).toOpaque(),
            settings.options)
        try HTTP2Error.check(result, "nghttp2_session_client_new2")
        let entries = [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue),
                value: UInt32(settings.window)),
        ]
        let none = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        try HTTP2Error.check(
            nghttp2_submit_settings(session, none, entries, entries.count),
            "nghttp2_submit_settings")
        if settings.window > 65_535 {
            try HTTP2Error.check(
                nghttp2_session_set_local_window_size(session, none, 0, settings.window),
                "nghttp2_session_set_local_window_size")
        }
    }

    deinit {
        nghttp2_session_del(session)
    }

    /// Sends a request without content. It is queued while the server allows no more streams; one
    /// that is still queued when the server sends GOAWAY has no event.
    ///
    /// - Parameter fields: exactly these, in this order, pseudo-header fields included and first
    ///   (RFC 9113 §8.3.1).
    /// - Returns: its stream.
    package func request(_ fields: [HTTPField]) throws(HTTP2Error) -> HTTP2StreamID {
        let block = HTTP2FieldBlock(fields, flags: NGHTTP2_NV_FLAG_NONE.rawValue)
        let stream = withExtendedLifetime(block) {
            CNGHTTP2_submit_request(session, block.fields.baseAddress, block.fields.count, nil)
        }
        guard stream > 0 else { throw HTTP2Error(call: "nghttp2_submit_request", code: stream) }
        exchanges[stream] = Exchange()
        return stream
    }

    /// Processes bytes from the server.
    package func receive(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, !hasFailed else { return }
        let result = CNGHTTP2_session_mem_recv(
            session, base.assumingMemoryBound(to: UInt8.self), bytes.count)
        if result < 0 {
            hasFailed = true
            let error = HTTP2Error(
                call: "nghttp2_session_mem_recv", code: Int32(truncatingIfNeeded: result))
            events.append(.violation(error.description))
        }
    }

    /// The events since the last call.
    package func takeEvents() -> [HTTP2ClientEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// Fills a buffer with frames.
    ///
    /// - Returns: the bytes written; 0 if there is nothing to send.
    package func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        output.begin(buffer)
        if !hasFailed, nghttp2_session_send(session) != 0 { hasFailed = true }
        return output.finish()
    }

    /// Ends the session with GOAWAY(NO_ERROR).
    package func close() {
        nghttp2_session_terminate_session(session, HTTP2ErrorCode.noError.rawValue)
    }

    package var wantsSend: Bool { !hasFailed && nghttp2_session_want_write(session) != 0 }

    /// The bytes of content that have come of a response that is not whole yet; nil before its
    /// head has.
    package func contentReceived(of stream: HTTP2StreamID) -> Int? {
        exchanges[stream].flatMap { $0.hasFinalHead ? $0.response.bodyCount : nil }
    }

    /// Requests without an outcome.
    package var openRequests: Int { exchanges.count }

    /// Whether the connection can produce no more events.
    package var isFinished: Bool {
        hasFailed
            || (nghttp2_session_want_read(session) == 0
                && nghttp2_session_want_write(session) == 0)
    }
}

// MARK: - Called by nghttp2

extension HTTP2ClientSession {
    func write(_ bytes: UnsafeRawBufferPointer) -> Int { output.write(bytes) }

    /// Counts a field as part of the head, as RFC 9113 section 6.5.2 does.
    ///
    /// - Returns: false where there is no exchange, or its head is too large now.
    @discardableResult
    func takes(_ stream: HTTP2StreamID, bytes: Int) -> Bool {
        guard let size = exchanges[stream]?.headBytes else { return false }
        exchanges[stream]?.headBytes = size + bytes + 32
        if size + bytes + 32 <= settings.headBytes { return true }
        tooLarge(stream, isHead: true)
        return false
    }

    func fieldReceived(
        stream: HTTP2StreamID, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
    ) {
        guard takes(stream, bytes: name.count + value.count) else { return }
        let text = String(decoding: value.withoutOuterWhitespace, as: UTF8.self)
        if name.equals(":status") {
            exchanges[stream]?.response.status = Int(text) ?? 0
        } else if exchanges[stream]?.hasFinalHead == false {
            let field = HTTPField(name: String(decoding: name, as: UTF8.self), value: text)
            exchanges[stream]?.response.fields.append(field)
        }
    }

    func fieldBlockEnded(stream: HTTP2StreamID) {
        guard let exchange = exchanges[stream], !exchange.hasFinalHead else { return }
        if (100..<200).contains(exchange.response.status) {
            exchanges[stream]?.response = HTTP2Response()
        } else {
            exchanges[stream]?.hasFinalHead = true
        }
    }

    func contentReceived(stream: HTTP2StreamID, _ bytes: UnsafeRawBufferPointer) {
        guard let count = exchanges[stream]?.response.bodyCount else { return }
        if count + bytes.count > settings.bodyMaximum { return tooLarge(stream, isHead: false) }
        exchanges[stream]?.response.bodyCount = count + bytes.count
        if let contentSink {
            contentSink(bytes)
        } else {
            exchanges[stream]?.response.body.append(contentsOf: bytes)
        }
    }

    func streamEnded(stream: HTTP2StreamID) {
        exchanges[stream]?.isComplete = true
    }

    func streamClosed(stream: HTTP2StreamID, code: HTTP2ErrorCode) {
        guard let exchange = exchanges.removeValue(forKey: stream) else { return }
        if exchange.isTooLarge { return }
        // RFC 9113 §8.1: RST_STREAM(NO_ERROR) after a complete response only stops the request.
        if exchange.isComplete, exchange.hasFinalHead {
            events.append(.response(stream: stream, exchange.response))
        } else {
            events.append(.reset(stream: stream, code: code))
        }
    }

    func report(_ event: HTTP2ClientEvent) { events.append(event) }

    /// nghttp2 has something to say. Of a field it says so as well where it only leaves it out: the
    /// words wait for the frame to be refused. Without SETTINGS in front the connection ends, and
    /// no frame is refused for it.
    func explained(code: Int32, _ text: String) {
        explanation = (code, text)
        if code == NGHTTP2_ERR_SETTINGS_EXPECTED.rawValue { report(.violation(text)) }
    }

    /// nghttp2 ends the frame's stream, or the connection, for what is wrong with it.
    func frameRefused(code: Int32) {
        let words = explanation.flatMap { $0.code == code ? $0.text : nil }
        let error = HTTP2Error(call: "nghttp2_session_mem_recv", code: code)
        report(.violation(words ?? error.description))
    }

    private func tooLarge(_ stream: HTTP2StreamID, isHead: Bool) {
        guard exchanges[stream]?.isTooLarge == false else { return }
        exchanges[stream]?.isTooLarge = true
        events.append(.tooLarge(stream: stream, isHead: isHead))
        nghttp2_submit_rst_stream(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, HTTP2ErrorCode.cancel.rawValue)
    }
}
