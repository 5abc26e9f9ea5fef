/// A response that is serialized once, with its snapshot, except for the date.
///
/// Sending copies a head of some 200 bytes and points to the body; nothing is allocated per
/// request. For HTTP/2 it holds a prepared field list that points to the names and values here: a
/// session retains the response until its stream is closed.
///
/// `Content-Length` and `Date` are added here, and nothing else: no validator, no
/// `Accept-Ranges` (design, rule 1).
package final class PreparedResponse: Sendable {
    package let status: Int
    /// The fields as given, without Content-Length and Date.
    package let fields: [HTTPField]
    package let body: PinnedBytes
    /// The HTTP/1.1 heads, with a place for the date.
    private let keepAliveHead: PinnedBytes
    private let closingHead: PinnedBytes
    private let dateOffset: Int
    let fieldBlock: HTTP2FieldBlock

    /// - Parameters:
    ///   - status: a final status (200 to 599).
    ///   - fields: in the order they are sent. Names must be tokens. Octets that are forbidden in
    ///     values (RFC 9110 §5.5) are sent as spaces, so that no configuration can inject a field.
    ///   - body: omitted for HEAD.
    package init(status: Int, fields: [(name: String, value: String)], body: [UInt8]) {
        precondition((200...599).contains(status), "not a final status")
        precondition(fields.allSatisfy { HTTPField.isValid(name: $0.name) }, "not a token")
        self.status = status
        self.fields = fields.map { HTTPField(name: $0.name, value: Self.cleaned($0.value)) }
        self.body = PinnedBytes(body)
        var sent = self.fields
        // RFC 9110 §8.6: not with 204.
        if status != 204 {
            sent.append(HTTPField(name: "Content-Length", value: String(body.count)))
        }
        fieldBlock = HTTP2FieldBlock(status: status, fields: sent)
        let blank = String(repeating: " ", count: HTTPDate.byteCount)
        sent.insert(HTTPField(name: "Date", value: blank), at: 0)
        dateOffset = HTTP1ResponseWriter.statusLine(status).count + "Date: ".utf8.count
        keepAliveHead = PinnedBytes(
            HTTP1ResponseWriter.head(status: status, fields: sent, close: false))
        closingHead = PinnedBytes(
            HTTP1ResponseWriter.head(status: status, fields: sent, close: true))
    }

    /// The size of the HTTP/1.1 head.
    package func http1HeadCount(close: Bool) -> Int {
        (close ? closingHead : keepAliveHead).count
    }

    /// Writes the HTTP/1.1 head; a HEAD request gets the same one as GET (RFC 9110 §9.3.2).
    ///
    /// - Parameters:
    ///   - buffer: at least ``http1HeadCount(close:)`` bytes.
    ///   - close: whether to send `Connection: close`.
    /// - Returns: the bytes written.
    package func writeHTTP1Head(
        into buffer: UnsafeMutableRawBufferPointer, date: HTTPDate, close: Bool
    ) -> Int {
        let head = close ? closingHead : keepAliveHead
        precondition(buffer.count >= head.count, "no room for the head")
        buffer.copyMemory(from: head.bytes)
        UnsafeMutableRawBufferPointer(rebasing: buffer[dateOffset...])
            .copyMemory(from: date.bytes)
        return head.count
    }

    /// Replaces control octets by spaces and trims white space.
    private static func cleaned(_ value: String) -> String {
        if HTTPField.isValid(value: value) { return value }
        return value.utf8.map { Octet.isControl($0) ? Octet.space : $0 }.withUnsafeBytes {
            String(decoding: $0.withoutOuterWhitespace, as: UTF8.self)
        }
    }
}
