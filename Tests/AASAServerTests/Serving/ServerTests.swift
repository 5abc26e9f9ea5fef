// Covers: Worker.swift, Intake.swift, HandshakeStarter.swift, Exchanges.swift, Ending.swift
// Covers: BytePump.swift, Buffers.swift, Connection.swift, Listener.swift, HTTP1Exchange.swift
// Covers: Egress.swift, Answering.swift
import Glibc
import HTTP
import Reactor
import Testing

@testable import AASAServer

@Suite struct ServerTests {
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

    @Test func headHasTheLengthAndNoBody() throws {
        let endpoint = try TestEndpoint()
        let client = try TestClient(endpoint.address)
        try client.send("HEAD \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n")
        let answer = try client.response(toHead: true)
        #expect(answer.status == 200)
        #expect(answer.head.contains("\(body.count)"))
        #expect(try client.get().status == 200)
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() throws {
        let endpoint = try TestEndpoint()
        let client = try TestClient(endpoint.address)
        var requests = ""
        for index in 0..<200 {
            let path = index % 2 == 0 ? TestEndpoint.path : "/nothing"
            requests += "GET \(path) HTTP/1.1\r\nHost: example.com\r\n\r\n"
        }
        try client.send(requests)
        for index in 0..<200 {
            #expect(try client.response().status == (index % 2 == 0 ? 200 : 404))
        }
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

    @Test func aRequestInSingleBytesIsAnswered() throws {
        let endpoint = try TestEndpoint()
        let client = try TestClient(endpoint.address)
        for byte in "GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n".utf8 {
            try client.send([byte])
        }
        #expect(try client.response().body == body)
    }

    @Test func largeDocumentsArriveWhole() throws {
        let document = (0..<131_072).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let endpoint = try TestEndpoint(snapshot: TestEndpoint.snapshot(document: document))
        let client = try TestClient(endpoint.address, receiveBuffer: 4096)
        for _ in 0..<5 { #expect(try client.get().body == document) }
        // Pipelined: more than the kernel and one flight take.
        let request = "GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n"
        try client.send(String(repeating: request, count: 40))
        for _ in 0..<40 { #expect(try client.response().body == document) }
    }

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

    @Test(arguments: [
        ("GET", "HTTP/1.1", "Connection: close\r\n", CloseReason.answered),
        ("GET", "HTTP/1.0", "", .answered),
        ("POST", "HTTP/1.1", "Content-Length: 5\r\n", .requestBody),
        ("PUT", "HTTP/1.1", "Transfer-Encoding: chunked\r\n", .requestBody),
    ])
    func answersThenCloses(
        _ method: String, _ version: String, _ fields: String, _ reason: CloseReason
    ) throws {
        let endpoint = try TestEndpoint()
        let client = try TestClient(endpoint.address)
        let head = "\(method) \(TestEndpoint.path) \(version)\r\nHost: example.com\r\n\(fields)"
        try client.send(head + "\r\n" + (fields.isEmpty ? "" : "hello"))
        let answer = try client.response()
        #expect(answer.status == 200)
        #expect(answer.body == body)
        #expect(try client.readToEnd().isEmpty)
        #expect(client.saidGoodbye && client.ended && !client.wasReset)
        client.socket.close()
        #expect(endpoint.closes(reason))
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

    @Test func noiseIsClosedWithoutAnAnswer() throws {
        let endpoint = try TestEndpoint()
        let client = try TestClient(endpoint.address)
        try client.send("GARBAGE\r\n\r\n")
        #expect(try client.readToEnd().isEmpty)
        #expect(endpoint.closes(.badRequest))

        let plain = try TestClient(endpoint.address, handshakes: false)
        try plain.sendRaw(Array("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n".utf8))
        _ = try plain.readToEnd()
        #expect(endpoint.closes(.notTLS))
    }

    @Test func theRequestLimitIsToldBeforeTheLastAnswer() throws {
        var limits = ServerLimits.standard
        limits.requestsPerConnection = 3
        let endpoint = try TestEndpoint(limits: limits)
        let client = try TestClient(endpoint.address)
        for index in 1...3 {
            try client.send("GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n")
            let answer = try client.response()
            #expect(answer.status == 200)
            #expect(answer.head.lowercased().contains("close") == (index == 3))
        }
        #expect(try client.readToEnd().isEmpty)
        client.socket.close()
        #expect(endpoint.closes(.requestLimit))
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
        #expect(idle.saidGoodbye)
        for client in [silent, half, slow, idle] { client.socket.close() }
        for reason in [CloseReason.silent, .handshakeTimeout, .headTimeout, .idleTimeout] {
            #expect(endpoint.closes(reason))
        }
    }

    @Test func aReaderThatStallsIsClosed() throws {
        var limits = ServerLimits.standard
        limits.answerGraceTime = .milliseconds(300)
        limits.answerTime = .seconds(1)
        limits.sendBufferBytes = 8192
        let document = [UInt8](repeating: 9, count: 131_072)
        let endpoint = try TestEndpoint(
            limits: limits, snapshot: TestEndpoint.snapshot(document: document))
        let client = try TestClient(endpoint.address, receiveBuffer: 2048)
        let request = "GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n"
        try client.send(String(repeating: request, count: 100))
        #expect(endpoint.closes(.slowReader))
        // Others are not affected.
        #expect(try TestClient(endpoint.address).get().body == document)
    }

    /// Who sends requests and reads no answer is not read: what it sends waits in its own socket.
    @Test func whatAPipelinerSendsIsHeldWithinItsBound() throws {
        var limits = ServerLimits.standard
        limits.http1.headBytes = 4096
        limits.receiveBytes = 4096
        limits.helloBytes = 4096
        limits.sendBufferBytes = 8192
        let handshake = 4096
        let request = "GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n"
        let count = 64 * 1024 / request.utf8.count
        #expect(limits.inputBytesPerConnection + handshake < count * request.utf8.count)
        let document = [UInt8](repeating: 9, count: 131_072)
        let endpoint = try TestEndpoint(
            limits: limits, snapshot: TestEndpoint.snapshot(document: document))
        let client = try TestClient(endpoint.address, receiveBuffer: 2048)
        try client.send(String(repeating: request, count: count))
        #expect(endpoint.eventually { endpoint.server.counters.total(.requestsHTTP1) > 0 })
        // Others are served meanwhile, and the first stands where it stood.
        let other = try TestClient(endpoint.address)
        #expect(try other.get().body == document)
        let received = Int(endpoint.server.counters.total(.bytesReceived))
        #expect(received <= limits.inputBytesPerConnection + 3 * handshake)
        // Once it reads, it gets every answer.
        for _ in 0..<20 { #expect(try client.response().body == document) }
    }

    @Test func abortedHandshakesLeaveNothing() throws {
        let endpoint = try TestEndpoint()
        for round in 0..<100 {
            let client = try TestClient(endpoint.address, handshakes: false)
            if round % 3 > 0 { try client.sendHello() }
            if round % 3 == 2 { client.abort() } else { client.socket.close() }
        }
        #expect(try TestClient(endpoint.address).get().status == 200)
        #expect(endpoint.eventually { endpoint.server.counters.total(.connectionsOpen) <= 1 })
        #expect(
            endpoint.eventually { endpoint.server.counters.total(.handshakesInFlight) == 0 })
    }

    @Test func whenSlotsAreUsedUpIdleConnectionsGoFirst() throws {
        var limits = ServerLimits.standard
        limits.connectionsMaximum = 4
        limits.acceptPause = .milliseconds(50)
        let endpoint = try TestEndpoint(limits: limits)
        var clients: [TestClient] = []
        for _ in 0..<12 {
            let client = try TestClient(endpoint.address)
            #expect(try client.get().status == 200)
            clients.append(client)
        }
        #expect(endpoint.server.counters.totalCloses(.descriptorPressure) >= 8)
        #expect(endpoint.server.counters.total(.connectionsOpen) <= 4)
    }

    @Test func drainingServesWhatIsUnderWayAndEnds() throws {
        let endpoint = try TestEndpoint(workers: 2)
        let idle = try TestClient(endpoint.address)
        #expect(try idle.get().status == 200)
        let asking = try TestClient(endpoint.address)
        endpoint.server.drain(within: .seconds(60))
        #expect(try idle.readToEnd().isEmpty)
        #expect(idle.saidGoodbye && !idle.wasReset)
        idle.socket.close()
        let answer = try asking.get()
        #expect(answer.status == 200)
        #expect(answer.head.lowercased().contains("close"))
        _ = try asking.readToEnd()
        asking.socket.close()
        endpoint.server.join()
        #expect(endpoint.server.counters.totalCloses(.draining) == 2)
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

    @Test func listensOnBothFamilies() throws {
        let endpoint = try TestEndpoint(workers: 2, addresses: ["127.0.0.1:0", "[::1]:0"])
        for address in endpoint.server.addresses {
            #expect(try TestClient(address).get().status == 200)
        }
    }
}
