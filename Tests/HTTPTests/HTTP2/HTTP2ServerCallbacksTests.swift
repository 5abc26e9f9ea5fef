import TestSupport
import Testing

@testable import HTTP

@Suite struct HTTP2ServerCallbacksTests {
    @Test func `Fields behind the content are no second request`() throws {
        let server = try ServerHarness()
        server.open()
        let trailers = RawFrame(
            type: RawFrame.headers, flags: RawFrame.endHeaders | RawFrame.endStream, stream: 1,
            payload: RawFrame.block([("user-agent", "trailer")]))
        server.receive(
            .request(1, endStream: false),
            RawFrame(type: RawFrame.data, stream: 1, payload: [1]), trailers, .request(3))
        expectEqual(server.requests.map(\.stream), [1, 3])
        expectEqual(server.requests.map(\.request.hasBody), [true, false])
        #expect(server.requests.last?.request.userAgent == nil)
    }

    /// Without a callback nghttp2 drops the field and hands the rest over.
    @Test func `A request with a forbidden field is not looked at`() throws {
        let server = try ServerHarness()
        server.open()
        server.receive(.request(1, RawFrame.get + [("X-Case", "b")]), .request(3))
        expectEqual(server.requests.map(\.stream), [3])
        expectEqual(server.sentFrames().of(RawFrame.rstStream), [.reset(1, code: 1)])
    }

    @Test func `Broken requests are held against the peer`() throws {
        let server = try ServerHarness()
        server.open()
        for index in 0..<FloodLimits().provokedResets {
            server.receive(.request(UInt32(2 * index + 1), [(":method", "GET")]))
            #expect(server.session.closeReason == nil)
        }
        server.receive(.request(101, [(":method", "GET")]))
        expectEqual(server.session.closeReason, .provokedResetBudget)
    }

    /// The last frame ends the stream; none is sent for that alone.
    @Test(arguments: [1, 16_383, 16_384, 16_385, 32_768])
    func `Content goes out in full frames, and the last one says so`(count: Int) throws {
        let document = PreparedResponse(
            status: 200, fields: [], body: (0..<count).map { UInt8(truncatingIfNeeded: $0) })
        let server = try ServerHarness(answer: { _ in document })
        server.open()
        server.receive(.request(1))
        let frames = server.sentFrames().of(RawFrame.data)
        let full = Array(repeating: 16_384, count: count / 16_384)
        expectEqual(
            frames.map(\.payload.count), full + (count % 16_384 == 0 ? [] : [count % 16_384]))
        #expect(frames.dropLast().allSatisfy { $0.flags == 0 })
        expectEqual(frames.last?.flags, RawFrame.endStream)
        expectEqual(frames.content, withExtendedLifetime(document) { Array(document.body.bytes) })
        #expect(server.session.answeredCount == 1 && server.session.openRequests == 0)
    }

    @Test func `An answer without content ends with its head`() throws {
        let server = try ServerHarness(answer: { _ in
            PreparedResponse(status: 204, fields: [], body: [])
        })
        server.open()
        server.receive(.request(1))
        let frames = server.sentFrames()
        expectEqual(frames.map(\.type), [RawFrame.headers])
        expectEqual(frames.first?.flags, RawFrame.endHeaders | RawFrame.endStream)
    }

    @Test func `A goodbye of the peer is no request, and ends the connection`() throws {
        let server = try ServerHarness()
        server.open()
        server.receive(.request(1))
        _ = server.sentFrames()
        server.receive(
            RawFrame(type: RawFrame.goAway, payload: RawFrame.bigEndian(0) + RawFrame.bigEndian(0)))
        expectEqual(server.session.closeReason, .peerGoAway)
        expectEqual(server.requests.count, 1)
    }

    @Test func `A stream that its peer resets is given up`() throws {
        let server = try ServerHarness(answer: { _ in nil })
        server.open()
        server.receive(.request(1), .request(3))
        expectEqual(server.session.openRequests, 2)
        server.receive(.reset(1))
        expectEqual(server.session.openRequests, 1)
        server.session.respond(stream: 1, with: ServerHarness.small, now: server.now)
        #expect(server.sentFrames().of(RawFrame.headers).isEmpty)
        expectEqual(server.session.answeredCount, 0)
    }
}
