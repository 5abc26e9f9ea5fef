import TestSupport
// Covers: HTTP2ServerSession+Parts.swift
import Testing

@testable import HTTP

struct HTTP2ServerSessionTests {
    static let document = PreparedResponse(
        status: 200, fields: [("Content-Type", "application/json")],
        body: (0..<120_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    @Test func settingsOpenTheConnection() throws {
        let server = try ServerHarness()
        let frames = server.sentFrames()
        let settings = try #require(frames.first)
        expectEqual(frames.count, 1)
        expectEqual(settings, .settings([(3, 8), (6, 81_920), (9, 1)]))
    }

    @Test func getIsAnswered() throws {
        let server = try ServerHarness()
        server.open()
        server.receive(.request(1))
        let frames = server.sentFrames()
        expectEqual(server.requests.map(\.request.path), ["/a"])
        expectEqual(server.requests.first?.request.authority, "example.com")
        expectEqual(frames.map(\.type), [RawFrame.headers, RawFrame.data])
        expectEqual(frames.content, Array("{}".utf8))
        expectEqual(frames.last?.flags, RawFrame.endStream)
        expectEqual(server.session.answeredCount, 1)
        expectEqual(server.session.openRequests, 0)
        #expect(!server.session.isFinished && !server.session.wantsSend)
    }

    @Test func headGetsNoContent() throws {
        let server = try ServerHarness()
        server.open()
        server.receive(.request(1, RawFrame.get.map { $0.0 == ":method" ? ($0.0, "HEAD") : $0 }))
        let frames = server.sentFrames()
        expectEqual(frames.map(\.type), [RawFrame.headers])
        expectEqual(frames.first?.flags, RawFrame.endHeaders | RawFrame.endStream)
        expectEqual(server.requests.first?.request.method, .head)
    }

    @Test(arguments: [1024, 4096, 16_384, 16_393, 65_536])
    func largeDocument(bufferCount: Int) throws {
        let server = try ServerHarness(answer: { _ in Self.document })
        server.bufferCount = bufferCount
        server.open([(4, 1_000_000)])
        server.receive(.windowUpdate(1_000_000), .request(1))
        let content = server.sentFrames().content(of: 1)
        expectEqual(content, Array(Self.document.body.bytes))
    }

    /// A thousand requests by default, one after the other: answers earn what they cost.
    @Test func aThousandRequestsAreAnswered() throws {
        let server = try ServerHarness()
        server.open()
        for index in 0..<1000 {
            server.receive(.request(UInt32(2 * index + 1)))
            expectEqual(
                server.sentFrames().content(of: UInt32(2 * index + 1)), Array("{}".utf8))
        }
        expectEqual(server.session.answeredCount, 1000)
        expectEqual(server.session.closeReason, .requestLimit)
    }

    @Test func requestLimitEndsWithGoAwayBehindTheLastAnswer() throws {
        var limits = FloodLimits()
        limits.requestsPerConnection = 16
        let server = try ServerHarness(limits: limits)
        server.open()
        for index in 0..<15 {
            server.receive(.request(UInt32(2 * index + 1)))
            #expect(server.sentFrames().goAway == nil)
        }
        server.receive(.request(31), .request(33))
        let frames = server.sentFrames()
        expectEqual(frames.last?.type, RawFrame.goAway)
        expectEqual(frames.goAway?.lastStream, 31)
        expectEqual(frames.goAway?.code, 0)
        expectEqual(frames.of(RawFrame.rstStream), [.reset(33, code: 7)])
        expectEqual(frames.content(of: 31), Array("{}".utf8))
        #expect(server.session.isFinished)
        expectEqual(server.session.closeReason, .requestLimit)
        expectEqual(server.session.answeredCount, 16)
    }
}
