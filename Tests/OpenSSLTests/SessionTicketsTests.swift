// Covers: LibraryLock.swift
import OpenSSL
import TestSupport
import Testing

@Suite struct SessionTicketsTests {
    private func session(
        _ tickets: SessionTickets?, _ version: TLSVersion, resuming: TLSResumption? = nil,
        serverName: String = "example.com"
    ) throws -> (pair: TLSPairing, resumption: TLSResumption?) {
        var server = TLSPairing.settings([
            TLSHost(names: ["example.com"], pairs: [TestCertificates.ecdsa]),
            TLSHost(names: ["other.example"], pairs: [TestCertificates.other]),
        ])
        server.tickets = tickets
        var client = TLSPairing.reporting
        client.resumes = true
        client.offer.minimumVersion = version
        client.offer.maximumVersion = version
        let pair = try TLSPairing(
            server: server, client: client, serverName: serverName, resumption: resuming)
        let result = pair.handshake()
        #expect(result.server.isDone, "\(result)")
        #expect(result.client.isDone, "\(result)")
        // TLS 1.3 sends its ticket after the handshake.
        #expect(pair.readAtClient().end.wantsInput)
        return (pair, pair.client.resumption())
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func `A ticket resumes until its key was replaced twice`(version: TLSVersion) throws {
        let tickets = try SessionTickets(now: 0, period: 100)
        // A TLS 1.3 ticket is used once (RFC 8446 appendix C.4): one session for each try.
        let tries = try (0..<3).map { _ in try session(tickets, version) }
        for attempt in tries { #expect(!attempt.pair.server.negotiated.isResumed) }
        let resumptions = try tries.map { try #require($0.resumption) }

        let soon = try session(tickets, version, resuming: resumptions[0])
        #expect(soon.pair.server.negotiated.isResumed)
        tickets.rotate(now: 99)
        tickets.rotate(now: 100)
        let renewed = try session(tickets, version, resuming: resumptions[1])
        #expect(renewed.pair.server.negotiated.isResumed)
        #expect(renewed.pair.client.negotiated.isResumed)
        tickets.rotate(now: 200)
        let late = try session(tickets, version, resuming: resumptions[2])
        #expect(!late.pair.server.negotiated.isResumed, "a full handshake, not a failure")
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func `Other workers and hosts open each other's tickets`(version: TLSVersion) throws {
        let tickets = try SessionTickets(now: 0)
        let first = try session(tickets, version, serverName: "other.example")
        let again = try session(
            tickets, version, resuming: first.resumption, serverName: "other.example")
        #expect(again.pair.server.negotiated.isResumed, "made by another context and library")
        expectEqual(again.pair.server.serverName, "other.example")
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func `What is resumed outlives its connection and its context`(version: TLSVersion) throws {
        let tickets = try SessionTickets(now: 0)
        func resumption() throws -> TLSResumption {
            try #require(try session(tickets, version).resumption)
        }
        let again = try session(tickets, version, resuming: try resumption())
        #expect(again.pair.server.negotiated.isResumed)
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func `Without keys there are no tickets`(version: TLSVersion) throws {
        let plain = try session(nil, version)
        let again = try session(nil, version, resuming: plain.resumption)
        #expect(!again.pair.server.negotiated.isResumed)
        if version == .tls13 { #expect(plain.resumption == nil) }
    }

    @Test func `A pause of two periods leaves no old key`() throws {
        let tickets = try SessionTickets(now: 0, period: 100)
        let first = try session(tickets, .tls13)
        tickets.rotate(now: 250)
        let late = try session(tickets, .tls13, resuming: first.resumption)
        #expect(!late.pair.server.negotiated.isResumed)
    }
}
