import HTTP
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct HTTP2ExchangeTests {
    /// Runs a client session against the endpoint until `isDone`.
    private func exchange(
        _ client: TestClient, _ session: HTTP2ClientSession,
        until isDone: ([HTTP2ClientEvent]) -> Bool
    ) throws -> [HTTP2ClientEvent] {
        var events: [HTTP2ClientEvent] = []
        while true {
            try flush(client, session)
            events += session.takeEvents()
            if isDone(events) || client.ended || client.wasReset { return events }
            try client.readMore()
            let bytes = client.take()
            bytes.withUnsafeBytes { session.receive($0) }
        }
    }

    private func flush(_ client: TestClient, _ session: HTTP2ClientSession) throws {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while session.wantsSend {
            let count = bytes.withUnsafeMutableBytes { session.send(into: $0) }
            if count == 0 { return }
            try client.send(Array(bytes[..<count]))
        }
    }

    private func fields(_ path: String, method: String = "GET") -> [HTTPField] {
        [
            HTTPField(name: ":method", value: method), HTTPField(name: ":scheme", value: "https"),
            HTTPField(name: ":authority", value: "example.com"),
            HTTPField(name: ":path", value: path),
        ]
    }

    @Test func answersStreamsAndSaysGoodbyeAtTheLimit() throws {
        var limits = ServerLimits.standard
        limits.http2.requestsPerConnection = 5
        let endpoint = try TestEndpoint(limits: limits)
        let client = try TestClient(endpoint.address, protocols: [.http2])
        expectEqual(client.negotiated.applicationProtocol, .http2)
        let session = try HTTP2ClientSession(settings: try HTTP2ClientSettings())
        for _ in 0..<5 { _ = try session.request(fields(TestEndpoint.path)) }
        _ = try exchange(client, session) { _ in false }
        #expect(client.ended && !client.wasReset && client.goAwaySubmitted)
        expectEqual(endpoint.server.counters.total(.requestsHTTP2), 5)
        expectEqual(endpoint.server.counters.total(.answersDocument), 5)
        client.socket.close()
        #expect(endpoint.closes(.requestLimit))
    }

    /// A connection keeps the certificates and keys that it began with.
    @Test func `A connection of HTTP2 has an end`() throws {
        var limits = ServerLimits.standard
        limits.connectionTime = .zero
        let endpoint = try TestEndpoint(limits: limits)
        let client = try TestClient(endpoint.address, protocols: [.http2])
        let session = try HTTP2ClientSession(settings: try HTTP2ClientSettings())
        _ = try session.request(fields(TestEndpoint.path))
        _ = try exchange(client, session) { _ in false }
        #expect(client.ended && !client.wasReset && client.goAwaySubmitted)
        expectEqual(endpoint.server.counters.total(.answersDocument), 1)
        client.socket.close()
        #expect(endpoint.closes(.lifetime))
    }

    /// Without GOAWAY a client could not know that its next request, sent as the connection ended,
    /// was not processed.
    @Test(arguments: [(0, CloseReason.headTimeout), (2, .idleTimeout)])
    func `The end of an idle connection is told`(_ requests: Int, _ reason: CloseReason) throws {
        var limits = ServerLimits.standard
        // The one that is judged; a request that comes late is not.
        if requests == 0 {
            limits.headTime = .milliseconds(300)
        } else {
            limits.idleTime = .milliseconds(300)
        }
        let endpoint = try TestEndpoint(limits: limits)
        let client = try TestClient(endpoint.address, protocols: [.http2])
        let session = try HTTP2ClientSession(settings: try HTTP2ClientSettings())
        var last: HTTP2StreamID = 0
        for _ in 0..<requests { last = try session.request(fields(TestEndpoint.path)) }
        let events = try exchange(client, session) { _ in false }
        #expect(events.contains(.goAway(lastStream: last, code: .noError, debugData: [])))
        #expect(client.ended && !client.wasReset && client.goAwaySubmitted)
        client.socket.close()
        #expect(endpoint.closes(reason))
    }

    @Test func aPeerThatLeavesInTheMiddleFreesItsSlot() throws {
        let document = [UInt8](repeating: 9, count: 131_072)
        let endpoint = try TestEndpoint(snapshot: TestEndpoint.snapshot(document: document))
        for halfCloses in [true, false] {
            let client = try TestClient(endpoint.address, protocols: [.http2])
            // A window too small for the answer, never enlarged.
            let session = try HTTP2ClientSession(
                settings: try HTTP2ClientSettings(window: 1000))
            _ = try session.request(fields(TestEndpoint.path))
            try flush(client, session)
            #expect(eventually { endpoint.server.counters.total(.requestsHTTP2) >= 1 })
            if halfCloses { client.shutdownWrite() } else { client.socket.close() }
            #expect(eventually { endpoint.server.counters.total(.connectionsOpen) == 0 })
        }
    }

    @Test func aPeerThatReadsNothingIsClosed() throws {
        var limits = ServerLimits.standard
        limits.answerGraceTime = .milliseconds(300)
        limits.sendBufferBytes = 4096
        // Wide windows: HTTP/2 hands everything out, and only the kernel waits.
        let document = [UInt8](repeating: 9, count: 50_000)
        let endpoint = try TestEndpoint(
            limits: limits, snapshot: TestEndpoint.snapshot(document: document))
        let client = try TestClient(endpoint.address, protocols: [.http2], receiveBuffer: 2048)
        let session = try HTTP2ClientSession(settings: try HTTP2ClientSettings())
        _ = try session.request(fields(TestEndpoint.path))
        try flush(client, session)
        #expect(endpoint.closes(.slowReader))
    }

    /// The answers wait for the kernel when the deadline passes. It did not move then, and the
    /// worker looked at it indefinitely.
    @Test func aPeerThatReadsNothingOfManyAnswersDoesNotHoldTheWorker() throws {
        var limits = ServerLimits.standard
        limits.answerGraceTime = .milliseconds(300)
        limits.answerTime = .seconds(1)
        limits.http2.stallNanoseconds = 1_000_000_000
        limits.sendBufferBytes = 4096
        let document = [UInt8](repeating: 9, count: 131_072)
        let endpoint = try TestEndpoint(
            limits: limits, snapshot: TestEndpoint.snapshot(document: document))
        let client = try TestClient(endpoint.address, protocols: [.http2], receiveBuffer: 2048)
        let session = try HTTP2ClientSession(
            settings: try HTTP2ClientSettings(window: 1 << 30))
        for _ in 0..<8 { _ = try session.request(fields(TestEndpoint.path)) }
        try flush(client, session)
        #expect(eventually { endpoint.server.counters.total(.connectionsOpen) == 0 })
        try expectEqual(TestClient(endpoint.address).get().body, document)
    }

    @Test func drainsWithGoAway() throws {
        let endpoint = try TestEndpoint()
        let client = try TestClient(endpoint.address, protocols: [.http2])
        let session = try HTTP2ClientSession(settings: try HTTP2ClientSettings())
        _ = try session.request(fields(TestEndpoint.path))
        _ = try exchange(client, session) { _ in session.openRequests == 0 }
        endpoint.server.drain(within: .seconds(60))
        _ = try exchange(client, session) { _ in false }
        #expect(client.goAwaySubmitted && !client.wasReset)
        client.socket.close()
        endpoint.server.join()
        expectEqual(endpoint.server.counters.totalCloses(.draining), 1)
    }

    @Test func `A drain that began in the handshake is told behind the first answer`() throws {
        var limits = ServerLimits.standard
        limits.drainIdleTime = .seconds(60)
        let endpoint = try TestEndpoint(limits: limits)
        let told = try TestClient(endpoint.address, protocols: [.http2])
        let other = try HTTP2ClientSession(settings: try HTTP2ClientSettings())
        _ = try other.request(fields(TestEndpoint.path))
        _ = try exchange(told, other) { _ in other.openRequests == 0 }
        let late = try TestClient(endpoint.address, protocols: [.http2], handshakes: false)
        try late.sendHello()
        #expect(eventually { endpoint.server.counters.total(.handshakesStarted) == 2 })
        endpoint.server.drain(within: .seconds(90))
        // Its end shows that the worker drains.
        _ = try exchange(told, other) { _ in false }
        try late.handshake()
        let session = try HTTP2ClientSession(settings: try HTTP2ClientSettings())
        let stream = try session.request(fields(TestEndpoint.path))
        let events = try exchange(late, session) { _ in false }
        #expect(events.contains(.goAway(lastStream: stream, code: .noError, debugData: [])))
    }
}
