import TestSupport
import Testing

@testable import HTTP

/// Windows (RFC 9113 §5.2, §6.9) and the time they may take.
struct HTTP2FlowControlTests {
    static let document = HTTP2ServerSessionTests.document
    static let second: UInt64 = 1_000_000_000

    func unlimited() -> FloodLimits {
        var limits = FloodLimits.none
        limits.concurrentStreams = 100
        return limits
    }

    var body: [UInt8] { withExtendedLifetime(Self.document) { Array(Self.document.body.bytes) } }

    @Test(arguments: [1, 2, 9, 1000, 16_383, 16_384, 16_385, 65_535])
    func windows(size: UInt32) throws {
        let server = try ServerHarness(limits: unlimited(), answer: { _ in Self.document })
        server.open([(4, size)])
        server.receive(.windowUpdate(1_000_000), .request(1))
        var content: [UInt8] = []
        var rounds = 0
        while server.session.answeredCount == 0, rounds < 200_000 {
            let frames = server.sentFrames()
            let count = frames.content(of: 1).count
            #expect(count <= size)
            content += frames.content(of: 1)
            if count > 0 { server.receive(.windowUpdate(UInt32(count), stream: 1)) }
            rounds += 1
        }
        expectEqual(content, body)
        #expect(rounds >= body.count / Int(size))
    }

    @Test func connectionWindow() throws {
        let server = try ServerHarness(limits: unlimited(), answer: { _ in Self.document })
        server.open([(4, 1_000_000)])
        server.receive(.request(1))
        expectEqual(server.sentFrames().content.count, 65_535)
        #expect(!server.session.wantsSend && server.session.openRequests == 1)
        server.receive(.windowUpdate(54_465))
        expectEqual(server.sentFrames().content.count, 54_465)
        expectEqual(server.session.answeredCount, 1)
    }

    @Test func windowsChangeWhileAnswersWait() throws {
        let server = try ServerHarness(limits: unlimited(), answer: { _ in Self.document })
        server.open([(4, 0)])
        server.receive(.windowUpdate(1_000_000), .request(1))
        #expect(server.sentFrames().content.isEmpty)
        server.receive(.settings([(4, 10)]))
        expectEqual(server.sentFrames().content.count, 10)
        // Below what was sent already: the window is negative (§6.9.2).
        server.receive(.settings([(4, 5)]), .windowUpdate(5, stream: 1))
        #expect(server.sentFrames().content.isEmpty)
        server.receive(.windowUpdate(7, stream: 1))
        expectEqual(server.sentFrames().content.count, 7)
        server.receive(.settings([(4, 1_000_000)]))
        expectEqual(server.sentFrames().content.count, body.count - 17)
        expectEqual(server.session.answeredCount, 1)
    }

    @Test func manyStreams() throws {
        let server = try ServerHarness(limits: unlimited(), answer: { _ in Self.document })
        server.open([(4, 0x7FFF_FFFF)])
        server.receive(.windowUpdate(0x7FFF_0000))
        let streams = (0..<100).map { UInt32(2 * $0 + 1) }
        server.receive(streams.flatMap { RawFrame.request($0).octets })
        let frames = server.sentFrames()
        #expect(streams.allSatisfy { frames.content(of: $0) == body })
        expectEqual(server.session.answeredCount, 100)
    }

    @Test func streamsBeyondTheLimitAreRefused() throws {
        let server = try ServerHarness(answer: { _ in nil })
        // The peer has not seen our SETTINGS: refused, not an error (§5.1.2).
        server.receive(RawFrame.preface + RawFrame.settings().octets)
        server.receive((0..<32).flatMap { RawFrame.request(UInt32(2 * $0 + 1)).octets })
        let frames = server.sentFrames()
        expectEqual(server.requests.count, 8)
        let refused: [RawFrame] = (8..<32).map { RawFrame.reset(UInt32(2 * $0 + 1), code: 7) }
        expectEqual(frames.of(RawFrame.rstStream), refused)
        #expect(frames.goAway == nil)
    }

    @Test func resetFreesTheStream() throws {
        let server = try ServerHarness(answer: { _ in Self.document })
        server.open([(4, 10)])
        server.receive(.request(1), .request(3))
        expectEqual(server.sentFrames().content.count, 20)
        server.receive(.reset(1))
        #expect(server.session.openRequests == 1 && server.session.answeredCount == 0)
        server.receive(.windowUpdate(1, stream: 3))
        expectEqual(server.sentFrames().content(of: 3).count, 1)
    }

    @Test func stall() throws {
        let server = try ServerHarness(answer: { _ in Self.document })
        #expect(server.session.deadline == nil)
        server.open([(4, 0)])
        server.receive(.request(1))
        _ = server.sentFrames()
        expectEqual(server.session.deadline, server.now + 20 * Self.second)
        server.session.deadlinePassed(now: server.now + 20 * Self.second - 1)
        #expect(server.session.closeReason == nil)
        server.session.deadlinePassed(now: server.now + 20 * Self.second)
        expectEqual(server.session.closeReason, .stalled)
        expectEqual(server.sentFrames().goAway?.code, 0xB)
        #expect(server.session.isFinished)
    }

    @Test func dripIsAStall() throws {
        let server = try ServerHarness(limits: unlimited(), answer: { _ in Self.document })
        server.open([(4, 1)])
        server.receive(.request(1))
        var seconds = 0
        while server.session.closeReason == nil, seconds < 100 {
            _ = server.sentFrames()
            server.now += Self.second
            seconds += 1
            server.session.deadlinePassed(now: server.now)
            server.receive(.windowUpdate(1, stream: 1))
        }
        expectEqual(server.session.closeReason, .stalled)
        #expect((20...21).contains(seconds))
    }

    @Test func drainOfAnIdleConnection() throws {
        let server = try ServerHarness()
        server.open()
        server.receive(.request(1))
        _ = server.sentFrames()
        server.session.drain()
        let goAway = server.sentFrames().goAway
        #expect(goAway?.lastStream == 1 && goAway?.code == 0)
        #expect(server.session.isFinished && server.session.closeReason == .drained)
    }

    @Test(arguments: [0, 1]) func `The end of an idle connection is told`(_ requests: Int) throws {
        let server = try ServerHarness()
        server.open()
        if requests == 1 { server.receive(.request(1)) }
        _ = server.sentFrames()
        server.session.end()
        let goAway = server.sentFrames().goAway
        #expect(goAway?.lastStream == UInt32(requests) && goAway?.code == 0)
        #expect(server.session.isFinished)
        server.session.end()
        #expect(server.sentFrames().isEmpty, "once is enough")
    }

    @Test func drainWaitsForAnswers() throws {
        let server = try ServerHarness(answer: { _ in Self.document })
        server.open([(4, 1_000_000)])
        server.receive(.request(1))
        expectEqual(server.sentFrames().content.count, 65_535)
        server.session.drain()
        #expect(server.sentFrames().isEmpty && !server.session.isFinished)
        server.receive(.request(3), .windowUpdate(1_000_000))
        let frames = server.sentFrames()
        expectEqual(frames.content(of: 1).count, 54_465)
        expectEqual(frames.of(RawFrame.rstStream), [.reset(3, code: 7)])
        expectEqual(frames.last?.lastStream, 1)
        #expect(server.session.isFinished)
    }

    /// The request may be on the way when the server begins to drain.
    @Test func drainBeforeTheFirstRequest() throws {
        let server = try ServerHarness()
        server.open()
        server.session.drain()
        #expect(server.sentFrames().isEmpty)
        server.receive(.request(1))
        let frames = server.sentFrames()
        expectEqual(frames.content(of: 1), Array("{}".utf8))
        expectEqual(frames.last?.lastStream, 1)
        #expect(server.session.isFinished && server.session.closeReason == .drained)
    }

    /// A client that wants no streams of ours may still ask (RFC 9113 §6.8).
    @Test func goAwayOfTheClient() throws {
        let server = try ServerHarness()
        server.open()
        server.receive(
            .request(1), RawFrame(type: RawFrame.goAway, payload: Array(repeating: 0, count: 8)))
        server.receive(.request(3))
        #expect(!server.session.isFinished)
        let frames = server.sentFrames()
        expectEqual(frames.content(of: 1), Array("{}".utf8))
        expectEqual(frames.content(of: 3), Array("{}".utf8))
        #expect(server.session.isFinished && server.session.closeReason == .peerGoAway)
    }

    @Test func lateAnswer() throws {
        let server = try ServerHarness(answer: { _ in nil })
        server.open()
        server.receive(.request(1), .request(3))
        #expect(server.sentFrames().isEmpty && server.session.openRequests == 2)
        server.session.respond(stream: 3, with: ServerHarness.small, now: server.now)
        server.session.respond(stream: 3, with: ServerHarness.small, now: server.now)
        server.session.respond(stream: 5, with: ServerHarness.small, now: server.now)
        let frames = server.sentFrames()
        expectEqual(frames.of(RawFrame.headers).map(\.stream), [3])
        expectEqual(server.session.openRequests, 1)
    }

    /// A session that ends with answers in every state frees them (address sanitizer).
    @Test func sessionThatEndsInTheMiddle() throws {
        weak var response: PreparedResponse?
        do {
            let document = PreparedResponse(
                status: 200, fields: [], body: Array(repeating: 1, count: 100_000))
            response = document
            let server = try ServerHarness(answer: { _ in document })
            server.bufferCount = 1000
            server.open([(4, 10)])
            server.receive(.request(1), .request(3), .settings([(4, 100_000)]), .request(5))
            var buffer = [UInt8](repeating: 0, count: 1000)
            _ = buffer.withUnsafeMutableBytes { server.session.send(into: $0, now: 0) }
            server.receive(
                RawFrame(type: RawFrame.headers, flags: 1, stream: 7, payload: [0x82, 0x84]))
            server.answer = { _ in nil }
        }
        #expect(response == nil)
    }

    @Test func aPauseOfTheProcessIsNoStall() throws {
        let server = try ServerHarness(answer: { _ in Self.document })
        server.open()
        server.receive(.request(1))
        _ = server.sentFrames()
        server.now += 25 * Self.second
        server.session.serverWasLate(by: 25 * Self.second)
        server.receive(.windowUpdate(16_384))
        _ = server.sentFrames()
        server.session.deadlinePassed(now: server.now)
        #expect(server.session.closeReason == nil)
        server.now += 21 * Self.second
        server.session.deadlinePassed(now: server.now)
        expectEqual(server.session.closeReason, .stalled)
    }
}
