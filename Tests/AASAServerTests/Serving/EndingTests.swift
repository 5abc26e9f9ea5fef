import Glibc
import Testing

@testable import AASAServer

@Suite struct EndingTests {
    private let body = Array(TestEndpoint.document.utf8)

    @Test func aClientThatHalfClosesAfterItsRequestIsAnswered() throws {
        let document = [UInt8](repeating: 7, count: 131_072)
        let endpoint = try TestEndpoint(snapshot: TestEndpoint.snapshot(document: document))
        let client = try TestClient(endpoint.address, receiveBuffer: 4096)
        try client.send("GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n")
        client.shutdownWrite()
        #expect(try client.response().body == document)
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
        #expect(try client.response().body == document)
        _ = try client.readToEnd()
        #expect(!client.wasReset)
    }

    @Test func slowClientsAreClosedWithTheirReason() throws {
        var limits = ServerLimits.standard
        limits.firstByteTime = .milliseconds(200)
        limits.handshakeTime = .milliseconds(300)
        limits.headTime = .milliseconds(300)
        limits.idleTime = .milliseconds(300)
        let endpoint = try TestEndpoint(limits: limits)
        let silent = try TestClient(endpoint.address, handshakes: false)
        let half = try TestClient(endpoint.address, handshakes: false)
        try half.sendHello()
        let slow = try TestClient(endpoint.address)
        try slow.send("GET /")
        let idle = try TestClient(endpoint.address)
        #expect(try idle.get().status == 200)
        for client in [silent, half, slow, idle] { _ = try client.readToEnd() }
        #expect(idle.goAwaySubmitted)
        for client in [silent, half, slow, idle] { client.socket.close() }
        for reason in [CloseReason.silent, .handshakeTimeout, .headTimeout, .idleTimeout] {
            #expect(endpoint.closes(reason))
        }
    }
}
