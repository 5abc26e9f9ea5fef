import OpenSSL
import TestSupport
import Testing

/// ClientHellos of no client: the server session gets them byte by byte as they are.
@Suite struct ClientHelloListsTests {
    private static let x25519: UInt16 = 29
    private static let alertIllegalParameter: [UInt8] = [21, 3, 3, 0, 2, 2, 47]

    private func hello(
        groups: [UInt16], shares: [(group: UInt16, key: [UInt8])], suites: [UInt8] = [0x13, 0x01],
        more: [(type: UInt16, content: [UInt8])] = []
    ) -> [UInt8] {
        RawClientHello(groups: groups, shares: shares, suites: suites, more: more).records
    }

    /// What a server answers.
    private func answer(to hello: [UInt8]) throws -> (failure: TLSFailure?, bytes: [UInt8]) {
        let pair = try TLSPairing(server: TLSPairing.settings(), client: TLSPairing.reporting)
        pair.toServer = hello
        let step = pair.onServer { pair.server.handshake($0) }
        return (step.failure, pair.toClient)
    }

    private func unknownGroups(_ count: Int) -> [UInt16] {
        (0..<count).map { 0x2000 + UInt16($0 % 0x4000) }
    }

    @Test func `A hello that makes the server search long lists is refused with an alert`() throws {
        let refused = try answer(
            to: hello(
                groups: unknownGroups(16_000) + [0x1FFF],
                shares: Array(repeating: (0x1FFF, [1]), count: 6400)))
        expectEqual(refused.failure?.cause, .handshake)
        expectEqual(refused.bytes, Self.alertIllegalParameter)
    }

    @Test(arguments: [(1, 256, true), (0, 257, false), (-1000, 6000, true), (15_000, 16, true)])
    func `The product of both lists counts`(more: Int, shares: Int, isBorne: Bool) throws {
        // The last is of a group that the server has, and that has no share: it asks for one.
        let groups = unknownGroups(1022 + more) + [Self.x25519]
        let reply = try answer(
            to: hello(
                groups: groups, shares: Array(repeating: (groups[0], [1]), count: shares)))
        expectEqual((reply.failure == nil), isBorne, "\(String(describing: reply.failure))")
        #expect(reply.bytes.starts(with: isBorne ? [22, 3, 3] : Self.alertIllegalParameter))
    }

    @Test func `A long list with one share is answered`() throws {
        let reply = try answer(
            to: hello(
                groups: unknownGroups(32_000) + [Self.x25519],
                shares: [(Self.x25519, [9] + [UInt8](repeating: 0, count: 31))]))
        #expect(reply.failure == nil)
        #expect(reply.bytes.starts(with: [22, 3, 3]))
    }

    @Test func `Lists that are not well-formed are OpenSSL's to report`() throws {
        // A share that is longer than its list, behind long lists.
        var bytes = hello(
            groups: unknownGroups(2000) + [Self.x25519],
            shares: [(0x2000, [UInt8](repeating: 1, count: 3000))])
        let at = bytes.count - 3002
        bytes.replaceSubrange(at..<at + 2, with: [0xFF, 0xFF])
        let reply = try answer(to: bytes)
        expectEqual(reply.failure?.cause, .handshake)
        expectEqual(reply.bytes, [21, 3, 3, 0, 2, 2, 50])
    }

    private func answer(
        suites: [UInt8] = [0x13, 0x01],
        more: [(type: UInt16, content: [UInt8])] = []
    ) throws -> [UInt8] {
        try answer(
            to: hello(
                groups: [Self.x25519],
                shares: [(Self.x25519, [9] + [UInt8](repeating: 0, count: 31))], suites: suites,
                more: more)
        ).bytes
    }

    /// OpenSSL makes an object of each name, which it keeps.
    @Test func whatOpenSSLMakesObjectsOfIsShort() throws {
        func names(_ count: Int) -> [UInt8] {
            vector(2, (0..<count).flatMap { _ in [0, 2, 0x30, 0] as [UInt8] })
        }
        try expectEqual(answer(more: [(47, names(16_000))]), Self.alertIllegalParameter)
        try expectEqual(answer(more: [(47, names(513))]), Self.alertIllegalParameter)
        try expectEqual(answer(more: [(47, names(100))]).first, 22)
        let responders = [UInt8](repeating: 0, count: 60_000)
        try expectEqual(
            answer(more: [(5, [1] + vector(2, responders) + [0, 0])]),
            Self.alertIllegalParameter)
        try expectEqual(answer(more: [(5, [1, 0, 0, 0, 0])]).first, 22)
        let algorithms = vector(2, [UInt8](repeating: 0x77, count: 60_000))
        try expectEqual(answer(more: [(50, algorithms)]), Self.alertIllegalParameter)
    }

    @Test func suitesAreAsManyAsScannersOffer() throws {
        func suites(_ count: Int) -> [UInt8] {
            (0..<count).flatMap { _ in [0x13, 0x01] as [UInt8] }
        }
        try expectEqual(answer(suites: suites(1024)).first, 22)
        try expectEqual(answer(suites: suites(1025)), Self.alertIllegalParameter)
    }
}
