import Glibc
import TestSupport
import Testing

@testable import AASAServer

@Suite struct WorkerEndingTests {
    private let body = Array(TestEndpoint.document.utf8)

    @Test func aClientThatHalfClosesAfterItsRequestIsAnswered() throws {
        let document = [UInt8](repeating: 7, count: 131_072)
        let endpoint = try TestEndpoint(snapshot: TestEndpoint.snapshot(document: document))
        let client = try TestClient(endpoint.address, receiveBuffer: 4096)
        try client.send("GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n")
        client.shutdownWrite()
        try expectEqual(client.response().body, document)
        _ = try client.readToEnd()
        #expect(client.ended && !client.wasReset)
        #expect(endpoint.closes(.peerClosed))
    }

    @Test func unreadInputDoesNotCutTheAnswer() throws {
        let document = [UInt8](repeating: 9, count: 131_072)
        let endpoint = try TestEndpoint(snapshot: TestEndpoint.snapshot(document: document))
        let client = try TestClient(endpoint.address, receiveBuffer: 4096)
        try client.send(
            "POST \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\nContent-Length: 20000\r\n\r\n"
        )
        try client.send([UInt8](repeating: 1, count: 20_000))
        try expectEqual(client.response().body, document)
        _ = try client.readToEnd()
        #expect(!client.wasReset)
    }

    @Test func slowClientsAreClosedWithTheirReason() throws {
        // Each limit where nobody has to keep to it who may come late: this machine may be busy.
        func endpoint(_ change: (inout ServerLimits) -> Void) throws -> TestEndpoint {
            var limits = ServerLimits.standard
            change(&limits)
            return try TestEndpoint(limits: limits)
        }
        let handshakes = try endpoint {
            $0.firstByteTime = .milliseconds(200)
            $0.handshakeTime = .milliseconds(300)
        }
        let heads = try endpoint { $0.headTime = .milliseconds(300) }
        let requests = try endpoint { $0.idleTime = .milliseconds(300) }
        let silent = try TestClient(handshakes.address, handshakes: false)
        let half = try TestClient(handshakes.address, handshakes: false)
        try half.sendHello()
        let slow = try TestClient(heads.address)
        try slow.send("GET /")
        let idle = try TestClient(requests.address)
        try expectEqual(idle.get().status, 200)
        for client in [silent, half, slow, idle] { _ = try client.readToEnd() }
        #expect(idle.goAwaySubmitted)
        for client in [silent, half, slow, idle] { client.socket.close() }
        #expect(handshakes.closes(.silent) && handshakes.closes(.handshakeTimeout))
        #expect(heads.closes(.headTimeout))
        #expect(requests.closes(.idleTimeout))
    }
}
