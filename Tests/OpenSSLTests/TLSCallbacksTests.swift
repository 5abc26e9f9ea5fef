import COpenSSL
import TestSupport
import Testing

@testable import OpenSSL

@Suite struct TLSCallbacksTests {
    private func established(
        _ settings: TLSServerSettings, _ client: TLSClientSettings = TLSPairing.reporting,
        serverName: String? = "example.com"
    ) throws -> TLSPairing {
        let pair = try TLSPairing(server: settings, client: client, serverName: serverName)
        let result = pair.handshake()
        #expect(result.client.isDone && result.server.isDone, "\(result)")
        return pair
    }

    // MARK: Names

    @Test func `SNI selects the host; unknown and missing names get the default`() throws {
        var settings = TLSPairing.settings([
            TLSHost(names: ["example.com"], pairs: [TestCertificates.ecdsa]),
            TLSHost(names: ["other.example", "*.other.example"], pairs: [TestCertificates.other]),
        ])
        for (name, subject) in [
            ("example.com", "CN=example.com"), ("OTHER.example", "CN=other.example"),
            ("a.other.example", "CN=other.example"), ("a.b.other.example", "CN=example.com"),
            ("unknown.test", "CN=example.com"), (nil, "CN=example.com"),
        ] as [(String?, String)] {
            let pair = try established(settings, serverName: name)
            expectEqual(pair.server.serverName, name)
            expectEqual(pair.client.peerChain.first?.summary.subject, subject, "\(name ?? "-")")
            expectEqual(pair.client.negotiated.applicationProtocol, .http2)
        }
        settings.defaultHost = 1
        let pair = try established(settings, serverName: nil)
        expectEqual(pair.client.peerChain.first?.summary.subject, "CN=other.example")
        let named = try established(settings, serverName: "example.com")
        expectEqual(named.client.peerChain.first?.summary.subject, "CN=example.com")
    }

    @Test func `Before the first certificate everybody is told that the name is not known`() throws
    {
        var settings = TLSServerSettings(hosts: [])
        settings.challenges = ChallengeTable()
        let pair = try TLSPairing(server: settings, client: TLSPairing.reporting)
        #expect(!pair.handshake().server.isDone)
        let step = pair.onClient { pair.client.handshake($0) }
        // unrecognized_name (RFC 6066 section 3).
        expectEqual(step.failure?.cause, .alertReceived(112))
    }

    // MARK: Protocols

    @Test func `Without ALPN there is no protocol; with a foreign one only, an alert`() throws {
        var client = TLSPairing.reporting
        client.offer.protocols = []
        #expect(
            try established(TLSPairing.settings(), client).server.negotiated.applicationProtocol
                == nil)
        client.offer.protocols = [.http11]
        try expectEqual(
            established(TLSPairing.settings(), client).server.negotiated.applicationProtocol,
            .http11)
        client.offer.protocols = [.http2]
        var server = TLSPairing.settings()
        server.protocols = [.http11]
        let pair = try TLSPairing(server: server, client: client)
        expectEqual(pair.handshake().server.failure?.cause, .handshake)
        let step = pair.onClient { pair.client.handshake($0) }
        expectEqual(step.failure?.cause, .alertReceived(120))
        expectEqual(step.failure?.description.contains("no application protocol"), true)
    }

    @Test(
        arguments: [
            ([.http2, .http11], .http2), ([.http11, .http2], .http11), ([.http10], .http10),
        ] as [([TLSApplicationProtocol], TLSApplicationProtocol)])
    func `The server's order of protocols counts`(
        ours: [TLSApplicationProtocol], chosen: TLSApplicationProtocol
    ) throws {
        var server = TLSPairing.settings()
        server.protocols = ours
        var client = TLSPairing.reporting
        for offered in [[.http10, .http2, .http11], [.http11, .http2, .http10]]
            as [[TLSApplicationProtocol]]
        {
            client.offer.protocols = offered
            let pair = try established(server, client)
            expectEqual(pair.server.negotiated.applicationProtocol, chosen)
            expectEqual(pair.client.negotiated.applicationProtocol, chosen)
        }
    }

    /// RFC 7301 section 3.1.
    @Test func `Each name stands behind its length`() {
        let list = ProtocolList([.http2, .http11])
        expectEqual(Array(list.wire), [2] + Array("h2".utf8) + [8] + Array("http/1.1".utf8))
        expectEqual(Array(ProtocolList(names: []).wire), [])
    }

    // MARK: Tickets

    /// Who comes back each hour would else need a new handshake each day.
    @Test(arguments: [TLSVersion.tls12, .tls13])
    func `A ticket of the older key is renewed`(version: TLSVersion) throws {
        let tickets = try SessionTickets(now: 0, period: 100)
        // What a client remembers ends with its context.
        var settings = TLSPairing.reporting
        settings.resumes = true
        settings.offer.minimumVersion = version
        settings.offer.maximumVersion = version
        let client = try TLSContext(role: .client(settings), library: TLSLibrary())
        func visit(_ resumption: TLSResumption?) throws -> (isResumed: Bool, next: TLSResumption?) {
            var server = TLSPairing.settings()
            server.tickets = tickets
            let pair = try TLSPairing(
                server: server, clientContext: client, resumption: resumption)
            #expect(pair.handshake().server.isDone)
            _ = pair.readAtClient()
            return (pair.server.negotiated.isResumed, pair.client.resumption())
        }
        var last = try visit(nil)
        #expect(!last.isResumed)
        for time: Int64 in [100, 200, 300] {
            tickets.rotate(now: time)
            last = try visit(last.next)
            #expect(last.isResumed, "at \(time)")
        }
    }

    /// A ticket of TLS 1.3 is used once; TLS 1.2 needs another only for a newer key.
    @Test(arguments: [(TLSVersion.tls12, false), (.tls13, true)])
    func `A resumed connection gets a new ticket`(version: TLSVersion, isNew: Bool) throws {
        var settings = TLSPairing.reporting
        settings.resumes = true
        settings.offer.minimumVersion = version
        settings.offer.maximumVersion = version
        let client = try TLSContext(role: .client(settings), library: TLSLibrary())
        var server = TLSPairing.settings()
        server.tickets = try SessionTickets(now: 0)
        func ticket(_ resumption: TLSResumption?) throws -> (TLSResumption, [UInt8]) {
            let pair = try TLSPairing(
                server: server, clientContext: client, resumption: resumption)
            #expect(pair.handshake().server.isDone)
            expectEqual(pair.server.negotiated.isResumed, (resumption != nil))
            _ = pair.readAtClient()
            let next = try #require(pair.client.resumption())
            var bytes: UnsafePointer<UInt8>?
            var count = 0
            SSL_SESSION_get0_ticket(next.handle, &bytes, &count)
            return (next, Array(UnsafeBufferPointer(start: bytes, count: count)))
        }
        var last = try ticket(nil)
        for _ in 0..<3 {
            let next = try ticket(last.0)
            #expect(!next.1.isEmpty && (next.1 != last.1) == isNew)
            last = next
        }
    }

    @Test func `A server whose keys are others does not open a ticket, and goes on`() throws {
        var settings = TLSPairing.reporting
        settings.resumes = true
        let client = try TLSContext(role: .client(settings), library: TLSLibrary())
        let (ours, theirs) = (try SessionTickets(now: 0), try SessionTickets(now: 0))
        var resumption: TLSResumption?
        for (tickets, isResumed) in [(ours, false), (ours, true), (theirs, false), (theirs, true)] {
            var server = TLSPairing.settings()
            server.tickets = tickets
            let pair = try TLSPairing(
                server: server, clientContext: client, resumption: resumption)
            #expect(pair.handshake().server.isDone)
            _ = pair.readAtClient()
            expectEqual(pair.server.negotiated.isResumed, isResumed)
            resumption = pair.client.resumption()
        }
    }
}
