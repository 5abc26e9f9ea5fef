import TestSupport
import Testing

@testable import OpenSSL

/// One at a time: the reserve is the calling thread's, and no test suspends.
@Suite struct EphemeralKeyPoolTests {
    /// A reserve for `pairs` pairs that serves the calling thread, its memory, and handshakes.
    private final class Fixture {
        let memory: UnsafeMutableRawBufferPointer
        let context: TLSContext
        let reserve: EphemeralKeyPool

        init(pairs: Int, purpose: TLSLibrary.Purpose = .serving) throws {
            memory = .allocate(
                byteCount: EphemeralKeyPool.bytesOfHead
                    + pairs * EphemeralKeyPool.bytesPerPair, alignment: 16)
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            context = try TLSContext(
                role: .server(TLSPairing.settings()), library: TLSLibrary(for: purpose))
            reserve = try #require(EphemeralKeyPool(for: context, in: memory))
            reserve.serveThread()
        }

        deinit {
            reserve.stopServing()
            memory.deallocate()
        }

        /// The public half of a place.
        func publicKey(_ place: Int) -> [UInt8] {
            let start =
                EphemeralKeyPool.bytesOfHead + place * EphemeralKeyPool.bytesPerPair + 32
            return Array(memory[start..<(start + 32)])
        }

        var isWiped: Bool {
            memory[EphemeralKeyPool.bytesOfHead...].allSatisfy { $0 == 0 }
        }

        /// A whole handshake; the share that the server sent in its ServerHello (RFC 8446 section
        /// 4.2.8: group 29, 32 bytes).
        func share(_ client: TLSClientSettings = TLSPairing.reporting) throws -> [UInt8] {
            let pairing = try TLSPairing(
                server: context,
                clientContext: TLSContext(role: .client(client), library: TLSLibrary()))
            _ = pairing.onClient { pairing.client.handshake($0) }
            _ = pairing.onServer { pairing.server.handshake($0) }
            let sent = pairing.toClient
            let ends = pairing.handshake()
            #expect(ends.client.isDone && ends.server.isDone)
            expectEqual(pairing.client.groupName, "x25519")
            let mark: [UInt8] = [0, 29, 0, 32]
            let place = try #require(
                sent.indices.first { sent[$0...].prefix(4).elementsEqual(mark) })
            return Array(sent[(place + 4)..<(place + 36)])
        }
    }

    @Test func eachPairServesOneHandshakeAndTheOldestFirst() throws {
        let fixture = try Fixture(pairs: 4)
        #expect(fixture.reserve.make(4))
        expectEqual(fixture.reserve.count, 4)
        let made = (0..<4).map(fixture.publicKey)
        var used: [[UInt8]] = []
        for left in [3, 2, 1, 0, 0, 0] {
            used.append(try fixture.share())
            expectEqual(fixture.reserve.count, left)
        }
        expectEqual(Array(used.prefix(4)), made)
        expectEqual(Set(used).count, 6)
        expectEqual(fixture.reserve.takenCount, 4)
        #expect(fixture.isWiped)
    }

    @Test func aPairIsWipedWhereItLayOnceItIsTaken() throws {
        let fixture = try Fixture(pairs: 2)
        #expect(fixture.reserve.make(2))
        _ = try fixture.share()
        let first = EphemeralKeyPool.bytesOfHead
        #expect(fixture.memory[first..<(first + 64)].allSatisfy { $0 == 0 })
        #expect(fixture.publicKey(1).contains { $0 != 0 })
    }

    @Test func neverHoldsMoreThanThereIsRoomFor() throws {
        let fixture = try Fixture(pairs: 3)
        expectEqual(fixture.reserve.capacity, 3)
        #expect(fixture.reserve.make(100))
        expectEqual(fixture.reserve.count, 3)
        // Around the end of the memory.
        _ = try fixture.share()
        _ = try fixture.share()
        #expect(fixture.reserve.make(100))
        expectEqual(fixture.reserve.count, 3)
        let order = [2, 0, 1].map(fixture.publicKey)
        expectEqual(Set(order).count, 3)
        try expectEqual((0..<3).map { _ in try fixture.share() }, order)
    }

    @Test func wipingLeavesNothing() throws {
        let fixture = try Fixture(pairs: 8)
        #expect(fixture.reserve.make(5))
        _ = try fixture.share()
        fixture.reserve.wipe()
        expectEqual(fixture.reserve.count, 0)
        #expect(fixture.isWiped)
        _ = try fixture.share()
        expectEqual(fixture.reserve.takenCount, 1)
    }

    @Test func memoryThatWasClearedIsAnEmptyReserve() throws {
        let fixture = try Fixture(pairs: 4)
        #expect(fixture.reserve.make(4))
        fixture.memory.initializeMemory(as: UInt8.self, repeating: 0)
        expectEqual(fixture.reserve.count, 0)
        let share = try fixture.share()
        #expect(share.contains { $0 != 0 })
        expectEqual(fixture.reserve.takenCount, 0)
    }

    @Test func olderClientsTakePairsAsWell() throws {
        let fixture = try Fixture(pairs: 2)
        #expect(fixture.reserve.make(2))
        var client = TLSPairing.reporting
        client.offer.maximumVersion = .tls12
        client.offer.groups = "X25519"
        let pairing = try TLSPairing(
            server: fixture.context,
            clientContext: TLSContext(role: .client(client), library: TLSLibrary()))
        let ends = pairing.handshake()
        #expect(ends.client.isDone && ends.server.isDone)
        expectEqual(pairing.client.negotiated.version, .tls12)
        expectEqual(fixture.reserve.count, 1)
    }

    @Test func otherGroupsAndKindsOfKeysAreNotConcerned() throws {
        let fixture = try Fixture(pairs: 2)
        #expect(fixture.reserve.make(2))
        for (groups, algorithms) in [
            ("P-256", TLSOffer.onlyECDSA), ("P-256", TLSOffer.onlyRSA),
        ] {
            var client = TLSPairing.reporting
            client.offer.groups = groups
            client.offer.signatureAlgorithms = algorithms
            let pairing = try TLSPairing(
                server: fixture.context,
                clientContext: TLSContext(role: .client(client), library: TLSLibrary()))
            let ends = pairing.handshake()
            #expect(ends.client.isDone && ends.server.isDone)
        }
        expectEqual(fixture.reserve.count, 2)
    }

    @Test func servesNobodyOnceItHasStopped() throws {
        let fixture = try Fixture(pairs: 2)
        #expect(fixture.reserve.make(2))
        fixture.reserve.stopServing()
        #expect(fixture.isWiped)
        _ = try fixture.share()
        expectEqual(fixture.reserve.takenCount, 0)
    }

    @Test func servesItsOwnLibraryAlone() throws {
        let fixture = try Fixture(pairs: 2)
        #expect(fixture.reserve.make(2))
        let other = try TLSContext(
            role: .server(TLSPairing.settings()), library: TLSLibrary(for: .serving))
        let pairing = try TLSPairing(
            server: other,
            clientContext: TLSContext(role: .client(TLSPairing.reporting), library: TLSLibrary()))
        let ends = pairing.handshake()
        #expect(ends.client.isDone && ends.server.isDone)
        expectEqual(fixture.reserve.count, 2)
    }

    @Test func isNotMadeForALibraryThatCannot() throws {
        let context = try TLSContext(
            role: .server(TLSPairing.settings()), library: TLSLibrary())
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        #expect(EphemeralKeyPool(for: context, in: memory) == nil)
        let serving = try TLSContext(
            role: .server(TLSPairing.settings()), library: TLSLibrary(for: .serving))
        let head = UnsafeMutableRawBufferPointer(rebasing: memory[..<64])
        #expect(EphemeralKeyPool(for: serving, in: head) == nil)
    }
}
