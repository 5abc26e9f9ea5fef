import CNGHTTP2

/// The fields of the request being received, kept by nghttp2's reference counts.
///
/// One per session: the field blocks of a connection are contiguous (RFC 9113 §4.3).
struct RequestFields {
    private var method: OpaquePointer?
    private var path: OpaquePointer?
    private var authority: OpaquePointer?
    private var host: OpaquePointer?
    private var userAgent: OpaquePointer?
    /// The peer waits for `100 (Continue)`. The final answer may be sent at once
    /// (RFC 9110 §10.1.1).
    private(set) var expectsContinue = false
    private var fieldCount = 0
    private var fault: RejectReason?

    private(set) var isCollecting = false

    mutating func begin() {
        release()
        isCollecting = true
    }

    /// Releases all buffers; nothing is left to free.
    mutating func release() {
        if let method { nghttp2_rcbuf_decref(method) }
        if let path { nghttp2_rcbuf_decref(path) }
        if let authority { nghttp2_rcbuf_decref(authority) }
        if let host { nghttp2_rcbuf_decref(host) }
        if let userAgent { nghttp2_rcbuf_decref(userAgent) }
        self = RequestFields()
    }

    mutating func skip() {
        fault = fault ?? .headTooLarge
    }

    /// Keeps what answers depend on; other fields are not copied.
    mutating func add(name: OpaquePointer, value: OpaquePointer, limits: HTTP1Limits) {
        let text = HTTP2Buffer.bytes(name)
        guard let first = text.first else { return }
        if first == Octet.colon {
            if text.equals(":path") {
                if HTTP2Buffer.bytes(value).count > limits.targetBytes {
                    fault = fault ?? .overLimit
                }
                Self.keep(value, in: &path)
            } else if text.equals(":method") {
                Self.keep(value, in: &method)
            } else if text.equals(":authority") {
                Self.keep(value, in: &authority)
                judgeHost(value)
            }
            return
        }
        fieldCount += 1
        if fieldCount > limits.fieldCount {
            fault = fault ?? .overLimit
        } else if text.equals("user-agent") {
            Self.keep(value, in: &userAgent)
        } else if text.equals("host") {
            Self.keep(value, in: &host)
            judgeHost(value)
        } else if text.equals("expect") {
            expectsContinue = HTTP2Buffer.bytes(value).equalsIgnoringCase("100-continue")
        }
    }

    /// The request; valid until the next mutating call.
    func view(hasBody: Bool) -> RequestView {
        let name = method.map(HTTP2Buffer.bytes) ?? UnsafeRawBufferPointer(start: nil, count: 0)
        let target = path.map(HTTP2Buffer.bytes) ?? UnsafeRawBufferPointer(start: nil, count: 0)
        return RequestView(
            method: name.equals("GET") ? .get : name.equals("HEAD") ? .head : .other,
            version: .http2, methodName: name, target: target,
            path: target.slice(0, target.endOfPath(from: 0, to: target.count)),
            authority: (authority ?? host).map(HTTP2Buffer.bytes),
            userAgent: userAgent.map(HTTP2Buffer.bytes), hasBody: hasBody, wantsClose: false,
            fault: fault)
    }

    /// An invalid host takes precedence over every other fault: the request gets an error.
    private mutating func judgeHost(_ value: OpaquePointer) {
        if !HTTPAuthority.isValid(HTTP2Buffer.bytes(value)) { fault = .invalidHost }
    }

    private static func keep(_ value: OpaquePointer, in place: inout OpaquePointer?) {
        nghttp2_rcbuf_incref(value)
        if let old = place { nghttp2_rcbuf_decref(old) }
        place = value
    }
}

/// Access to nghttp2's reference-counted buffers.
enum HTTP2Buffer {
    @inline(__always)
    static func bytes(_ buffer: OpaquePointer) -> UnsafeRawBufferPointer {
        let vector = nghttp2_rcbuf_get_buf(buffer)
        return UnsafeRawBufferPointer(start: vector.base, count: vector.len)
    }
}
