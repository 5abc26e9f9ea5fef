import Glibc
import HTTP
import TestSupport
import Testing

@testable import AASAServer

@Suite struct HTTP1ExchangeTests {
    private let body = Array(TestEndpoint.document.utf8)

    @Test func headHasTheLengthAndNoBody() throws {
        let endpoint = try TestEndpoint()
        let client = try TestClient(endpoint.address)
        try client.send("HEAD \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n")
        let answer = try client.response(toHead: true)
        expectEqual(answer.status, 200)
        #expect(answer.head.contains("\(body.count)"))
        try expectEqual(client.get().status, 200)
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
            try expectEqual(client.response().status, (index % 2 == 0 ? 200 : 404))
        }
    }

    @Test func aRequestInSingleBytesIsAnswered() throws {
        let endpoint = try TestEndpoint()
        let client = try TestClient(endpoint.address)
        for byte in "GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n".utf8 {
            try client.send([byte])
        }
        try expectEqual(client.response().body, body)
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
        expectEqual(answer.status, 200)
        expectEqual(answer.body, body)
        #expect(try client.readToEnd().isEmpty)
        #expect(client.goAwaySubmitted && client.ended && !client.wasReset)
        client.socket.close()
        #expect(endpoint.closes(reason))
    }

    /// One short answer, and the bytes behind it are no request (RFC 9112 sections 2.2 and 11.2).
    @Test(arguments: [
        ("GET\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400),
        ("\0\0\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
        (String(repeating: "G", count: 65_536), 414),
        ("GET \(TestEndpoint.path) HTTP/1.1\r\nHost : x\r\n\r\n", 503),
        ("HEAD / HTTP/9.9\r\n\r\n", 400),
    ])
    func whatCannotBeReadGetsAnErrorAndTheClose(_ text: String, _ status: Int) throws {
        let endpoint = try TestEndpoint()
        let client = try TestClient(endpoint.address)
        let good = "GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n"
        try client.send(good + text + good)
        try expectEqual(client.response().status, 200)
        let answer = try client.response(toHead: text.hasPrefix("HEAD"))
        #expect(answer.status == status && answer.body.count < 32)
        #expect(answer.head.lowercased().contains("close"))
        #expect(try client.readToEnd().isEmpty)
        #expect(client.goAwaySubmitted && client.ended && !client.wasReset)
        client.socket.close()
        #expect(endpoint.closes(.badRequest))
        let counters = endpoint.server.counters
        let counter = status == 503 ? Counter.shedRequest : .answersBadRequest
        #expect(counters.total(.requestsHTTP1) == 2 && counters.total(counter) == 1)
    }

    @Test func theRequestLimitIsToldBeforeTheLastAnswer() throws {
        var limits = ServerLimits.standard
        limits.requestsPerConnection = 3
        let endpoint = try TestEndpoint(limits: limits)
        let client = try TestClient(endpoint.address)
        for index in 1...3 {
            try client.send("GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n")
            let answer = try client.response()
            expectEqual(answer.status, 200)
            expectEqual(answer.head.lowercased().contains("close"), (index == 3))
        }
        #expect(try client.readToEnd().isEmpty)
        client.socket.close()
        #expect(endpoint.closes(.requestLimit))
    }

    /// Who sends requests and reads no answer is not read: what it sends waits in its own socket.
    @Test func whatAPipelinerSendsIsHeldWithinItsBound() throws {
        var limits = ServerLimits.standard
        limits.http1.headBytes = 4096
        limits.receiveBytes = 4096
        limits.helloBytes = 4096
        limits.sendBufferBytes = 8192
        // The requests grow old while this client reads.
        limits.shedding.requestAgeMaximum = .seconds(3600)
        let handshake = 4096
        let request = "GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n"
        let count = 64 * 1024 / request.utf8.count
        #expect(limits.inputBytesPerConnection + handshake < count * request.utf8.count)
        let document = [UInt8](repeating: 9, count: 131_072)
        let endpoint = try TestEndpoint(
            limits: limits, snapshot: TestEndpoint.snapshot(document: document))
        let client = try TestClient(endpoint.address, receiveBuffer: 2048)
        try client.send(String(repeating: request, count: count))
        #expect(eventually { endpoint.server.counters.total(.requestsHTTP1) > 0 })
        // Others are served meanwhile, and the first stands where it stood.
        let other = try TestClient(endpoint.address)
        try expectEqual(other.get().body, document)
        let received = Int(endpoint.server.counters.total(.bytesReceived))
        #expect(received <= limits.inputBytesPerConnection + 3 * handshake)
        // Once it reads, it gets every answer.
        for _ in 0..<20 { try expectEqual(client.response().body, document) }
    }

    /// All connections of a worker gather their answers in one record. What a client that does not
    /// read left there was sent to the next client, as its answer.
    @Test func answersThatWaitForAReaderReachNobodyElse() throws {
        var limits = ServerLimits.standard
        limits.sendBufferBytes = 8192
        limits.shedding.requestAgeMaximum = .seconds(3600)
        let document = [UInt8](repeating: 9, count: 1021)
        let endpoint = try TestEndpoint(
            limits: limits, snapshot: TestEndpoint.snapshot(document: document))
        let request = "GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n"
        var clients: [TestClient] = []
        let count = 300
        for _ in 0..<4 {
            let before = endpoint.server.counters.total(.requestsHTTP1)
            let client = try TestClient(endpoint.address, receiveBuffer: 2048)
            try client.send(String(repeating: request, count: count))
            #expect(eventually { endpoint.server.counters.total(.requestsHTTP1) >= before + 60 })
            clients.append(client)
            let other = try TestClient(endpoint.address)
            try expectEqual(other.get("/nothing").status, 404)
        }
        // Once they read, they get every answer.
        for client in clients {
            for _ in 0..<count { try expectEqual(client.response().body, document) }
        }
    }

    @Test func aHeadThatBeganBehindAnAnswerHasTheTimeOfAHead() throws {
        var limits = ServerLimits.standard
        limits.headTime = .seconds(3)
        let endpoint = try TestEndpoint(limits: limits)
        let client = try TestClient(endpoint.address)
        try client.send("GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\nGET /x")
        try expectEqual(client.response().status, 200)
        #expect(endpoint.closes(.headTimeout))
    }
}
