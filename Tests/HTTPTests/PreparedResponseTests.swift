import TestSupport
// Covers: PinnedBytes.swift, HTTPField.swift
import Testing

@testable import HTTP

struct PreparedResponseTests {
    let date = HTTPDate(unixSeconds: 784_111_777)

    func head(_ response: PreparedResponse, close: Bool) -> String {
        var buffer = [UInt8](repeating: 0, count: response.http1HeadCount(close: close))
        let count = buffer.withUnsafeMutableBytes {
            response.writeHTTP1Head(into: $0, date: date, close: close)
        }
        expectEqual(count, buffer.count)
        return String(decoding: buffer, as: UTF8.self)
    }

    @Test func http1Head() {
        let response = PreparedResponse(
            status: 200, fields: [("Content-Type", "application/json")], body: Array("{}".utf8))
        expectEqual(
            head(response, close: false),
            "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n")
        expectEqual(
            head(response, close: true),
            "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                + "Content-Type: application/json\r\nContent-Length: 2\r\n"
                + "Connection: close\r\n\r\n")
        let body = withExtendedLifetime(response) { Array(response.body.bytes) }
        expectEqual(body, Array("{}".utf8))
    }

    @Test func emptyBody() {
        let response = PreparedResponse(status: 503, fields: [("Retry-After", "60")], body: [])
        expectEqual(
            head(response, close: false),
            "HTTP/1.1 503 Service Unavailable\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                + "Retry-After: 60\r\nContent-Length: 0\r\n\r\n")
        expectEqual(response.body.count, 0)
    }

    @Test func noConfiguredValueCanAddALine() {
        let response = PreparedResponse(
            status: 200, fields: [("Cache-Control", " a\r\nSet-Cookie: b\u{0} ")], body: [])
        expectEqual(response.fields.map(\.value), ["a  Set-Cookie: b"])
    }
}
