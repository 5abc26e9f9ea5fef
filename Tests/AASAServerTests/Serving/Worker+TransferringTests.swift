import Glibc
import HTTP
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct WorkerTransferringTests {
    @Test func handshakesAreCountedByVersionAndMeasured() throws {
        let endpoint = try TestEndpoint()
        let counters = endpoint.server.counters
        try expectEqual(TestClient(endpoint.address).get().status, 200)
        #expect(counters.total(.handshakesTLS13) == 1 && counters.total(.handshakesTLS12) == 0)
        let older = try TestClient(endpoint.address) { $0.offer.maximumVersion = .tls12 }
        try expectEqual(older.get().status, 200)
        try expectEqual(older.get().status, 200)
        #expect(counters.total(.handshakesTLS13) == 1 && counters.total(.handshakesTLS12) == 1)
        expectEqual(counters.total(.handshakesResumed), 0)
        endpoint.stop()
        expectEqual(counters.total(.handshakeTime).count, 2)
        expectEqual(counters.total(.answerTime).count, 3, "one for each request")
        expectEqual(counters.total(.handshakesInFlight), 0)
    }

    /// Everything but HTTP/2 is spoken as HTTP/1.1 is.
    @Test(arguments: [[], [.http11], [.http10]] as [[TLSApplicationProtocol]])
    func withoutHTTP2ItIsHTTP1(protocols: [TLSApplicationProtocol]) throws {
        let endpoint = try TestEndpoint()
        let client = try TestClient(endpoint.address, protocols: protocols)
        expectEqual(client.negotiated.applicationProtocol, protocols.first)
        try expectEqual(client.get().body, Array(TestEndpoint.document.utf8))
        expectEqual(endpoint.server.counters.total(.requestsHTTP1), 1)
    }

    /// The alert has to arrive: the connection lingers for it.
    @Test func aBrokenRecordIsAnsweredWithAnAlert() throws {
        let endpoint = try TestEndpoint()
        let client = try TestClient(endpoint.address)
        try expectEqual(client.get().status, 200)
        // Application data that nobody encrypted.
        try client.sendRaw([23, 3, 3, 0, 32] + [UInt8](repeating: 7, count: 32))
        #expect(try client.readToEnd().isEmpty)
        #expect(client.ended && !client.wasReset)
        client.socket.close()
        #expect(endpoint.closes(.brokenTLS))
        expectEqual(endpoint.server.counters.totalCloses(.handshakeFailed), 0)
    }

    @Test func whoEndsItsDirectionIsToldApartByWhatItWaitedFor() throws {
        let endpoint = try TestEndpoint()
        let inHandshake = try TestClient(endpoint.address, handshakes: false)
        try inHandshake.sendHello()
        inHandshake.shutdownWrite()
        _ = try inHandshake.readToEnd()
        #expect(endpoint.closes(.handshakeAbandoned))
        let idle = try TestClient(endpoint.address)
        try expectEqual(idle.get().status, 200)
        idle.shutdownWrite()
        _ = try idle.readToEnd()
        #expect(endpoint.closes(.peerClosed))
        let inHead = try TestClient(endpoint.address)
        try inHead.send("GET / HTTP/1.1\r\nHo")
        inHead.shutdownWrite()
        _ = try inHead.readToEnd()
        #expect(endpoint.closes(.truncatedRequest))
    }

    // MARK: Challenges

    private func serve(_ table: ChallengeTable) throws -> TestEndpoint {
        let endpoint = try TestEndpoint()
        var settings = TLSServerSettings(
            hosts: [TLSHost(names: ["example.com"], pairs: [TestEndpoint.pair])])
        settings.challenges = table
        let context = try TLSContext(
            role: .server(settings), library: try TLSLibrary(for: .serving))
        endpoint.publisher.publish(
            Publication(snapshot: TestEndpoint.snapshot(generation: 2), contexts: [context]))
        // The worker takes it at its next turn.
        try expectEqual(TestClient(endpoint.address).get().status, 200)
        return endpoint
    }

    private func challenge() throws -> CertificatePair {
        try .tlsALPNChallenge(
            name: "example.com", digest: [UInt8](repeating: 1, count: 32), now: Int64(time(nil)))
    }

    /// It has what it came for, and no request follows.
    @Test func aValidatorSeesItsChallengeAndTheConnectionEnds() throws {
        let table = ChallengeTable()
        table.replace(["example.com": try challenge()])
        let endpoint = try serve(table)
        let validator = try TestClient(endpoint.address, protocols: []) {
            $0.actsAsValidator = true
        }
        #expect(try validator.readToEnd().isEmpty)
        #expect(validator.goAwaySubmitted && !validator.wasReset)
        validator.socket.close()
        #expect(endpoint.closes(.challengeAnswered))
        expectEqual(table.answered, 1)
    }

    /// A challenge that another machine ordered: the handshake waits for the look into the store,
    /// and is tried again without an event of its socket.
    @Test func aChallengeThatIsLookedUpIsTriedAgain() throws {
        let table = ChallengeTable()
        let pair = try challenge()
        let endpoint = try serve(table)
        table.questions.attend { [weak table] in
            guard let table, let look = table.questions.beginLook() else { return }
            table.replace(["example.com": pair])
            table.questions.endLook(look)
        }
        defer { table.questions.leave() }
        let validator = try TestClient(endpoint.address, protocols: []) {
            $0.actsAsValidator = true
        }
        #expect(try validator.readToEnd().isEmpty)
        validator.socket.close()
        #expect(endpoint.closes(.challengeAnswered))
        // Whoever is no validator was never held up, and is not now.
        try expectEqual(TestClient(endpoint.address).get().status, 200)
    }

    /// What a validator sends while it waits must not keep the loop awake.
    @Test func whoWaitsForAChallengeDoesNotSpinTheLoop() throws {
        let table = ChallengeTable()
        let endpoint = try serve(table)
        // A look into the store that never ends.
        table.questions.attend {}
        defer { table.questions.leave() }
        let validator = try TestClient(endpoint.address, protocols: [], handshakes: false) {
            $0.actsAsValidator = true
        }
        try validator.sendHello()
        for _ in 0..<3 {
            usleep(50_000)
            try validator.sendRaw([22])
        }
        usleep(50_000)
        let (before, began) = (endpoint.server.counters.total(.turns), MonotonicInstant.now())
        usleep(500_000)
        let turns = endpoint.server.counters.total(.turns) - before
        // Tried again every 50 ms; a loop that spins turns thousands of times.
        #expect(Double(turns) < 100 + 200 * (MonotonicInstant.now() - began).inSeconds)
    }
}
