import TestSupport
import Testing

@testable import AASAServer

@Suite struct PlainHTTPTests {
    @Test(
        arguments: [
            ("GET / HTTP/1.1\r\n", true), ("HEAD /", true), ("POST /x", true), ("OPTIO", true),
            ("PRI * HTTP/2.0\r\n", true), ("PRI * XYZZY/2.0\r\n", false), ("GETTY", false),
            ("get / HTTP/1.1", false), ("SSH-2.0-OpenSSH", false), ("\u{16}\u{3}\u{1}", false),
        ] as [(String, Bool)])
    func aRequestIsToldFromNoise(_ text: String, _ isRequest: Bool) {
        let bytes = Array(text.utf8)
        expectEqual(bytes.withUnsafeBytes(PlainHTTP.isRequest), isRequest)
    }

    @Test func theAnswerIsWhole() throws {
        let text = PlainHTTP.answer.description
        let parts = text.split(separator: "\r\n\r\n")
        let body = try #require(parts.last)
        expectEqual(parts.count, 2)
        #expect(parts[0].contains("Content-Length: \(body.utf8.count)\r\n"))
    }
}
