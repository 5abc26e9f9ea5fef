// Covers: StoreSnapshot.swift

import AASAClient
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import ACME

@Suite struct SimulatedValidatorTests {
    private func reach(
        _ challenge: ChallengeKind, _ outcomes: NameReachability.Outcome...
    ) -> NameReachability {
        var reach = NameReachability(name: "shop.test", challenge: challenge)
        reach.looks = outcomes.enumerated().map { number, outcome in
            .init(address: "192.0.2.\(number):443", outcome: outcome)
        }
        return reach
    }

    private let refused = NameReachability.Outcome.failed(ProblemDocument(.connection, "refused"))

    @Test func `Every address has to be good`() {
        #expect(reach(.tlsALPN01, .ours).advice.isEmpty)
        #expect(reach(.tlsALPN01, .ours).isProven)
        let mixed = reach(.tlsALPN01, .ours, refused)
        expectEqual(mixed.advice.count, 1)
        expectEqual(mixed.advice.first?.remedy.contains("port 443"), true)
        #expect(!mixed.isProven)
        expectEqual(reach(.http01, refused).advice.first?.remedy.contains("port 80"), true)
        #expect(!reach(.tlsALPN01, .answered("somebody")).isProven)
        var lost = NameReachability(name: "shop.test", challenge: .tlsALPN01)
        #expect(!lost.isProven)
        lost.unresolved = ProblemDocument(.dns, "no such name")
        expectEqual(lost.advice.first?.remedy.contains("A or AAAA record"), true)
    }

    // MARK: - On loopback

    private static let name = "shop.test"

    private func look(
        _ kind: ChallengeKind, _ expected: ChallengeAnswer?, tls: TLSServerSettings? = nil,
        answer: @escaping @Sendable (FaultRequest) -> FaultAnswer = { _ in .silence }
    ) throws -> NameReachability {
        let server = try FaultServer(tls: tls, answer: answer)
        let client = try HTTPClient(
            resolver: Resolver(
                overrides: [80, 443].map {
                    Resolver.Override(
                        host: Self.name, port: $0,
                        address: .v4(0x7F00_0001, port: server.port))
                }))
        return SimulatedValidator(client: client).look(
            at: Self.name, challenge: kind, answers: expected.map { [$0] } ?? [])
    }

    private func problem(_ reach: NameReachability) -> ProblemDocument.Kind? {
        if case .failed(let problem) = reach.looks.first?.outcome { return problem.kind }
        return nil
    }

    @Test func `An answer over HTTP is ours by its content`() throws {
        let expected = ChallengeAnswer.made(for: Self.name, kind: .http01)
        let key = expected.keyAuthorization
        func outcome(_ status: String, _ body: String) throws -> NameReachability {
            try look(.http01, expected) { request in
                expectEqual(request.path, "/.well-known/acme-challenge/\(expected.token)")
                expectEqual(request.field("Host"), Self.name)
                return .http(status, [], body, type: "text/plain")
            }
        }
        for body in [key, key + "\r\n ", "\n" + key] {
            #expect(try outcome("200 OK", body).isProven, "\(body)")
        }
        for (status, body) in [
            ("200 OK", key + "x"), ("200 OK", ""), ("200 OK", String(key.dropLast())),
            ("404 Not Found", key), ("301 Moved", key),
        ] {
            let reach = try outcome(status, body)
            expectEqual(problem(reach), .unauthorized)
            #expect(!reach.isProven && reach.advice.count == 1)
        }
    }

    @Test func `Without a challenge of ours an answer is only said`() throws {
        let reach = try look(.http01, nil) { _ in .http("404 Not Found") }
        expectEqual(reach.looks.map(\.outcome), [.answered("status 404")])
        #expect(reach.advice.isEmpty)
        // A challenge for another name or kind is none for this look.
        let other = try look(.http01, .made(for: Self.name, kind: .tlsALPN01)) { _ in
            .http("200 OK")
        }
        expectEqual(other.looks.map(\.outcome), [.answered("status 200")])
    }

    @Test func `What breaks is said in the kinds of RFC 8555`() throws {
        expectEqual(
            problem(try look(.http01, nil) { _ in .sendAndReset([]) }), .connection)
        expectEqual(
            problem(try look(.http01, nil) { _ in .send(Array("SSH-2.0\r\n\r\n".utf8)) }),
            .unauthorized)
        let endless = String(repeating: "a", count: 5000)
        expectEqual(
            problem(try look(.http01, nil) { _ in .http("200 OK", [], endless) }), .unauthorized)
        let nobody = try HTTPClient(
            resolver: Resolver(overrides: [
                Resolver.Override(host: Self.name, port: 80, address: .v4(0x7F00_0001, port: 1))
            ]))
        let refused = SimulatedValidator(client: nobody).look(
            at: Self.name, challenge: .http01, answers: [])
        expectEqual(problem(refused), .connection)
        // A plain server where TLS is expected.
        #expect(
            problem(try look(.tlsALPN01, .made(for: Self.name, kind: .tlsALPN01)) { _ in .silence })
                != nil)
    }

    @Test func `An answer over TLS is ours by the hash in its certificate`() throws {
        let expected = ChallengeAnswer.made(for: Self.name, kind: .tlsALPN01)
        let now = WallClock.seconds
        let pair = try LocalAuthority.make(now: now)
            .issue(names: [Self.name], key: .ecdsaP256, now: now)
        func reach(_ digest: [UInt8]?, _ expected: ChallengeAnswer?) throws -> NameReachability {
            var tls = TLSServerSettings(hosts: [TLSHost(names: [Self.name], pairs: [pair])])
            let table = ChallengeTable()
            if let digest {
                var plan = CertificateTemplate(
                    commonName: Self.name, names: [Self.name], notBefore: now - 60,
                    notAfter: now + 3600)
                plan.acmeIdentifier = digest
                table.replace([Self.name: try plan.make(issuer: nil)])
            }
            tls.challenges = table
            return try look(.tlsALPN01, expected, tls: tls)
        }
        #expect(try reach(expected.digest, expected).isProven)
        let other = try reach([UInt8](repeating: 1, count: 32), expected)
        expectEqual(problem(other), .unauthorized)
        // Nobody answers the challenge: an alert, which is right where there is none of ours.
        #expect(problem(try reach(nil, expected)) != nil)
        guard case .answered = try reach(nil, nil).looks.first?.outcome else {
            Issue.record("an alert for nobody's challenge is a fault")
            return
        }
    }

    @Test func `A challenge of our own making is random`() {
        let two = [1, 2].map { _ in ChallengeAnswer.made(for: Self.name, kind: .http01) }
        #expect(two[0].token != two[1].token)
        expectEqual(Base64.decodeForURL(two[0].token)?.count, 32)
        #expect(two[0].keyAuthorization.hasPrefix(two[0].token + "."))
    }
}
