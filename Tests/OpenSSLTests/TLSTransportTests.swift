import TestSupport
import Testing

@testable import OpenSSL

@Suite struct TLSTransportTests {
    private func bytes(_ range: Range<Int>) -> [UInt8] {
        range.map { UInt8(truncatingIfNeeded: $0) }
    }

    private func take(_ state: inout TransportState, _ count: Int) -> [UInt8] {
        var target = [UInt8](repeating: 0xEE, count: count)
        let taken = target.withUnsafeMutableBytes { target -> Int in
            guard let base = target.baseAddress else { return 0 }
            return state.take(into: base, atMost: count)
        }
        return Array(target[..<taken])
    }

    // MARK: In

    @Test func `What was kept is read before what has just come`() {
        var state = TransportState(capacity: 16)
        defer { state.free() }
        let (old, new) = (bytes(0..<5), bytes(10..<14))
        old.withUnsafeBytes { old in
            new.withUnsafeBytes { new in
                state.kept = old.baseAddress
                state.keptLeft = old.count
                state.input = new.baseAddress
                state.inputLeft = new.count
                expectEqual(take(&state, 2), [0, 1])
                // Never of both at once.
                expectEqual(take(&state, 10), [2, 3, 4])
                #expect(state.keptLeft == 0 && state.inputLeft == 4)
                expectEqual(take(&state, 3), [10, 11, 12])
                expectEqual(take(&state, 3), [13])
                #expect(!state.starved)
                expectEqual(take(&state, 3), [])
                #expect(state.starved)
            }
        }
    }

    @Test func `What is offered is counted down as it is read`() throws {
        let pair = try TLSPairing(server: TLSPairing.settings(), client: TLSPairing.reporting)
        _ = pair.onClient { pair.client.handshake($0) }
        let hello = pair.toServer
        hello.withUnsafeBytes { raw in
            pair.serverWire.receive(raw)
            expectEqual(pair.serverWire.unreadCount, hello.count)
            _ = pair.server.handshake(pair.serverWire)
            expectEqual(pair.serverWire.unreadCount, 0)
        }
    }

    // MARK: Out

    private func append(_ bytes: [UInt8], to state: inout TransportState) {
        bytes.withUnsafeBytes { raw in
            if let base = raw.baseAddress { state.append(base, count: raw.count) }
        }
    }

    @Test func `Output gathers in order, and grows as it has to`() {
        var state = TransportState(capacity: 16)
        defer { state.free() }
        var all: [UInt8] = []
        for count in [10, 6, 1, 100, 3] {
            let piece = bytes(all.count..<(all.count + count))
            all += piece
            append(piece, to: &state)
        }
        let output = UnsafeRawBufferPointer(start: state.output, count: state.outputCount)
        expectEqual(Array(output), all)
        expectEqual(state.writeCount, 5)
        #expect(state.outputCapacity >= all.count)
    }

    @Test func `Full is not too full`() {
        var state = TransportState(capacity: 16)
        defer { state.free() }
        let place = state.output
        append(bytes(0..<16), to: &state)
        #expect(state.output == place && state.outputCapacity == 16)
        append([1], to: &state)
        expectEqual(state.outputCapacity, 32, "twice, so that many small pieces cost few copies")
    }

    @Test func `A large output buffer is given back`() throws {
        let pair = try TLSPairing(server: TLSPairing.settings(), client: TLSPairing.reporting)
        _ = pair.handshake()
        let megabyte = [UInt8](repeating: 7, count: 1 << 20)
        _ = megabyte.withUnsafeBytes { pair.server.write($0, pair.serverWire) }
        #expect(pair.serverWire.output.count > 1 << 20)
        #expect(pair.serverWire.state.pointee.outputCapacity > TransportState.keptCapacity)
        pair.serverWire.clearOutput()
        #expect(pair.serverWire.state.pointee.outputCapacity <= TransportState.keptCapacity)
        #expect(pair.serverWire.output.isEmpty)
    }

    /// Four documents of the greatest size go out without allocating anew.
    @Test func `An ordinary output buffer is kept`() throws {
        let wire = try TLSTransport(outputCapacity: 1)
        expectEqual(wire.state.pointee.outputCapacity, 4096)
        let document = [UInt8](repeating: 1, count: 131_072)
        for _ in 0..<4 {
            document.withUnsafeBytes {
                if let base = $0.baseAddress { wire.state.pointee.append(base, count: $0.count) }
            }
        }
        let (place, capacity) = (wire.state.pointee.output, wire.state.pointee.outputCapacity)
        wire.clearOutput()
        #expect(wire.output.isEmpty)
        expectEqual(wire.state.pointee.output, place)
        expectEqual(wire.state.pointee.outputCapacity, capacity)
    }

    @Test func `Sessions outlive their transport without harm`() throws {
        let context = try TLSContext(
            role: .server(TLSPairing.settings()), library: try TLSLibrary())
        let session = try TLSSession(context: context)
        for _ in 0..<2 {
            let wire = try TLSTransport()
            guard case .wantsInput = session.handshake(wire) else {
                Issue.record("done?")
                return
            }
        }
    }

    /// Each turn belongs to one of them.
    @Test func `Sessions of a thread share a transport`() throws {
        let wire = try TLSTransport()
        let server = try TLSContext(role: .server(TLSPairing.settings()), library: TLSLibrary())
        let client = try TLSContext(role: .client(TLSPairing.reporting), library: TLSLibrary())
        let pairs = try (0..<3).map { _ in
            (
                try TLSSession(context: client, serverName: "example.com"),
                try TLSSession(context: server)
            )
        }
        var toServer = pairs.map { _ in [UInt8]() }
        var toClient = toServer
        func turn(_ session: TLSSession, _ input: inout [UInt8], _ output: inout [UInt8]) {
            input.withUnsafeBytes { raw in
                wire.receive(raw)
                _ = session.handshake(wire)
                session.keepUnread(wire)
            }
            input = []
            output += Array(wire.output)
            wire.clearOutput()
        }
        for _ in 0..<4 {
            for (index, (client, server)) in pairs.enumerated() {
                turn(client, &toClient[index], &toServer[index])
                turn(server, &toServer[index], &toClient[index])
            }
        }
        #expect(pairs.allSatisfy { $0.0.isHandshakeDone && $0.1.isHandshakeDone })
    }
}
