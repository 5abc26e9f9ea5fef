import TestSupport
// Covers: HTTP2Response.swift
import Testing

@testable import HTTP

/// A client and a server session, joined by memory.
final class JoinedSessions {
    let server: ServerHarness
    let client: HTTP2ClientSession
    var events: [HTTP2ClientEvent] = []

    init(
        server: ServerHarness, window: Int32 = 1_048_576,
        bodyMaximum: Int = 8 << 20
    ) throws {
        self.server = server
        client = try HTTP2ClientSession(
            settings: HTTP2ClientSettings(bodyMaximum: bodyMaximum, window: window))
    }

    func clientOctets() -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = buffer.withUnsafeMutableBytes { client.send(into: $0) }
            if count == 0 { return result }
            result += buffer.prefix(count)
        }
    }

    /// Carries bytes both ways until nobody has anything to say.
    func run() {
        while true {
            let up = clientOctets()
            if !up.isEmpty { server.receive(up) }
            let down = server.sentOctets()
            down.withUnsafeBytes { client.receive($0) }
            events += client.takeEvents()
            if up.isEmpty && down.isEmpty { return }
        }
    }

    var responses: [Int32: HTTP2Response] {
        var result: [Int32: HTTP2Response] = [:]
        for case .response(let stream, let response) in events { result[stream] = response }
        return result
    }
}

struct HTTP2ClientSessionTests {
    static func get(_ path: String) -> [HTTPField] {
        [
            HTTPField(name: ":method", value: "GET"), HTTPField(name: ":scheme", value: "https"),
            HTTPField(name: ":authority", value: "example.com"),
            HTTPField(name: ":path", value: path), HTTPField(name: "user-agent", value: "test"),
        ]
    }

    @Test func oneRequest() throws {
        let joined = try JoinedSessions(server: ServerHarness())
        let stream = try joined.client.request(Self.get("/x?y"))
        joined.run()
        let response = try #require(joined.responses[stream])
        expectEqual(response.status, 200)
        expectEqual(
            response.fields,
            [
                HTTPField(name: "content-type", value: "application/json"),
                HTTPField(name: "content-length", value: "2"),
                HTTPField(name: "date", value: "Sun, 06 Nov 1994 08:49:37 GMT"),
            ])
        expectEqual(response.body, Array("{}".utf8))
        expectEqual(response.bodyCount, 2)
        let request = try #require(joined.server.requests.first?.request)
        #expect(request.path == "/x" && request.target == "/x?y")
        #expect(request.userAgent == "test" && request.version == .http2)
    }

    @Test func manyStreamsWaitTheirTurn() throws {
        var limits = FloodLimits()
        limits.requestsPerConnection = nil
        let document = HTTP2ServerSessionTests.document
        let server = try ServerHarness(limits: limits, answer: { _ in document })
        let joined = try JoinedSessions(server: server)
        joined.run()
        let streams = try (0..<100).map { try joined.client.request(Self.get("/\($0)")) }
        joined.run()
        let body = withExtendedLifetime(document) { Array(document.body.bytes) }
        #expect(streams.allSatisfy { joined.responses[$0]?.body == body })
        expectEqual(server.session.answeredCount, 100)
        expectEqual(server.requests.map(\.request.path), (0..<100).map { "/\($0)" })
        #expect(server.session.closeReason == nil)
    }

    @Test func goAwayEndsTheRest() throws {
        var limits = FloodLimits()
        limits.requestsPerConnection = 16
        let joined = try JoinedSessions(server: ServerHarness(limits: limits))
        joined.run()
        for index in 0..<20 { _ = try joined.client.request(Self.get("/\(index)")) }
        joined.run()
        expectEqual(joined.responses.count, 16)
        #expect(
            joined.events.contains(.goAway(lastStream: 31, code: .noError, debugData: [])))
        #expect(joined.server.session.isFinished)
    }

    @Test func tooLargeIsCancelled() throws {
        let server = try ServerHarness(answer: { _ in HTTP2ServerSessionTests.document })
        let joined = try JoinedSessions(server: server, bodyMaximum: 100_000)
        let stream = try joined.client.request(Self.get("/"))
        joined.run()
        #expect(joined.events.contains(.tooLarge(stream: stream, isHead: false)))
        expectEqual(joined.client.openRequests, 0)
    }
}
