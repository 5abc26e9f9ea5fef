import Glibc
import HTTP
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct WorkerTests {
    private let body = Array(TestEndpoint.document.utf8)

    @Test func servesTheDocumentOnBothPaths() throws {
        let endpoint = try TestEndpoint(workers: 2)
        let client = try TestClient(endpoint.address)
        for path in [TestEndpoint.path, "/apple-app-site-association", TestEndpoint.path + "?x=1"] {
            let answer = try client.get(path)
            expectEqual(answer.status, 200)
            expectEqual(answer.body, body)
        }
        try expectEqual(client.get("/nothing").status, 404)
        try expectEqual(client.get(host: "other.example").status, 503)
        try expectEqual(client.get("/.well-known/assetlinks.json").body, [91, 93])
        endpoint.stop()
        expectEqual(endpoint.server.counters.total(.requestsHTTP1), 6)
        expectEqual(endpoint.server.counters.total(.answersDocument), 3)
        expectEqual(endpoint.server.counters.total(.connectionsOpen), 0)
    }

    /// More input than one turn reads (4 x 32 KB): nothing of it may be lost between two turns.
    @Test func moreInputThanATurnTakesIsReadToTheEnd() throws {
        var limits = ServerLimits.standard
        limits.requestsPerConnection = .max
        limits.receiveBytes = 4096
        let endpoint = try TestEndpoint(limits: limits)
        let client = try TestClient(endpoint.address)
        let request = "GET /nothing HTTP/1.1\r\nHost: example.com\r\n\r\n"
        try client.send(String(repeating: request, count: 3000))
        for _ in 0..<3000 { try expectEqual(client.response().status, 404) }
        try expectEqual(client.get().status, 200)
    }

    @Test func aPublicationIsServedAtOnceToOpenConnections() throws {
        let endpoint = try TestEndpoint(workers: 1)
        let client = try TestClient(endpoint.address)
        try expectEqual(client.get().body, body)
        let next = TestEndpoint.snapshot(document: Array("{}".utf8), generation: 2)
        endpoint.publisher.publish(
            Publication(snapshot: next, contexts: try TestEndpoint.contexts(1)))
        try expectEqual(client.get().body, Array("{}".utf8))
    }

    @Test func memoryIsLookedAtBeforeTheFirstRequestBehindASleep() throws {
        let folder = try TemporaryFolder("memory")
        let limit = 1 << 30
        try folder.write("memory.stat", "anon \(limit / 100 * 85)\n")
        // A large one: small ones are answered in any case.
        let document = [UInt8](repeating: 0x20, count: 20_000)
        let publisher = SnapshotPublisher(
            Publication(
                snapshot: TestEndpoint.snapshot(document: document),
                contexts: try TestEndpoint.contexts(1)))
        let shared = SharedState(publisher: publisher, access: nil, report: { _ in })
        let wakeup = try Wakeup()
        let read = { (path: String) -> String? in
            switch path {
            case "/proc/self/cgroup": "0::/"
            case "/sys/fs/cgroup/memory.max": "\(limit)"
            case "/sys/fs/cgroup/memory.stat":
                (try? folder.read("memory.stat")).map { String(decoding: $0, as: UTF8.self) }
            default: nil
            }
        }
        let socket = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 64)
        let address = socket.address
        var limits = ServerLimits.standard
        limits.connectionsMaximum = 64
        limits.keyReservePairs = 0
        let worker = try Worker(
            number: 0, limits: limits, shared: shared, counters: WorkerCounters(),
            wakeup: wakeup, listeners: [Listener(socket)],
            memory: MemoryGauge(machine: 1 << 60, read: read))
        nonisolated(unsafe) let handed = worker
        let thread = try WorkerThread(name: "memory") { handed.run() }
        defer {
            shared.drain(until: .now())
            wakeup.signal()
            thread.join()
        }
        let client = try TestClient(address)
        try expectEqual(client.get().status, 503)
        try folder.write("memory.stat", "anon 1\n")
        usleep(1_200_000)
        try expectEqual(client.get().status, 200)
    }
}
