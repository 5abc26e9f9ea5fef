import CNGHTTP2

/// nghttp2's callbacks: each finds its session and calls it. They decide nothing.
///
/// `_withUnsafeGuaranteedRef` saves a retain and a release per call: the caller of nghttp2 holds
/// the session.
enum HTTP2ServerCallbacks {
    static func install(in callbacks: OpaquePointer) {
        CNGHTTP2_session_callbacks_set_send_callback(callbacks) { _, data, count, _, context in
            with(context) {
                let written = $0.write(UnsafeRawBufferPointer(start: data, count: count))
                return written > 0 ? written : Int(wouldBlock)
            } ?? Int(failure)
        }
        nghttp2_session_callbacks_set_send_data_callback(callbacks) {
            _, _, head, count, source, context in
            with(context) {
                guard let head, let source else { return failure }
                let slot = Int(source.pointee.fd)
                return $0.sendContent(slot: slot, head: head, count: count) ? 0 : wouldBlock
            } ?? failure
        }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, context in
            with(context) {
                $0.fieldBlockBegan(isRequest: isRequest(frame)) ? 0 : failure
            } ?? failure
        }
        nghttp2_session_callbacks_set_on_header_callback2(callbacks) {
            _, _, name, value, _, context in
            with(context) {
                guard let name, let value else { return failure }
                return $0.fieldReceived(name: name, value: value) ? 0 : failure
            } ?? failure
        }
        // A field that RFC 9113 §8.2.1 forbids makes the request malformed; without this callback
        // nghttp2 would drop the field and continue.
        nghttp2_session_callbacks_set_on_invalid_header_callback2(callbacks) {
            _, _, _, _, _, _ in NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, context in
            with(context) {
                guard let frame else { return failure }
                let head = frame.pointee.hd
                if isRequest(frame) {
                    let ends = head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
                    return $0.requestReceived(stream: head.stream_id, endsStream: ends)
                        ? 0 : failure
                }
                switch nghttp2_frame_type(UInt32(head.type)) {
                case NGHTTP2_DATA, NGHTTP2_HEADERS:
                    let ends = head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
                    $0.contentReceived(stream: head.stream_id, endsStream: ends)
                case NGHTTP2_GOAWAY: $0.goAwayReceived()
                default: break
                }
                return 0
            } ?? failure
        }
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) {
            _, _, code, context in
            // Streams beyond our SETTINGS are refused, but are no violation: the peer may not have
            // received the SETTINGS yet (RFC 9113 §5.1.2). The frame budget counts them.
            if code == NGHTTP2_ERR_REFUSED_STREAM.rawValue { return 0 }
            return with(context) { $0.invalidFrameReceived() ? 0 : failure } ?? failure
        }
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, context in
            with(context) {
                if let frame { $0.frameSent(frame) }
                return 0
            } ?? failure
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) {
            _, stream, _, context in
            with(context) {
                $0.streamClosed(stream)
                return 0
            } ?? failure
        }
    }

    /// nghttp2 asks for the length of the next DATA frame; `sendContent` copies the content.
    static let readContent:
        @convention(c) (
            OpaquePointer?, Int32, UnsafeMutablePointer<UInt8>?, Int,
            UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<nghttp2_data_source>?,
            UnsafeMutableRawPointer?
        ) -> Int = { _, _, _, count, flags, source, context in
            with(context) {
                guard let flags, let source else { return Int(failure) }
                let part = $0.contentLength(slot: Int(source.pointee.fd), atMost: count)
                flags.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue
                if part.isLast { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
                return part.count
            } ?? Int(failure)
        }
}

// Functions of the file, as a C function pointer cannot capture anything.

private var failure: Int32 { NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
private var wouldBlock: Int32 { NGHTTP2_ERR_WOULDBLOCK.rawValue }

@inline(__always)
private func with<Result>(
    _ context: UnsafeMutableRawPointer?, _ body: (HTTP2ServerSession) -> Result
) -> Result? {
    guard let context else { return nil }
    return Unmanaged<HTTP2ServerSession>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
}

private func isRequest(_ frame: UnsafePointer<nghttp2_frame>?) -> Bool {
    guard let frame else { return false }
    return frame.pointee.hd.type == UInt8(NGHTTP2_HEADERS.rawValue)
        && frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
}
