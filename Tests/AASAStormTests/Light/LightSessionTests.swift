import OpenSSL
import Reactor
import Testing

@testable import AASAStorm

// Covers: LightSession+Records.swift
@Suite struct LightSessionTests: LightSuite {
    @Test(arguments: [0, 1, 7, 1000])
    func speaksWithOpenSSL(_ piece: Int) throws {
        let (settings, check) = try settings()
        let pair = try Pair(server: settings, check: check)
        pair.piece = piece
        #expect(pair.handshake() == .done)
        #expect(pair.server.isHandshakeDone)
        #expect(pair.server.negotiated.version == .tls13)
        #expect(pair.server.negotiated.applicationProtocol == .http11)
        #expect(pair.server.serverName == "example.com")
        #expect(pair.client.chainsChecked == 1 && pair.client.signaturesChecked == 1)
        #expect(pair.say("GET / HTTP/1.1") == "GET / HTTP/1.1")
        let large = String(repeating: "0123456789", count: 5000)
        #expect(pair.read(pair.serverSays(large)).text == large)
        #expect(pair.say(large) == large)
        pair.session.closeNotify()
        pair.server.closeNotify(pair.serverWire)
        #expect(pair.read(pair.takeServerOutput()).end == .closedByPeer)
        #expect(pair.session.keptCount == 0)
    }

    /// A server of TLS 1.2 has nothing to choose from what this client offers: no fault of its own.
    @Test(arguments: [
        (UInt8(40), LightSession.Failure.needsMore), (70, .needsMore), (80, .alert(80)),
    ])
    func knowsAServerOfOlderTLS(_ alert: UInt8, _ failure: LightSession.Failure) throws {
        let (settings, check) = try settings()
        let pair = try Pair(server: settings, check: check)
        #expect(pair.handshake { _ in [21, 3, 3, 0, 2, 2, alert] } == .failed(failure))
    }

    /// Each of them is noticed by something: a record that does not open, or a Finished.
    @Test func noticesADamagedByte() throws {
        let (settings, _) = try settings()
        for index in stride(from: 5, to: 900, by: 7) {
            let pair = try Pair(server: settings)
            var isChanged = false
            let step = pair.handshake { bytes in
                var bytes = bytes
                if index < bytes.count {
                    bytes[index] ^= 0x40
                    isChanged = true
                }
                return bytes
            }
            // A record that became longer waits for the rest of it.
            #expect(step != .done || !isChanged, "byte \(index)")
        }
    }

    @Test func followsKeyUpdatesAndIgnoresTickets() throws {
        var (settings, check) = try settings()
        settings.tickets = try SessionTickets(now: 0)
        let pair = try Pair(server: settings, check: check)
        #expect(pair.handshake() == .done)
        #expect(pair.read(pair.serverSays("one")).text == "one")
        pair.server.updateKeys(pair.serverWire)
        #expect(pair.read(pair.serverSays("two")).text == "two")
        // It has changed its own key as well, as it was asked to.
        #expect(pair.say("three") == "three")
        #expect(pair.read(pair.serverSays("four")).text == "four")
    }

    @Test func endsAFloodOfControlRecords() throws {
        let (settings, check) = try settings()
        let pair = try Pair(server: settings, check: check)
        #expect(pair.handshake() == .done)
        var end = LightSession.Read.wantsInput
        for _ in 0...LightSession.controlRecordsMaximum where end == .wantsInput {
            pair.server.updateKeys(pair.serverWire)
            end = pair.read(pair.serverSays("")).end
            _ = pair.say("")
        }
        #expect(end == .failed(.protocolViolation))
    }
}
