import Glibc
import HTTP
import OpenSSL
import Reactor
import Synchronization

@testable import AASAServer

/// A server in this process on a port of the kernel's choice, with a certificate for `example.com`
/// and two hosts.
final class TestEndpoint: Sendable {
    static let document = "{\"webcredentials\":{\"apps\":[\"D3KQX62K1A.com.example.app\"]}}"
    static let path = "/.well-known/apple-app-site-association"

    let server: Server
    let publisher: SnapshotPublisher
    /// What the workers reported.
    let reports: Lock<[String]>
    private let stopped = Atomic(false)

    /// One authority and certificate for all tests of the process: making them costs more than the
    /// tests.
    static let pair: CertificatePair = {
        let now = Int64(time(nil))
        do {
            return try LocalAuthority.make(now: now).issue(
                names: ["example.com", "other.example"], key: .ecdsaP256, now: now)
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    static func response(_ status: Int, _ body: [UInt8]) -> PreparedResponse {
        var fields = [("Content-Type", "application/json"), ("Cache-Control", "max-age=3600")]
        if status == 503 { fields = [("Retry-After", "10800"), ("Cache-Control", "no-store")] }
        return PreparedResponse(
            status: status, fields: fields.map { (name: $0.0, value: $0.1) }, body: body)
    }

    static func snapshot(
        document: [UInt8] = Array(document.utf8), defaultHost: Int? = 0, generation: UInt64 = 1
    ) -> Snapshot {
        let hosts = [
            ServedHost(
                name: "example.com", aliases: [],
                association: .init(response(200, document), as: .json),
                siblings: [
                    ServedSibling(
                        name: "/.well-known/assetlinks.json", response: response(200, [91, 93]))
                ], counters: HostCounters(host: "example.com"), facts: HostFacts()),
            ServedHost(
                name: "other.example", aliases: [],
                association: .init(response(503, []), as: .unavailable),
                siblings: [], counters: HostCounters(host: "other.example"), facts: HostFacts()),
        ]
        return Snapshot(
            generation: generation, hosts: hosts, certificates: [], defaultHost: defaultHost,
            notFound: response(404, []), unavailable: response(503, []))
    }

    static func contexts(_ count: Int) throws -> [TLSContext] {
        try (0..<count).map { _ in
            try TLSContext(
                role: .server(
                    TLSServerSettings(
                        hosts: [TLSHost(names: ["example.com", "other.example"], pairs: [pair])])),
                library: try TLSLibrary(for: .serving))
        }
    }

    init(
        limits: ServerLimits = .standard, workers: Int = 1, snapshot: Snapshot = snapshot(),
        addresses: [String] = ["127.0.0.1:0"], handed: [Int32] = [],
        proxies: ProxyProtocolSettings? = nil, access: (any AccessSink)? = nil
    ) throws {
        var limits = limits
        if limits.connectionsMaximum > 10_000 { limits.connectionsMaximum = 10_000 }
        // Enough for every test, and made within a moment.
        if limits.keyReservePairs > 64 { limits.keyReservePairs = 64 }
        publisher = SnapshotPublisher(
            Publication(snapshot: snapshot, contexts: try Self.contexts(workers)))
        let reports = Lock<[String]>([])
        self.reports = reports
        server = try Server(
            addresses: addresses.compactMap { SocketAddress(parsing: $0) }, handed: handed,
            workers: workers, limits: limits, publisher: publisher, proxies: proxies,
            access: access, report: { text in reports.withLock { $0.append(text) } })
        try server.start()
    }

    var address: SocketAddress { server.addresses[0] }

    /// Ends it and waits until its threads are gone.
    func stop() {
        if stopped.exchange(true, ordering: .acquiringAndReleasing) { return }
        server.drain(within: .zero)
        server.join()
    }

    deinit { stop() }
}
