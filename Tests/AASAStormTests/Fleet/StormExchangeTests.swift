import HTTP
import TestSupport
import Testing

@testable import AASAStorm

@Suite struct StormExchangeTests {
    private func outcome(_ answer: String, closes: Bool = false) -> DeviceOutcome? {
        let exchange = exchange()
        let outcome = Array(answer.utf8).withUnsafeBytes { exchange.receive($0) }
        return outcome ?? (closes ? exchange.endOfStream() : nil)
    }

    private func exchange() -> any StormExchange {
        StormHTTP1Exchange(
            StormRequest(authority: "example.com", path: "/x", userAgent: "swcd"))
    }

    @Test func sendsItsRequestOnce() {
        let exchange = exchange()
        expectEqual(
            String(decoding: exchange.output(), as: UTF8.self),
            "GET /x HTTP/1.1\r\nHost: example.com\r\nAccept: */*\r\n"
                + "Accept-Language: en-us\r\nConnection: close\r\nUser-Agent: swcd\r\n\r\n")
        #expect(exchange.output().isEmpty)
    }

    @Test func knowsWhatTheVerdictDependsOn() {
        let exchange = exchange()
        let answer =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
            + "Content-Length: 2\r\n\r\n{}"
        _ = Array(answer.utf8).withUnsafeBytes { exchange.receive($0) }
        #expect(exchange.type == "application/json" && exchange.codings == ["gzip"])
        expectEqual(exchange.content.bytes, Array("{}".utf8))
    }

    @Test(arguments: [
        (200, DeviceOutcome.associated), (206, .failed(.badAnswer)), (301, .denied(.refused)),
        (304, .denied(.refused)),
        (404, .denied(.refused)), (429, .denied(.refused)), (500, .willRetry), (503, .willRetry),
    ])
    func statusInTheDevicesTerms(status: Int, expected: DeviceOutcome) {
        expectEqual(
            outcome("HTTP/1.1 \(status) X\r\nContent-Length: 2\r\n\r\n{}", closes: true), expected
        )
    }

    /// Devices are not known to refuse what nghttp2 leaves out.
    @Test func `A field that is left out of an answer over HTTP2 spoils nothing`() throws {
        let exchange = try StormHTTP2Exchange(
            StormRequest(authority: "example.com", path: "/x", userAgent: "swcd"),
            HTTP2ClientSettings())
        _ = exchange.output()
        let answer = HTTP2Frames.answer(
            status: 0x88, fields: [(name: "a", value: "b "), (name: "x-bad", value: "\u{1}")], "{}")
        expectEqual(answer.withUnsafeBytes { exchange.receive($0) }, .associated)
        expectEqual(exchange.content.bytes, Array("{}".utf8))
    }

    @Test func anAnswerIsWholeOrNone() {
        #expect(outcome("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab") == nil)
        expectEqual(
            outcome("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", closes: true), .failed(.cut)
        )
        expectEqual(outcome("", closes: true), .failed(.cut))
        expectEqual(outcome("SSH-2.0-x\r\n"), .failed(.badAnswer))
    }
}
