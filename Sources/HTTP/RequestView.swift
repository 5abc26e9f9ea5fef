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
    /// Whether the peer waits for `100 (Continue)`. The final answer may be sent at once
    /// (RFC 9110 §10.1.1).
    package var expectsContinue: Bool
    /// Why a request that can still be answered is invalid: close after the answer, and count this
    /// reason.
    package var fault: RejectReason?
}

/// Why a message was rejected, or answered and the connection then closed.
///
/// The first two groups allow no safe reading of the message or of its host: it gets an error, and
/// the connection is closed. In the third, method, path and host are clear: the request is
/// answered. In no case are the bytes that follow parsed as a message, so that no framing ambiguity
/// can be exploited (RFC 9112 §11.2, request smuggling).
package enum RejectReason: String, Sendable, Hashable, CaseIterable {
    // Answered with an error, then closed: the message is not clear (RFC 9112 §2.2).
    case requestLineTooLong
    case emptyLines
    case invalidMethod
    case invalidTarget
    case invalidVersion
    case unsupportedVersion
    case bareLineFeed
    case bareCarriageReturn
    case controlOctet
    case foldedField
    case spaceBeforeColon
    case invalidFieldName

    // Answered with an error, then closed: the host is not clear (RFC 9112 §3.2).
    case missingHost
    case invalidHost
    case duplicateHost

    // Answered, then closed.
    case headTooLarge
    case tooManyFields
    case targetTooLong
    case body
    case transferEncoding
    case invalidContentLength
    case duplicateContentLength
    case contentLengthAndTransferEncoding

    /// Whether the request is clear enough to be answered with what it asks for.
    package var isAnswered: Bool {
        switch self {
        case .requestLineTooLong, .emptyLines, .invalidMethod, .invalidTarget, .invalidVersion,
            .unsupportedVersion, .bareLineFeed, .bareCarriageReturn, .controlOctet, .foldedField,
            .spaceBeforeColon, .invalidFieldName, .missingHost, .invalidHost, .duplicateHost:
            false
        case .headTooLarge, .tooManyFields, .targetTooLong, .body, .transferEncoding,
            .invalidContentLength, .duplicateContentLength, .contentLengthAndTransferEncoding:
            true
        }
    }
}
