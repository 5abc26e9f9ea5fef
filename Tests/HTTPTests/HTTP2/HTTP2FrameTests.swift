import TestSupport
import Testing

@testable import HTTP

struct HTTP2FrameTests {
    static let frames = [
        RawFrame.settings([(3, 8)]), .request(1), RawFrame(type: 0x42, flags: 7, stream: 9),
        .windowUpdate(1, stream: 1), RawFrame(type: RawFrame.ping, flags: 1, payload: [1, 2]),
    ]

    /// The same heads, whatever pieces the bytes come in.
    @Test(arguments: 1...40)
    func pieces(size: Int) {
        var scanner = HTTP2FrameScanner()
        var heads: [HTTP2FrameHead] = []
        var rest = (RawFrame.preface + Self.frames.flatMap(\.octets))[...]
        while !rest.isEmpty {
            Array(rest.prefix(size)).withUnsafeBytes { bytes in
                var left = bytes
                while let head = scanner.next(&left) { heads.append(head) }
                #expect(left.isEmpty)
            }
            rest = rest.dropFirst(size)
        }
        expectEqual(heads.map(\.length), Self.frames.map(\.payload.count))
        expectEqual(heads.map { $0.kind?.rawValue }, [4, 1, nil, 8, 6])
        expectEqual(heads.map(\.stream), [0, 1, 9, 1, 0])
        expectEqual([heads[0], heads[4]].map(\.isAcknowledgement), [false, true])
    }

    @Test func goAway() {
        let octets = HTTP2FrameHead.goAway(lastStream: 0x7FFF_FFFF, code: .enhanceYourCalm)
        let (frames, rest) = RawFrame.parse(octets)
        #expect(rest.isEmpty && frames.count == 1)
        #expect(frames.first?.lastStream == 0x7FFF_FFFF && frames.first?.code == 0xB)
    }
}
