import Testing

@testable import HTTP

/// The figures beside each other: one alone can be anything, and together they keep a promise.
@Suite struct FloodLimitsTests {
    private let limits = FloodLimits()
    /// SETTINGS_MAX_FRAME_SIZE, and the window that a client begins with (RFC 9113 section 6.5.2).
    private let frame = 16_384
    private let window = 65_535

    /// Preface, SETTINGS, WINDOW_UPDATE, HEADERS, an acknowledgement, GOAWAY.
    @Test func `A phone needs a small part of every budget`() {
        #expect(limits.frames >= 15 * 8 && limits.bytes >= 15 * 500)
        #expect(limits.settings >= 15 && limits.pings >= 15)
    }

    /// Whoever asks for the document gets it, over HTTP/2 as over HTTP/1.1.
    @Test func `A head that HTTP1 answers is answered here as well`() {
        let head = HTTP1Limits().headBytes
        #expect(limits.bytes >= head + window)
        // All that may be asked at once, before the first answer.
        #expect(limits.bytes >= limits.concurrentStreams * limits.headerListBytes)
        #expect(limits.continuations * frame >= limits.headerListBytes)
        // Each field counts 32 bytes more than it has (RFC 9113 section 6.5.2).
        #expect(limits.headerListBytes >= head + 32 * HTTP1Limits().fieldCount)
        #expect(limits.headerListBytesMaximum > limits.headerListBytes)
    }

    /// Another window may be on its way when the answer is sent without the rest.
    @Test func `An answer waits for as much content as a connection may send`() {
        #expect(limits.bytesLeftForContent >= window + frame)
        #expect(limits.bytes - limits.bytesLeftForContent >= HTTP1Limits().headBytes)
        #expect(limits.contentNanoseconds < limits.stallNanoseconds)
    }

    @Test func `Every stream that may be open may be reset`() {
        #expect(limits.resets >= 2 * limits.concurrentStreams)
        #expect(limits.provokedResets >= limits.concurrentStreams)
    }

    /// Else a connection that only asks and reads would run out of frames.
    @Test func `An answer earns what its request may cost`() {
        #expect(limits.framesPerAnswer >= 1 + limits.continuations)
        #expect(limits.bytesPerAnswer >= limits.headerListBytes)
    }

    @Test func `The largest document gets through at the least speed, and is not a stall`() {
        let largest = 131_072
        #expect(largest / limits.minimumBytesPerSecond <= 60)
        #expect(UInt64(largest) * 1_000_000_000 / limits.stallNanoseconds > 4096)
    }

    @Test func `Without limits a connection is asked as often as its peer likes`() throws {
        let server = try ServerHarness(limits: .none)
        server.open()
        let count = 2 * (limits.requestsPerConnection ?? 0)
        for index in 0..<count {
            server.receive(.request(UInt32(2 * index + 1)), HTTP2FloodTests.ping, .settings())
            _ = server.sentFrames()
        }
        #expect(server.session.answeredCount == count && count >= 2000)
    }
}
