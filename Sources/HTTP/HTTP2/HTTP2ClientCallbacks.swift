import CNGHTTP2

/// nghttp2's callbacks for a client: each finds its session and calls it.
enum HTTP2ClientCallbacks {
    static func install(in callbacks: OpaquePointer) {
        CNGHTTP2_session_callbacks_set_send_callback(callbacks) { _, data, count, _, context in
            with(context) {
                let written = $0.write(UnsafeRawBufferPointer(start: data, count: count))
                return written > 0 ? written : Int(NGHTTP2_ERR_WOULDBLOCK.rawValue)
            } ?? Int(failure)
        }
        nghttp2_session_callbacks_set_on_header_callback2(callbacks) {
            _, frame, name, value, _, context in
            guard let frame, let name, let value else { return failure }
            return tell(context) {
                $0.fieldReceived(
                    stream: frame.pointee.hd.stream_id, name: HTTP2Buffer.bytes(name),
                    value: HTTP2Buffer.bytes(value))
            }
        }
        // nghttp2 drops a field that RFC 9113 §8.2.1 forbids.
        nghttp2_session_callbacks_set_on_invalid_header_callback2(callbacks) {
            _, frame, name, value, _, context in
            guard let frame, let name, let value else { return failure }
            let bytes = HTTP2Buffer.bytes(name).count + HTTP2Buffer.bytes(value).count
            return tell(context) { $0.takes(frame.pointee.hd.stream_id, bytes: bytes) }
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
            _, _, stream, data, count, context in
            tell(context) {
                $0.contentReceived(
                    stream: stream, UnsafeRawBufferPointer(start: data, count: count))
            }
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, context in
            guard let frame else { return failure }
            return tell(context) { received(frame, by: $0) }
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) {
            _, stream, code, context in
            tell(context) {
                $0.streamClosed(stream: stream, code: HTTP2ErrorCode(rawValue: code))
            }
        }
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) {
            _, _, code, context in
            tell(context) { $0.frameRefused(code: code) }
        }
        nghttp2_session_callbacks_set_error_callback2(callbacks) {
            _, code, text, count, context in
            tell(context) {
                let bytes = UnsafeRawBufferPointer(start: text, count: count)
                $0.explained(code: code, String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}

private func received(_ frame: UnsafePointer<nghttp2_frame>, by session: HTTP2ClientSession) {
    let head = frame.pointee.hd
    switch nghttp2_frame_type(UInt32(head.type)) {
    case NGHTTP2_HEADERS, NGHTTP2_DATA:
        if head.type == UInt8(NGHTTP2_HEADERS.rawValue) {
            session.fieldBlockEnded(stream: head.stream_id)
        }
        if head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 {
            session.streamEnded(stream: head.stream_id)
        }
    case NGHTTP2_GOAWAY:
        let goAway = frame.pointee.goaway
        session.report(
            .goAway(
                lastStream: goAway.last_stream_id,
                code: HTTP2ErrorCode(rawValue: goAway.error_code),
                debugData: Array(
                    UnsafeRawBufferPointer(
                        start: goAway.opaque_data, count: goAway.opaque_data_len))))
    default:
        break
    }
}

private var failure: Int32 { NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }

/// Calls the session; the result is the callback's.
@inline(__always)
private func tell(
    _ context: UnsafeMutableRawPointer?, _ event: (HTTP2ClientSession) -> Void
) -> Int32 {
    with(context, event) == nil ? failure : 0
}

@inline(__always)
private func with<Result>(
    _ context: UnsafeMutableRawPointer?, _ body: (HTTP2ClientSession) -> Result
) -> Result? {
    guard let context else { return nil }
    return Unmanaged<HTTP2ClientSession>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
}
