import TestSupport
import Testing

@testable import HTTP

/// A client whose server is a test: raw frames in, events out.
@Suite struct HTTP2ClientCallbacksTests {
    private let client: HTTP2ClientSession

    init() throws {
        client = try HTTP2ClientSession(settings: HTTP2ClientSettings(bodyMaximum: 100))
    }

    private func request(_ path: String = "/") throws -> HTTP2StreamID {
        try client.request(HTTP2ClientSessionTests.get(path))
    }

    private func events(_ frames: RawFrame...) -> [HTTP2ClientEvent] {
        frames.flatMap(\.octets).withUnsafeBytes { client.receive($0) }
        return client.takeEvents()
    }

    private func sentOctets(_ size: Int = 1024) -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: size)
        while true {
            let count = buffer.withUnsafeMutableBytes { client.send(into: $0) }
            if count == 0 { return result }
            result += buffer.prefix(count)
        }
    }

    private func open() {
        _ = sentOctets()
        _ = events(.settings())
        _ = sentOctets()
    }

    private func head(
        _ fields: [(String, String)], _ stream: HTTP2StreamID, ends: Bool = false
    ) -> RawFrame {
        .request(UInt32(stream), fields, endStream: ends)
    }

    private func data(_ text: String, _ stream: HTTP2StreamID, ends: Bool = false) -> RawFrame {
        RawFrame(
            type: RawFrame.data, flags: ends ? RawFrame.endStream : 0, stream: UInt32(stream),
            payload: Array(text.utf8))
    }

    @Test func `A response is told when it is whole`() throws {
        let stream = try request()
        open()
        expectEqual(events(head([(":status", "200"), ("a", "b")], stream)), [])
        expectEqual(events(data("one", stream)), [])
        var response = HTTP2Response()
        response.status = 200
        response.fields = [HTTPField(name: "a", value: "b")]
        response.body = Array("onetwo".utf8)
        response.bodyCount = 6
        expectEqual(events(data("two", stream, ends: true)), [.response(stream: stream, response)])
        expectEqual(client.openRequests, 0)
    }

    @Test func `A head that ends its stream is a response without content`() throws {
        let stream = try request()
        open()
        var response = HTTP2Response()
        response.status = 304
        expectEqual(
            events(head([(":status", "304")], stream, ends: true)),
            [.response(stream: stream, response)])
    }

    @Test func `Heads before the final one and fields behind the content are omitted`() throws {
        let stream = try request()
        open()
        let told = events(
            head([(":status", "103"), ("link", "x")], stream), head([(":status", "200")], stream),
            data("z", stream), head([("sum", "1")], stream, ends: true))
        guard case .response(_, let response) = told.first else {
            Issue.record("\(told)")
            return
        }
        expectEqual(response.status, 200)
        expectEqual(response.fields, [])
    }

    @Test func `A forbidden field is omitted`() throws {
        let stream = try request()
        open()
        let fields = [(":status", "200"), ("a b", "b"), ("c", "d"), ("e", "\u{1}")]
        var response = HTTP2Response()
        response.status = 200
        response.fields = [HTTPField(name: "c", value: "d")]
        // Nothing else: it is no violation that anybody would have to fear.
        expectEqual(
            events(head(fields, stream, ends: true)), [.response(stream: stream, response)])
    }

    @Test func `White space around a value is no part of it`() throws {
        let stream = try request()
        open()
        let fields = [(":status", "200"), ("a", "default-src 'self'; "), ("b", "\tc d ")]
        var response = HTTP2Response()
        response.status = 200
        response.fields = [
            HTTPField(name: "a", value: "default-src 'self';"), HTTPField(name: "b", value: "c d"),
        ]
        expectEqual(
            events(head(fields, stream, ends: true)), [.response(stream: stream, response)])
    }

    /// What is omitted was still received: a server could send it indefinitely.
    @Test(arguments: [("a", 3), ("a b", 3), ("a", 6), ("a b", 6)])
    func `Forbidden fields count as the head's`(name: String, count: Int) throws {
        let stream = try request()
        open()
        let field = (name, String(repeating: "b", count: 12_000))
        var told: [HTTP2ClientEvent] = []
        for _ in 0..<count { told += events(head([(":status", "103"), field], stream)) }
        let isTooLarge = told.contains(.tooLarge(stream: stream, isHead: true))
        expectEqual(isTooLarge, (count * 12_000 > 65_536))
    }

    /// Upper case makes the whole response malformed (RFC 9113 section 8.2.1).
    @Test func `A name in upper case ends the stream, and is named`() throws {
        let stream = try request()
        open()
        let told = events(head([(":status", "200"), ("X-Case", "b")], stream, ends: true))
        #expect(
            told.contains {
                if case .violation(let text) = $0 { text.contains("X-Case") } else { false }
            })
        expectEqual(RawFrame.parse(sentOctets()).frames, [.reset(UInt32(stream), code: 1)])
        expectEqual(client.takeEvents(), [.reset(stream: stream, code: .protocolError)])
    }

    /// Without a status there is no response (RFC 9113 section 8.3.2).
    @Test func `A refused head is told at once, and not with the words about another`() throws {
        let stream = try request()
        open()
        let told = events(head([("a b", "c")], stream, ends: true))
        guard case .violation(let text)? = told.first, told.count == 1 else {
            Issue.record("\(told)")
            return
        }
        #expect(!text.isEmpty && !text.contains("a b"))
        _ = sentOctets()
        expectEqual(client.takeEvents(), [.reset(stream: stream, code: .protocolError)])
    }

    @Test func `A stream that is reset ends with its code`() throws {
        let stream = try request()
        open()
        expectEqual(
            events(head([(":status", "200")], stream), .reset(UInt32(stream), code: 2)),
            [.reset(stream: stream, code: .internalError)])
        expectEqual(client.openRequests, 0)
    }

    @Test func `A goodbye is told with its words, and what it leaves out may be asked again`()
        throws
    {
        let first = try request("/1")
        let second = try request("/2")
        open()
        let goAway = RawFrame(
            type: RawFrame.goAway,
            payload: RawFrame.bigEndian(UInt32(first)) + RawFrame.bigEndian(0xB)
                + Array("calm".utf8))
        let told = events(goAway)
        #expect(
            told.contains(
                .goAway(
                    lastStream: first, code: .enhanceYourCalm, debugData: Array("calm".utf8))))
        #expect(told.contains(.reset(stream: second, code: .refusedStream)))
        expectEqual(client.openRequests, 1)
        // The one that was looked at still gets its answer.
        let answer = events(head([(":status", "200")], first, ends: true))
        #expect(answer.count == 1 && client.openRequests == 0)
    }

    @Test func `A server that does not speak HTTP2 is told in the library's words`() {
        _ = sentOctets()
        Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8).withUnsafeBytes { client.receive($0) }
        let words = client.takeEvents().compactMap {
            if case .violation(let text) = $0 { text } else { nil }
        }
        #expect(words.contains { $0.contains("SETTINGS") })
    }

    @Test func `A full buffer stops the writer, and nothing is lost`() throws {
        let path = "/" + String(repeating: "~", count: 20_000)
        _ = try request(path)
        let octets = sentOctets(1024)
        #expect(octets.starts(with: RawFrame.preface))
        let (frames, rest) = RawFrame.parse(Array(octets.dropFirst(RawFrame.preface.count)))
        #expect(rest.isEmpty)
        let server = try ServerHarness()
        server.receive(octets)
        expectEqual(server.requests.map(\.request.path), [path])
        #expect(frames.contains { $0.type == RawFrame.headers })
    }
}
