import Glibc
import TestSupport
import Testing

@testable import AASAServer

@Suite struct WorkerHandshakingTests {
    @Test func noiseGetsOneAnswerAndTheClose() throws {
        let endpoint = try TestEndpoint()
        let client = try TestClient(endpoint.address)
        try client.send("GARBAGE\r\n\r\n")
        #expect(try client.response().status == 400)
        #expect(try client.readToEnd().isEmpty)
        #expect(endpoint.closes(.badRequest))

        let plain = try TestClient(endpoint.address, handshakes: false)
        try plain.sendRaw(Array("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n".utf8))
        _ = try plain.readToEnd()
        #expect(endpoint.closes(.notTLS))
    }

    @Test func abortedHandshakesLeaveNothing() throws {
        let endpoint = try TestEndpoint()
        for round in 0..<100 {
            let client = try TestClient(endpoint.address, handshakes: false)
            if round % 3 > 0 { try client.sendHello() }
            if round % 3 == 2 { client.abort() } else { client.socket.close() }
        }
        #expect(try TestClient(endpoint.address).get().status == 200)
        #expect(eventually { endpoint.server.counters.total(.connectionsOpen) <= 1 })
        #expect(eventually { endpoint.server.counters.total(.handshakesInFlight) == 0 })
    }
}
