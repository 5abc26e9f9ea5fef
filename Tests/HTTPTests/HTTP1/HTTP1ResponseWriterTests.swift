import TestSupport
import Testing

@testable import HTTP

@Suite struct HTTP1ResponseWriterTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func aMessageThatEndsTheConnection() {
        let message = HTTP1ResponseWriter.message(
            status: 401, fields: [HTTPField(name: "A", value: "b")], body: Array("no".utf8),
            headOnly: false)
        expectEqual(
            text(message),
            "HTTP/1.1 401 Unauthorized\r\nA: b\r\nContent-Length: 2\r\n"
                + "Connection: close\r\n\r\nno")
    }

    @Test func headTellsTheLengthAndLeavesTheBodyOut() {
        let message = HTTP1ResponseWriter.message(
            status: 200, fields: [], body: Array("body".utf8), headOnly: true)
        #expect(text(message).hasSuffix("Content-Length: 4\r\nConnection: close\r\n\r\n"))
    }

    /// RFC 9112 section 4: the phrase may be empty, the blank before it may not be missing.
    @Test func aStatusWithoutPhrase() {
        expectEqual(text(HTTP1ResponseWriter.statusLine(299)), "HTTP/1.1 299 \r\n")
    }
}
