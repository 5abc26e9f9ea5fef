import AASADevice
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAStorm

@Suite struct StormConnectionTests {
    /// A question begins with its handshake: nothing is sent, watched or asked yet, and its time
    /// counts from when the device was due.
    @Test func beginsWithTheHandshake() throws {
        let context = try TLSContext(
            role: .client(TLSClientSettings()), library: try TLSLibrary(for: .loadTests))
        let address = SocketAddress.v4(0x7F00_0001, port: 443)
        let connection = StormConnection(
            token: SlotToken(index: 7, generation: 1), socket: try Socket(for: address),
            session: try TLSSession(context: context, serverName: "example.com"), due: 11,
            lateness: 12,
            device: StormDevice(era: .ios13, patience: 60, triesMaximum: 1, asksOnePath: false),
            path: .wellKnown)
        expectEqual(connection.phase, .handshaking)
        #expect(connection.exchange == nil)
        #expect(connection.unsent.isEmpty)
        #expect(!connection.isWatched && !connection.isWatchedForWriting)
        expectEqual(connection.token.index, 7)
        #expect(connection.due == 11 && connection.lateness == 12)
        #expect(!connection.session.negotiated.isResumed)
    }
}
