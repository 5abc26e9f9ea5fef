import Glibc
import HTTP
import Testing

@testable import AASAServer

@Suite struct WorkerTests {
    private let body = Array(TestEndpoint.document.utf8)

    @Test func servesTheDocumentOnBothPaths() throws {
        let endpoint = try TestEndpoint(workers: 2)
        let client = try TestClient(endpoint.address)
        for path in [TestEndpoint.path, "/apple-app-site-association", TestEndpoint.path + "?x=1"] {
            let answer = try client.get(path)
            #expect(answer.status == 200)
            #expect(answer.body == body)
        }
        #expect(try client.get("/nothing").status == 404)
        #expect(try client.get(host: "other.example").status == 503)
        #expect(try client.get("/.well-known/assetlinks.json").body == [91, 93])
        endpoint.stop()
        #expect(endpoint.server.counters.total(.requestsHTTP1) == 6)
        #expect(endpoint.server.counters.total(.answersDocument) == 3)
        #expect(endpoint.server.counters.total(.connectionsOpen) == 0)
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
        for _ in 0..<3000 { #expect(try client.response().status == 404) }
        #expect(try client.get().status == 200)
    }

    @Test func aPublicationIsServedAtOnceToOpenConnections() throws {
        let endpoint = try TestEndpoint(workers: 1)
        let client = try TestClient(endpoint.address)
        #expect(try client.get().body == body)
        let next = TestEndpoint.snapshot(document: Array("{}".utf8), generation: 2)
        endpoint.publisher.publish(
            Publication(snapshot: next, contexts: try TestEndpoint.contexts(1)))
        #expect(try client.get().body == Array("{}".utf8))
    }
}
