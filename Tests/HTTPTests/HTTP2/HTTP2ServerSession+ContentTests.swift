import TestSupport
import Testing

@testable import HTTP

/// Requests with content: curl 7.88 decides how they are answered.
@Suite struct HTTP2ServerSessionContentTests {
    private static let document = HTTP2ServerSessionTests.document
    private var body: [UInt8] { Array(Self.document.body.bytes) }
    private static let content = RawFrame(
        type: RawFrame.data, stream: 1, payload: Array(repeating: 0, count: 16_384))

    /// curl 7.88 loses an answer whose stream is reset, so a short request may end first.
    @Test(arguments: [RawFrame.data, RawFrame.headers])
    func anAnswerWaitsForShortContent(end: UInt8) throws {
        let server = try ServerHarness()
        server.open()
        server.receive(.request(1, endStream: false), Self.content)
        #expect(server.sentFrames().of(RawFrame.headers).isEmpty)
        expectEqual(server.requests.first?.request.hasBody, true)
        expectEqual(server.session.openRequests, 1)
        let flags = RawFrame.endStream | (end == RawFrame.headers ? RawFrame.endHeaders : 0)
        server.receive(RawFrame(type: end, flags: flags, stream: 1))
        expectEqual(server.sentFrames().map(\.type), [RawFrame.headers, RawFrame.data])
        #expect(server.session.answeredCount == 1 && server.session.openRequests == 0)
        #expect(server.session.deadline == nil)
    }

    @Test func anAnswerDoesNotWaitForLong() throws {
        let server = try ServerHarness()
        server.open()
        server.receive(.request(1, endStream: false))
        #expect(server.sentFrames().isEmpty)
        expectEqual(server.session.deadline, server.now + FloodLimits().contentNanoseconds)
        server.now += 1
        server.receive(.request(3, endStream: false))
        server.now += FloodLimits().contentNanoseconds - 2
        server.session.deadlinePassed(now: server.now)
        #expect(server.sentFrames().isEmpty)
        server.now += 1
        server.session.deadlinePassed(now: server.now)
        let frames = server.sentFrames()
        expectEqual(frames.content, Array("{}{}".utf8))
        expectEqual(frames.of(RawFrame.rstStream), [.reset(1, code: 0), .reset(3, code: 0)])
        #expect(server.session.closeReason == nil && server.session.deadline == nil)
    }

    @Test func aPeerThatHoldsItsContentBackIsAnsweredAtOnce() throws {
        let server = try ServerHarness()
        server.open()
        server.receive(
            .request(1, RawFrame.get + [("expect", "100-continue")], endStream: false))
        let frames = server.sentFrames()
        expectEqual(frames.map(\.type), [RawFrame.headers, RawFrame.data])
    }

    @Test func aResetEndsTheWaiting() throws {
        let server = try ServerHarness()
        server.open()
        server.receive(.request(1, endStream: false), .reset(1, code: 8), .request(3))
        #expect(server.session.deadline != nil)
        let frames = server.sentFrames()
        #expect(frames.content(of: 3) == Array("{}".utf8) && frames.content(of: 1).isEmpty)
        #expect(server.session.openRequests == 0 && server.session.deadline == nil)
    }

    /// A peer that has ended its input sends no content any more.
    @Test func whatWaitsIsAnsweredWhenTold() throws {
        let server = try ServerHarness()
        server.open()
        server.receive(.request(1, endStream: false))
        server.session.answerAwaited()
        let frames = server.sentFrames()
        expectEqual(frames.map(\.type), [RawFrame.headers, RawFrame.data, RawFrame.rstStream])
        #expect(server.session.answeredCount == 1 && server.session.openRequests == 0)
        server.receive(RawFrame(type: RawFrame.data, flags: 1, stream: 1, payload: [1, 2]))
        #expect(server.sentFrames().isEmpty && server.session.closeReason == nil)
    }

    /// Not behind an answer that waits for its window, and not behind the end of the content.
    @Test func onlyAWholeAnswerStopsItsContent() throws {
        let server = try ServerHarness()
        server.open([(4, 1)])
        server.receive(.request(1, endStream: false), .request(3, endStream: false))
        server.session.answerAwaited()
        #expect(server.sentFrames().of(RawFrame.rstStream).isEmpty)
        server.receive(RawFrame(type: RawFrame.data, flags: 1, stream: 3, payload: [1]))
        server.receive(.windowUpdate(1, stream: 1), .windowUpdate(1, stream: 3))
        let frames = server.sentFrames()
        expectEqual(frames.content.count, 2)
        expectEqual(frames.of(RawFrame.rstStream), [.reset(1, code: 0)])
        #expect(server.session.answeredCount == 2 && server.session.openRequests == 0)
    }

    @Test func goodbyeDoesNotWaitForContent() throws {
        let server = try ServerHarness()
        server.open()
        server.receive(.request(1, endStream: false))
        server.session.answerAwaited()
        _ = server.sentFrames()
        server.session.drain()
        expectEqual(server.sentFrames().map(\.lastStream), [1])
        #expect(server.session.isFinished)
    }

    /// A long upload is answered and stopped within the byte budget, and what is on its way then
    /// ends nothing.
    @Test func aLongUploadIsAnsweredAndStopped() throws {
        let server = try ServerHarness(answer: { _ in Self.document })
        server.open([(4, 1_000_000)])
        server.receive(.windowUpdate(1_000_000), .request(1, endStream: false))
        var sent = 0
        var window = 65_535
        var frames: [RawFrame] = []
        while frames.of(RawFrame.headers).isEmpty, sent < 200_000 {
            try #require(window >= 16_384, "the peer is kept waiting")
            server.receive(Self.content)
            sent += 16_384
            frames = server.sentFrames()
            window -= 16_384
            for update in frames.of(RawFrame.windowUpdate) where update.stream == 1 {
                window += update.payload.reduce(0) { $0 << 8 | Int($1) }
            }
        }
        #expect((98_304...131_072).contains(sent), "\(sent)")
        #expect(frames.content(of: 1) == body && frames.goAway == nil)
        expectEqual(frames.of(RawFrame.rstStream), [.reset(1, code: 0)])
        for _ in 0..<3 { server.receive(Self.content) }
        server.receive(.request(3))
        #expect(server.sentFrames().content(of: 3) == body && server.session.closeReason == nil)
    }
}
