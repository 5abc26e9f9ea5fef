import TestSupport
import Testing

@testable import HTTP

/// The attacks of `security.md` section 8 against a session: how far each gets, and what it
/// is called. The same ones run against the real server in Tests/Attacks.
struct HTTP2FloodTests {
    /// Sends the frames one after the other until the session ends.
    func run(
        _ server: ServerHarness, atMost most: Int, together: Bool,
        _ frames: (Int) -> [RawFrame]
    ) -> (sent: Int, goAway: RawFrame?) {
        server.open()
        if together {
            server.receive((0..<most).flatMap(frames).flatMap(\.octets))
            return (most, server.sentFrames().goAway)
        }
        for index in 0..<most {
            server.receive(frames(index).flatMap(\.octets))
            let goAway = server.sentFrames().goAway
            if server.session.isFinished { return (index + 1, goAway) }
        }
        return (most, nil)
    }

    static let ping = RawFrame(type: RawFrame.ping, payload: Array(repeating: 0, count: 8))

    struct Flood: Sendable, CustomTestStringConvertible {
        var name: String
        var reason: HTTP2CloseReason
        var bound: Int
        var frames: @Sendable (Int) -> [RawFrame]
        var testDescription: String { name }
    }

    static let floods: [Flood] = [
        Flood(name: "rapid reset", reason: .resetBudget, bound: 17) {
            [.request(UInt32(2 * $0 + 1)), .reset(UInt32(2 * $0 + 1))]
        },
        Flood(name: "ping", reason: .pingBudget, bound: 17) { _ in [ping] },
        Flood(name: "settings", reason: .settingsBudget, bound: 17) { _ in [.settings()] },
        Flood(name: "priority", reason: .frameBudget, bound: 200) { index in
            [
                RawFrame(
                    type: RawFrame.priority, stream: UInt32(2 * index + 1),
                    payload: [0, 0, 0, 0, 1])
            ]
        },
        Flood(name: "empty DATA on a closed stream", reason: .frameBudget, bound: 202) { index in
            index == 0
                ? [.request(1, endStream: false)] : [RawFrame(type: RawFrame.data, stream: 1)]
        },
        Flood(name: "unknown frames", reason: .frameBudget, bound: 200) { _ in
            [RawFrame(type: 0x42)]
        },
        Flood(name: "window updates of one byte", reason: .frameBudget, bound: 200) { _ in
            [.windowUpdate(1)]
        },
        Flood(name: "settings acknowledgements", reason: .protocolError, bound: 200) { _ in
            [RawFrame(type: RawFrame.settings, flags: RawFrame.ack)]
        },
        Flood(name: "made you reset by invalid requests", reason: .provokedResetBudget, bound: 9) {
            [.request(UInt32(2 * $0 + 1), [(":method", "GET")])]
        },
        Flood(name: "continuation", reason: .continuationBudget, bound: 10) { index in
            [
                RawFrame(
                    type: index == 0 ? RawFrame.headers : RawFrame.continuation, stream: 1,
                    payload: RawFrame.block([("a", "b")]))
            ]
        },
        Flood(name: "content without end", reason: .byteBudget, bound: 46) { index in
            index == 0
                ? [.request(1, endStream: false)]
                : [
                    RawFrame(
                        type: RawFrame.data, stream: 1, payload: Array(repeating: 0, count: 16_384))
                ]
        },
    ]

    @Test(arguments: floods)
    func flood(_ flood: Flood) throws {
        let server = try ServerHarness()
        let (sent, goAway) = run(server, atMost: 10_000, together: false, flood.frames)
        #expect(sent <= flood.bound)
        expectEqual(server.session.closeReason, flood.reason)
        expectEqual(goAway?.code, flood.reason.errorCode.rawValue)
        #expect(server.session.isFinished && !server.session.wantsSend)
    }

    /// The same in one read: nothing of it is worked on.
    @Test(arguments: floods)
    func atOnce(_ flood: Flood) throws {
        let server = try ServerHarness()
        let (_, goAway) = run(server, atMost: 1000, together: true, flood.frames)
        #expect(goAway != nil)
        #expect(server.session.isFinished)
        #expect(server.requests.count <= 16)
    }

    /// HEADERS of which nothing is answered: large blocks of fields that are thrown away.
    @Test func bytesWithoutARequest() throws {
        let server = try ServerHarness()
        let frame = RawFrame(type: 0x42, payload: Array(repeating: 0, count: 16_000))
        let (sent, goAway) = run(server, atMost: 100, together: false) { _ in [frame] }
        #expect(sent == 41 && goAway?.code == 0xB)
        expectEqual(server.session.closeReason, .byteBudget)
    }

    @Test func rapidResetWithoutRequestLimit() throws {
        var limits = FloodLimits()
        limits.requestsPerConnection = nil
        let server = try ServerHarness(limits: limits)
        let (sent, goAway) = run(server, atMost: 1000, together: false) {
            [.request(UInt32(2 * $0 + 1)), .reset(UInt32(2 * $0 + 1))]
        }
        expectEqual(sent, 17)
        #expect(server.session.closeReason == .resetBudget && goAway?.code == 0xB)
    }

    /// A front passes on that twenty of its clients left: the answers that others wait for come
    /// whole, and what it asks after that is refused, not lost.
    @Test func aFrontWhoseClientsLeave() throws {
        let server = try ServerHarness(answer: { _ in nil })
        server.open()
        server.receive(.request(1))
        for index in 0..<20 {
            let stream = UInt32(2 * index + 3)
            server.receive(.request(stream), .reset(stream))
        }
        #expect(!server.session.hasFailed && server.session.closeReason == .resetBudget)
        server.session.respond(stream: 1, with: ServerHarness.small, now: server.now)
        server.receive(.request(101))
        let frames = server.sentFrames()
        expectEqual(frames.content(of: 1), Array("{}".utf8))
        let refused = frames.of(RawFrame.rstStream).filter { $0.stream == 101 }
        #expect(refused.count == 1 && refused[0].payload.last == 7)
        #expect(frames.last?.code == 0xB && server.session.isFinished)
    }

    /// A client that cancels what it was answered already asks as any other does.
    @Test func resetsBehindAnswers() throws {
        let server = try ServerHarness()
        server.open()
        for index in 0..<200 {
            let stream = UInt32(2 * index + 1)
            server.receive(.request(stream))
            expectEqual(server.sentFrames().content(of: stream), Array("{}".utf8))
            server.receive(.reset(stream))
        }
        #expect(server.session.closeReason == nil)
    }

    /// One entry of 4,000 bytes in the dynamic table, referred to again and again: 4 MB of
    /// fields in 1,000 octets.
    @Test func hpackBomb() throws {
        let server = try ServerHarness()
        server.open()
        let value = String(repeating: "v", count: 3900)
        let entry = [0x40] + RawFrame.string("bomb") + RawFrame.string(value)
        let block = RawFrame.block(RawFrame.get) + entry + Array(repeating: 0xBE, count: 1000)
        server.receive(
            RawFrame(type: RawFrame.headers, flags: 5, stream: 1, payload: block))
        expectEqual(server.session.closeReason, .headerListBudget)
        expectEqual(server.sentFrames().goAway?.code, 0xB)
        #expect(server.requests.isEmpty)
    }

    /// What a phone may send by mistake is answered all the same.
    @Test func fortyKilobytesOfFields() throws {
        let server = try ServerHarness()
        server.open()
        let fields = (0..<40).map { ("x-\($0)", String(repeating: "v", count: 1000)) }
        let block = RawFrame.block(RawFrame.get + fields)
        server.receive(
            RawFrame(type: RawFrame.headers, flags: 1, stream: 1, payload: Array(block[..<16_000])),
            RawFrame(
                type: RawFrame.continuation, stream: 1, payload: Array(block[16_000..<32_000])),
            RawFrame(
                type: RawFrame.continuation, flags: 4, stream: 1, payload: Array(block[32_000...])))
        expectEqual(server.sentFrames().content(of: 1), Array("{}".utf8))
        #expect(server.requests.first?.request.fault == nil)
        expectEqual(server.requests.first?.request.authority, "example.com")
        #expect(server.session.closeReason == nil)
    }

    /// A query of any length up to 64 KiB: whoever asks for the document gets it.
    @Test(arguments: [8100, 16_000, 40_000, 65_000])
    func aLongTarget(count: Int) throws {
        let server = try ServerHarness()
        server.open()
        let path = "/.well-known/apple-app-site-association"
        let block = RawFrame.block(
            RawFrame.get("\(path)?" + String(repeating: "q", count: count)))
        var frames: [RawFrame] = []
        for start in stride(from: 0, to: block.count, by: 16_000) {
            let end = min(start + 16_000, block.count)
            frames.append(
                RawFrame(
                    type: start == 0 ? RawFrame.headers : RawFrame.continuation,
                    flags: (start == 0 ? 1 : 0) | (end == block.count ? 4 : 0), stream: 1,
                    payload: Array(block[start..<end])))
        }
        for frame in frames { server.receive(frame) }
        expectEqual(server.requests.first?.request.path, path)
        expectEqual(server.sentFrames().content(of: 1), Array("{}".utf8))
        #expect(server.session.closeReason == nil)
    }

    @Test func aPeerThatDoesNotReadItsAcknowledgements() throws {
        var limits = FloodLimits()
        limits.pings = .max
        limits.frames = .max
        limits.bytes = .max
        let server = try ServerHarness(limits: limits)
        server.open()
        for _ in 0..<66 { server.receive(Self.ping) }
        expectEqual(server.session.closeReason, .acknowledgementBudget)
    }

    @Test func badPreface() throws {
        let server = try ServerHarness()
        server.receive(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        expectEqual(server.session.closeReason, .badPreface)
        expectEqual(server.sentFrames().goAway?.code, 1)
        #expect(server.session.isFinished)
    }

    @Test func prefaceWithoutSettings() throws {
        let server = try ServerHarness()
        server.receive(RawFrame.preface + Self.ping.octets)
        expectEqual(server.sentFrames().goAway?.code, 1)
        expectEqual(server.session.closeReason?.errorCode, .protocolError)
    }
}
