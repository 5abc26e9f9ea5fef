/// The head of a response as a server sent it.
package struct HTTP1ResponseHead: Sendable, Hashable {
    /// Every octet of the head, including its empty line.
    package var raw: [UInt8]
    package var status: Int
    package var reason: String
    /// In the order received, names as sent.
    package var fields: [HTTPField]

    /// All values of the fields named `name` (lower case).
    package func values(of name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name }.map(\.value)
    }
}

/// Why a response is invalid.
package enum HTTP1ResponseFault: String, Error, Sendable, Hashable, CaseIterable {
    case notHTTP = "not-http"
    case headTooLarge = "head-too-large"
    case invalidField = "invalid-field"
    case invalidContentLength = "invalid-content-length"
    case conflictingContentLength = "conflicting-content-length"
    case invalidChunk = "invalid-chunk"
    case bodyTooLarge = "body-too-large"
    case tooManyInterim = "too-many-interim-responses"
    /// The connection ended before the head was complete.
    case cutInHead = "cut-in-head"
    /// The connection ended before the body was complete.
    case cutInBody = "cut-in-body"

    package var explanation: String {
        switch self {
        case .notHTTP: "the bytes do not begin with an HTTP/1 status line"
        case .headTooLarge:
            "the response head is larger than \(HTTP1ResponseParser.headBytes) bytes"
        case .invalidField: "a header line has no colon or an invalid name"
        case .invalidContentLength: "Content-Length is not a number"
        case .conflictingContentLength: "the response has several Content-Length fields that differ"
        case .invalidChunk: "the chunked coding of the body is invalid"
        case .bodyTooLarge: "the body is larger than the reader allows"
        case .tooManyInterim: "too many 1xx responses before the final one"
        case .cutInHead: "the connection closed before the response head was complete"
        case .cutInBody: "the connection closed before the body was complete"
        }
    }
}
