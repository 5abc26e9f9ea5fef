import TestSupport
import Testing

@testable import HTTP

@Suite struct StreamHistoryTests {
    private func head(
        _ kind: HTTP2FrameHead.Kind, _ stream: UInt32, ends: Bool = false
    ) -> HTTP2FrameHead {
        let frame = RawFrame(
            type: kind.rawValue, flags: ends ? RawFrame.endStream : 0, stream: stream)
        return frame.octets.withUnsafeBytes { HTTP2FrameHead($0) }
    }

    /// The judgement on the last of these frames; those before it break nothing.
    private func judgement(_ heads: HTTP2FrameHead...) -> HTTP2CloseReason? {
        var history = StreamHistory()
        for head in heads.dropLast() {
            let reason = history.judge(head)
            #expect(reason == nil, "\(head)")
        }
        return heads.last.flatMap { history.judge($0) }
    }

    @Test func `A request, its content and the fields behind it are in order`() {
        #expect(
            judgement(
                head(.headers, 1), head(.data, 1), head(.data, 1), head(.headers, 1, ends: true))
                == nil)
        #expect(judgement(head(.headers, 1, ends: true), head(.headers, 3, ends: true)) == nil)
        #expect(judgement(head(.headers, 1), head(.headers, 3, ends: true), head(.data, 1)) == nil)
    }

    @Test func `Nothing comes on a stream behind its end`() {
        for late in [head(.data, 1), head(.headers, 1), head(.data, 1, ends: true)] {
            expectEqual(judgement(head(.headers, 1, ends: true), late), .streamClosed)
            expectEqual(
                judgement(head(.headers, 1), head(.data, 1, ends: true), late), .streamClosed)
            expectEqual(judgement(head(.headers, 1), head(.rstStream, 1), late), .streamClosed)
        }
        // Another one goes on.
        #expect(
            judgement(head(.headers, 1), head(.headers, 3), head(.rstStream, 3), head(.data, 1))
                == nil)
        // To end it twice is allowed, and so is a window.
        #expect(
            judgement(head(.headers, 1, ends: true), head(.rstStream, 1), head(.rstStream, 1))
                == nil)
        #expect(judgement(head(.headers, 1, ends: true), head(.windowUpdate, 1)) == nil)
        #expect(judgement(head(.headers, 1, ends: true), head(.priority, 1)) == nil)
    }

    @Test func `A stream that was passed over cannot be opened any more`() {
        expectEqual(judgement(head(.headers, 5), head(.headers, 1)), .protocolError)
        expectEqual(judgement(head(.headers, 5), head(.headers, 3)), .protocolError)
        #expect(
            judgement(head(.headers, 3), head(.headers, 5), head(.headers, 3, ends: true)) == nil)
    }

    @Test(arguments: [UInt32(125), 127, 129, 131])
    func `The last 64 streams are remembered`(newest: UInt32) {
        // Stream 1 is one of them as long as no more than 63 came behind it.
        let isRemembered = newest <= 127
        expectEqual(
            judgement(head(.headers, 1, ends: true), head(.headers, newest), head(.data, 1)),
            (isRemembered ? .streamClosed : nil))
        expectEqual(
            judgement(head(.headers, 3), head(.headers, newest), head(.headers, 1)),
            (isRemembered ? .protocolError : nil))
    }

    @Test func `Streams may begin anywhere and go to the last number`() {
        let last: UInt32 = 0x7FFF_FFFF
        expectEqual(judgement(head(.headers, last, ends: true), head(.data, last)), .streamClosed)
        expectEqual(judgement(head(.headers, last), head(.headers, last - 2)), .protocolError)
        #expect(judgement(head(.headers, 1), head(.headers, last), head(.data, 1)) == nil)
        #expect(
            judgement(head(.headers, last - 2), head(.headers, last), head(.data, last - 2)) == nil)
    }

    @Test func `A priority is about a stream`() {
        expectEqual(judgement(head(.priority, 0)), .protocolError)
        #expect(judgement(head(.priority, 1)) == nil)
        #expect(judgement(head(.priority, 2)) == nil)
    }

    /// nghttp2 judges them.
    @Test func `Streams that a client cannot have are left alone`() {
        for kind in [HTTP2FrameHead.Kind.headers, .data, .rstStream] {
            #expect(judgement(head(kind, 2), head(kind, 2, ends: true), head(kind, 2)) == nil)
            #expect(judgement(head(kind, 0)) == nil)
        }
        // Not opened yet.
        #expect(judgement(head(.data, 1)) == nil)
        #expect(judgement(head(.rstStream, 1), head(.headers, 1)) == nil)
    }
}
