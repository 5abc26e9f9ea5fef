// Covers: HTTP2Settings.swift

import TestSupport
import Testing

@testable import HTTP

@Suite struct HTTP2ServerSettingsTests {
    private func server(_ change: (inout FloodLimits) -> Void) throws -> ServerHarness {
        var limits = FloodLimits()
        change(&limits)
        return try ServerHarness(limits: limits)
    }

    /// RFC 9218 section 2.1: in the first frame, and never another value.
    @Test func `The first frame says what is allowed, and that priorities mean nothing`() throws {
        let server = try server {
            $0.concurrentStreams = 3
            $0.headerListBytes = 1000
        }
        expectEqual(server.sentFrames(), [.settings([(3, 3), (6, 1000), (9, 1)])])
    }

    /// 0 streams would be a server that nobody can ask.
    @Test(arguments: [(0, 1), (-5, 1), (1 << 20, 1 << 20), (Int.max, 1 << 20)] as [(Int, UInt32)])
    func `Limits are said within bounds`(limit: Int, said: UInt32) throws {
        let server = try server {
            $0.concurrentStreams = limit
            $0.headerListBytes = limit
        }
        let entries: [(UInt16, UInt32)] = [(3, said), (6, said), (9, 1)]
        expectEqual(server.sentFrames(), [.settings(entries)])
    }

    @Test func `A SETTINGS frame has so many entries and no more`() throws {
        for (count, code) in [(32, UInt32?.none), (33, 0xB)] {
            let server = try server { _ in }
            server.open()
            let entries: [(UInt16, UInt32)] = (0..<count).map { (0x100 + UInt16($0), 0) }
            server.receive(.settings(entries))
            expectEqual(server.sentFrames().goAway?.code, code, "\(count)")
        }
    }

    @Test func `So many acknowledgements wait for a peer that does not read`() throws {
        let server = try server { $0.acknowledgements = 4 }
        server.open()
        for _ in 0..<4 { server.receive(HTTP2FloodTests.ping) }
        #expect(server.session.closeReason == nil)
        // Who reads may go on.
        expectEqual(server.sentFrames().of(RawFrame.ping).count, 4)
        for _ in 0..<4 { server.receive(HTTP2FloodTests.ping) }
        #expect(server.session.closeReason == nil)
        server.receive(HTTP2FloodTests.ping)
        expectEqual(server.session.closeReason, .acknowledgementBudget)
    }

    /// nghttp2 counts a CONTINUATION again for each piece that its head arrives in.
    @Test func `A field block in as many frames as are allowed may come in single bytes`() throws {
        let server = try server { _ in }
        server.open()
        let count = FloodLimits().continuations
        let fields = (0..<count).map { ("x\($0)", "v") }
        var octets = RawFrame(
            type: RawFrame.headers, flags: RawFrame.endStream, stream: 1,
            payload: RawFrame.block(RawFrame.get)
        ).octets
        for (index, field) in fields.enumerated() {
            octets +=
                RawFrame(
                    type: RawFrame.continuation,
                    flags: index == count - 1 ? RawFrame.endHeaders : 0, stream: 1,
                    payload: RawFrame.block([field])
                ).octets
        }
        for octet in octets { server.receive([octet]) }
        expectEqual(server.requests.map(\.stream), [1])
        #expect(server.session.closeReason == nil)
    }
}
