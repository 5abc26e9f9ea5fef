import HTTP
import Testing

@testable import AASAServer

@Suite struct StartupTableTests {
    private func response(_ status: Int) -> PreparedResponse {
        PreparedResponse(status: status, fields: [], body: [])
    }

    private func host(_ name: String, _ facts: HostFacts, isThere: Bool = true) -> ServedHost {
        ServedHost(
            name: name, aliases: ["www.\(name)"],
            association: isThere
                ? .init(response(200), as: .json) : .init(response(503), as: .unavailable),
            siblings: [], counters: HostCounters(host: name), facts: facts)
    }

    @Test func everythingThatMattersIsInIt() {
        let teams = [HostFacts.Team(identifier: "D3KQX62K1A", apps: 2, bytes: 0)]
        let snapshot = Snapshot(
            generation: 1,
            hosts: [
                host("a.example", HostFacts(teams: teams, apps: 2, documentBytes: 65_536)),
                host("b.example", HostFacts(problem: "it is broken"), isThere: false),
            ],
            certificates: [
                ServedCertificate(
                    folder: "a.example", file: "f", names: ["a.example"], keyType: "ECDSA P-256",
                    issuer: "CN=ca", notBefore: 0, notAfter: 86_400 * 30)
            ], defaultHost: 0, notFound: response(404), unavailable: response(503))
        let text = StartupTable.text(
            snapshot, listeners: ["127.0.0.1:8443"], plain: ["unix:/run/aasa/plain"],
            admin: "127.0.0.1:9443", now: 0)
        for part in [
            "a.example", "65536 (50 %)", "default", "also www.a.example",
            "answers 503: it is broken",
            "1970-01-31", "30 days", "127.0.0.1:8443", "without TLS   unix:/run/aasa/plain",
            "127.0.0.1:9443", "ECDSA P-256",
        ] {
            #expect(text.contains(part), "\(part) in\n\(text)")
        }
        #expect(!text.contains(" \n"))
    }
}
