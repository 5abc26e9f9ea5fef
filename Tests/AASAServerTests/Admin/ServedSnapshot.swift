import HTTP
import Reactor

@testable import AASAServer

/// A snapshot of one host, for the tests of the admin side.
enum ServedSnapshot {
    static func make(
        isAvailable: Bool = true, folder: String = "a.example",
        names: [String] = ["a.example", "www.a.example"]
    ) -> Snapshot {
        let unavailable = PreparedResponse(status: 503, fields: [], body: [])
        let counters = HostCounters(host: "a.example")
        counters.count(.json)
        counters.count(.unavailable)
        let association =
            isAvailable
            ? ServedAssociation(PreparedResponse(status: 200, fields: [], body: []), as: .json)
            : ServedAssociation(unavailable, as: .unavailable)
        let hosts = [
            ServedHost(
                name: "a.example", aliases: ["www.a.example"], association: association,
                siblings: [], counters: counters,
                facts: HostFacts(problem: isAvailable ? nil : "broken"))
        ]
        let (now, day) = (WallClock.seconds, SampleReports.day)
        let certificate = ServedCertificate(
            folder: folder, file: "fullchain.pem", names: names, keyType: "ECDSA P-256",
            issuer: "Test CA", notBefore: now - 10 * day, notAfter: now + 80 * day)
        return Snapshot(
            generation: 4, hosts: hosts, certificates: [certificate],
            defaultHost: 0, notFound: PreparedResponse(status: 404, fields: [], body: []),
            unavailable: unavailable)
    }
}
