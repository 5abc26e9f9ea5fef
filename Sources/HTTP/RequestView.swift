/// The request method, as far as this server distinguishes them (RFC 9110 §9).
package enum RequestMethod: Sendable, Hashable {
    case get
    case head
    /// Every other method: the association paths answer it like GET
    /// (design, rule 1: 200 or 503 and nothing else).
    case other
}

/// The HTTP version of a request (RFC 9112 §2.3, RFC 9113).
package enum HTTPVersion: Sendable, Hashable {
    case http10
    case http11
    case http2
}

/// A request head, borrowed from the buffer it was parsed in.
///
/// Valid only during the call that provides it: do not keep any part. Nothing is decoded,
/// normalized or copied.
package struct RequestView {
    package var method: RequestMethod
    package var version: HTTPVersion
    /// The method as sent: a token of any length that fits the head.
    package var methodName: UnsafeRawBufferPointer
    /// The request target as sent (HTTP/2: `:path`): visible ASCII and octets above 0x7F,
    /// no control octet, no space.
    package var target: UnsafeRawBufferPointer
    /// The path of the target, undecoded, up to `?`. Empty for `CONNECT`; `*` for `OPTIONS *`.
    package var path: UnsafeRawBufferPointer
    /// Host and optional port: from an absolute target if there is one (RFC 9112 §3.2.2), else from
    /// Host or `:authority`. Nil if the request has none; may be empty.
    package var authority: UnsafeRawBufferPointer?
    /// The value of User-Agent, if sent.
    package var userAgent: UnsafeRawBufferPointer?
    /// The value of the last Accept field, if sent; nil over HTTP/2, where nothing uses it.
    package var accept: UnsafeRawBufferPointer?
    /// The value of Authorization, if sent; nil over HTTP/2, where nothing uses it.
    package var authorization: UnsafeRawBufferPointer?
    /// Whether content follows the head. It is never read: the answer does not depend on it.
    package var hasBody: Bool
    /// Whether the connection must be closed after this answer (`Connection: close`, HTTP/1.0, or a
    /// ``fault``). Always false for HTTP/2, where the session ends the connection.
    package var wantsClose: Bool
    /// What is wrong with the request: close after the answer.
    package var fault: RejectReason?
}

/// Why a message was rejected, or answered and the connection then closed.
///
/// In no case are the bytes that follow parsed as a message, so that no framing ambiguity can be
/// exploited (RFC 9112 §11.2, request smuggling).
package enum RejectReason: String, Sendable, Hashable, CaseIterable {
    /// Two parsers could read the message differently (RFC 9112 §2.2): it gets an error.
    case unreadable
    /// The request line fills the head: it gets an error.
    case requestLineTooLong
    /// No host, several, or none that can be one (RFC 9112 §3.2): it gets an error.
    case invalidHost
    /// The request is answered without the fields beyond the limit.
    case headTooLarge
    /// More fields, or a longer target, than a client sends. The request is answered.
    case overLimit
    /// The request has content, or its length is not clear. The request is answered.
    case content

    /// Whether the request is clear enough to be answered with what it asks for.
    package var isAnswered: Bool {
        switch self {
        case .unreadable, .requestLineTooLong, .invalidHost: false
        case .headTooLarge, .overLimit, .content: true
        }
    }
}
