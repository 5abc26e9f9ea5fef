import OpenSSL
import Reactor
import Testing

@testable import AASAStorm

// Covers: LightSession+Records.swift, LightClient.swift, LightHello.swift
/// Against OpenSSL's server, in memory.
@Suite struct LightSessionTests {
    private final class Pair {
        let client: LightClient
        let session: LightSession
        let server: TLSSession
        let serverWire: TLSTransport
        /// How many bytes come at once; 0: all.
        var piece = 0

        init(
            server settings: TLSServerSettings, check: LightClient.Check? = nil,
            protocols: [TLSApplicationProtocol] = [.http11], checksSignature: Bool = true
        ) throws {
            server = try TLSSession(
                context: TLSContext(role: .server(settings), library: TLSLibrary()))
            serverWire = try TLSTransport()
            client = try LightClient(
                serverName: "example.com", protocols: protocols, check: check,
                library: TLSLibrary(for: .loadTests))
            session = LightSession(
                client, random: SIMD8(repeating: 0x0102_0304_0506_0708),
                checksSignature: checksSignature)
        }

        private func takeClientOutput() -> [UInt8] {
            defer { client.clearOutput() }
            return Array(client.output)
        }

        func takeServerOutput() -> [UInt8] {
            defer { serverWire.clearOutput() }
            return Array(serverWire.output)
        }

        /// Feeds the client; what it comes to at the end.
        func feed(_ bytes: [UInt8], _ body: () -> Bool) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let next = Array(piece == 0 ? rest : rest.prefix(piece))
                rest = rest.dropFirst(next.count)
                let goesOn = next.withUnsafeBytes {
                    client.receive($0)
                    defer { session.keepUnread() }
                    return body()
                }
                if !goesOn { return }
            }
        }

        /// - Parameter change: applied to what the server says.
        func handshake(_ change: ([UInt8]) -> [UInt8] = { $0 }) -> LightSession.Step {
            var step = session.handshake()
            for _ in 0..<4 {
                let bytes = takeClientOutput()
                if !bytes.isEmpty {
                    bytes.withUnsafeBytes {
                        serverWire.receive($0)
                        _ = server.handshake(serverWire)
                        server.keepUnread(serverWire)
                    }
                }
                if step == .done { break }
                feed(change(takeServerOutput())) {
                    step = session.handshake()
                    return step == .wantsInput
                }
                if case .failed = step { break }
            }
            return step
        }

        func serverSays(_ text: String) -> [UInt8] {
            Array(text.utf8).withUnsafeBytes { _ = server.write($0, serverWire) }
            return takeServerOutput()
        }

        func read(_ bytes: [UInt8]) -> (text: String, end: LightSession.Read) {
            var text: [UInt8] = []
            var end = LightSession.Read.wantsInput
            withUnsafeTemporaryAllocation(byteCount: 17_000, alignment: 16) { buffer in
                feed(bytes) {
                    while true {
                        end = session.read(into: buffer)
                        guard case .bytes(let count) = end else { return end == .wantsInput }
                        text += buffer[..<count]
                    }
                }
            }
            return (String(decoding: text, as: UTF8.self), end)
        }

        func say(_ text: String) -> String {
            let isWritten = Array(text.utf8).withUnsafeBytes { session.write($0) }
            guard isWritten else { return "not written" }
            var heard: [UInt8] = []
            withUnsafeTemporaryAllocation(byteCount: 100_000, alignment: 16) { buffer in
                takeClientOutput().withUnsafeBytes {
                    serverWire.receive($0)
                    while case .bytes(let count) = server.read(into: buffer, serverWire) {
                        heard += buffer[..<count]
                    }
                    server.keepUnread(serverWire)
                }
            }
            return String(decoding: heard, as: UTF8.self)
        }
    }

    private static let authority: LocalAuthority? =
        try? LocalAuthority.make(now: WallClock.seconds)

    private func settings(
        _ key: CertificatePlan.Key = .ecdsaP256, name: String = "example.com"
    ) throws -> (settings: TLSServerSettings, check: LightClient.Check) {
        let authority = try #require(Self.authority)
        let pair = try authority.issue(names: [name], key: key, now: WallClock.seconds)
        return (
            TLSServerSettings(hosts: [TLSHost(names: [name], pairs: [pair])]),
            .init(trust: .certificates([authority.pair.leaf]), name: "example.com")
        )
    }

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

    @Test func saysWhatItCannotSpeak() throws {
        var (settings, check) = try settings()
        settings.maximumVersion = .tls12
        let old = try Pair(server: settings, check: check).handshake()
        // OpenSSL sends an alert: no version in common.
        #expect(old == .failed(.alert(70)))
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

    @Test func whatIsNoTLSFails() throws {
        let (settings, _) = try settings()
        let pair = try Pair(server: settings)
        #expect(
            pair.handshake { _ in Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8) }
                == .failed(.protocolViolation))
        let refused = try Pair(server: settings)
        #expect(refused.handshake { _ in [21, 3, 3, 0, 2, 2, 40] } == .failed(.alert(40)))
        #expect(!Array("x".utf8).withUnsafeBytes { refused.session.write($0) })
    }
}
