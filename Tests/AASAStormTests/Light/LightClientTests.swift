import OpenSSL
import Reactor
import Testing

@testable import AASAStorm

@Suite struct LightClientTests: LightSuite {
    @Test func verifiesSignaturesOfRSA() throws {
        let (settings, check) = try settings(.rsa(bits: 2048))
        let pair = try Pair(server: settings, check: check)
        #expect(pair.handshake() == .done)
        #expect(pair.client.signaturesChecked == 1)
    }

    @Test func verifiesAChainOnce() throws {
        let (settings, check) = try settings()
        let context = try TLSContext(role: .server(settings), library: TLSLibrary())
        let pair = try Pair(server: settings, check: check, checksSignature: false)
        #expect(pair.handshake() == .done)
        for _ in 0..<3 {
            let again = LightSession(
                pair.client, random: SIMD8(repeating: 5), checksSignature: false)
            let server = try TLSSession(context: context)
            _ = again.handshake()
            pair.client.output.withUnsafeBytes {
                pair.serverWire.receive($0)
                _ = server.handshake(pair.serverWire)
            }
            pair.client.clearOutput()
            let flight = pair.takeServerOutput()
            let step = flight.withUnsafeBytes { bytes -> LightSession.Step in
                pair.client.receive(bytes)
                return again.handshake()
            }
            #expect(step == .done)
            pair.client.clearOutput()
        }
        #expect(pair.client.chainsChecked == 1 && pair.client.signaturesChecked == 0)
    }

    @Test func refusesAnotherNameAndAnotherRoot() throws {
        let (settings, check) = try settings(name: "other.example")
        #expect(
            try Pair(server: settings, check: check).handshake() == .failed(.certificate))
        #expect(
            try Pair(server: settings, check: .init(trust: .none, name: "other.example"))
                .handshake() == .failed(.certificate))
        // Unless nothing is checked, as in a storm without --cacert.
        #expect(try Pair(server: settings).handshake() == .done)
    }
}
