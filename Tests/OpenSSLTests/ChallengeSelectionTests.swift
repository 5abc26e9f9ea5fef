// Covers: ChallengeTable.swift

import COpenSSL
import TestSupport
import Testing

@testable import OpenSSL

@Suite struct ChallengeSelectionTests {
    private let table = ChallengeTable()
    private let challenge: CertificatePair

    init() throws {
        challenge = try .tlsALPNChallenge(
            name: "example.com", digest: sha256([1]), now: 1_800_000_000)
        table.replace(["example.com": challenge])
    }

    /// Names of the certificate that the client got; nil: the handshake failed.
    private func shown(
        _ name: String?, _ protocols: [String], hosts: [TLSHost],
        waited: (_ round: Int) -> Void = { _ in }
    ) throws -> (names: [String], isChallenge: Bool)? {
        var settings = TLSServerSettings(hosts: hosts)
        settings.challenges = table
        let server = try TLSSession(
            context: TLSContext(role: .server(settings), library: TLSLibrary()))
        var asking = TLSClientSettings()
        asking.verification = .reported
        asking.offer.protocols = []
        let client = try TLSSession(
            context: TLSContext(role: .client(asking), library: TLSLibrary()), serverName: name)
        let list = ProtocolList(names: protocols)
        client.offer(list)
        let (a, b) = (try TLSTransport(), try TLSTransport())
        for round in 0..<6 {
            _ = client.handshake(a)
            a.output.withUnsafeBytes { b.receive($0) }
            _ = server.handshake(b)
            server.keepUnread(b)
            if server.awaitsChallenge { waited(round) }
            a.clearOutput()
            b.output.withUnsafeBytes { a.receive($0) }
            _ = client.handshake(a)
            client.keepUnread(a)
            b.clearOutput()
        }
        guard client.isHandshakeDone, let leaf = client.peerChain.first else { return nil }
        return (leaf.summary.names, server.isChallenge)
    }

    private let hosts = [TLSHost(names: ["example.com"], pairs: [TestCertificates.ecdsa])]

    @Test func `A validator sees the challenge, in any case of letters`() throws {
        for name in ["example.com", "EXAMPLE.com"] {
            let seen = try #require(try shown(name, ["acme-tls/1"], hosts: hosts))
            #expect(seen.names == ["example.com"] && seen.isChallenge)
        }
        expectEqual(table.answered, 2)
    }

    @Test func `Nobody else ever does`() throws {
        for protocols in [["h2"], ["acme-tls/1", "h2"], ["h2", "acme-tls/1"], ["http/1.1"]] {
            let seen = try shown("example.com", protocols, hosts: hosts)
            #expect(seen?.isChallenge != true, "\(protocols)")
        }
        // No name, another name, no challenge: no handshake.
        #expect(try shown(nil, ["acme-tls/1"], hosts: hosts) == nil)
        #expect(try shown("www.example.com", ["acme-tls/1"], hosts: hosts) == nil)
        table.replace([:])
        #expect(try shown("example.com", ["acme-tls/1"], hosts: hosts) == nil)
        expectEqual(table.answered, 0)
    }

    @Test func `A validator waits for a look that begins behind its question`() throws {
        table.replace([:])
        table.questions.attend {}
        var rounds: [Int] = []
        let challenge = challenge
        let table = table
        let seen = try shown("example.com", ["acme-tls/1"], hosts: hosts) { round in
            rounds.append(round)
            // The second try comes before the look is over.
            guard round == 1, let look = table.questions.beginLook() else { return }
            table.replace(["example.com": challenge])
            table.questions.endLook(look)
        }
        expectEqual(rounds, [0, 1])
        expectEqual(seen?.isChallenge, true)
        // Nothing was found: the handshake fails, and does not wait for ever.
        table.replace([:])
        var waits = 0
        let none = try shown("example.com", ["acme-tls/1"], hosts: hosts) { _ in
            waits += 1
            if let look = table.questions.beginLook() { table.questions.endLook(look) }
        }
        #expect(none == nil)
        expectEqual(waits, 1)
        // Who is no validator never waits.
        try expectEqual(shown("example.com", ["h2"], hosts: hosts)?.isChallenge, false)
    }

    /// What a validator gets is its session's alone.
    @Test(arguments: [TLSVersion.tls12, .tls13])
    func `A validator leaves nothing behind`(version: TLSVersion) throws {
        var settings = TLSServerSettings(hosts: hosts)
        settings.challenges = table
        settings.tickets = try SessionTickets(now: 0)
        let server = try TLSContext(role: .server(settings), library: TLSLibrary())
        for plays in [true, false] {
            var asking = TLSPairing.reporting
            asking.actsAsValidator = plays
            asking.resumes = true
            asking.offer.maximumVersion = version
            let pair = try TLSPairing(
                server: server,
                clientContext: TLSContext(role: .client(asking), library: TLSLibrary()))
            let ends = pair.handshake()
            #expect(ends.client.isDone && ends.server.isDone, "\(ends)")
            #expect(pair.readAtClient().end.wantsInput)
            expectEqual(pair.server.isChallenge, plays)
            let shown = pair.client.peerChain.first?.der
            expectEqual(shown, (plays ? challenge : TestCertificates.ecdsa).leaf.der)
            // No ticket, which would be good for the host.
            expectEqual((pair.client.resumption() == nil), plays)
        }
    }

    @Test func `Without any certificate validators are answered, and others refused`() throws {
        try expectEqual(shown("example.com", ["acme-tls/1"], hosts: [])?.isChallenge, true)
        #expect(try shown("example.com", ["h2"], hosts: []) == nil)
        #expect(try shown(nil, ["h2"], hosts: []) == nil)
    }
}

extension TLSSession {
    fileprivate func offer(_ list: ProtocolList) {
        _ = SSL_set_alpn_protos(ssl, list.wire.baseAddress, UInt32(list.wire.count))
    }
}
