import Glibc
import TestSupport
import Testing

@testable import AASAServer

@Suite struct WorkerLargeAnswersTests {
    private let body = Array(TestEndpoint.document.utf8)

    @Test func largeDocumentsArriveWhole() throws {
        let document = (0..<131_072).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        var limits = ServerLimits.standard
        // Requests that were sent together grow old while this client reads.
        limits.shedding.requestAgeMaximum = .seconds(3600)
        let endpoint = try TestEndpoint(
            limits: limits, snapshot: TestEndpoint.snapshot(document: document))
        let client = try TestClient(endpoint.address, receiveBuffer: 4096)
        for _ in 0..<5 { try expectEqual(client.get().body, document) }
        // Pipelined: more than the kernel and one flight take.
        let request = "GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n"
        try client.send(String(repeating: request, count: 40))
        for _ in 0..<40 { try expectEqual(client.response().body, document) }
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
        // Others are not affected; one may be late itself.
        #expect(
            (0..<10).contains { _ in
                (try? TestClient(endpoint.address).get().body) == document
            })
    }

    /// Small answers hold as much as a large one: the kernel would offer them for 25 s more.
    @Test(arguments: [false, true])
    func smallAnswersThatNobodyReadsAreTakenBack(isLastOfConnection: Bool) throws {
        var limits = ServerLimits.standard
        limits.answerTime = .seconds(1)
        let document = [UInt8](repeating: 9, count: 9000)
        let endpoint = try TestEndpoint(
            limits: limits, snapshot: TestEndpoint.snapshot(document: document))
        let client = try TestClient(endpoint.address, receiveBuffer: 2304)
        let head = "GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n"
        let last = isLastOfConnection ? "Connection: close\r\n" : ""
        try client.send(String(repeating: head + "\r\n", count: 19) + head + last + "\r\n")
        #expect(endpoint.closes(.slowReader))
        _ = try? client.readToEnd()
        #expect(client.wasReset)
        try expectEqual(TestClient(endpoint.address).get().body, document)
    }

    /// Who reads gets them all, however many there are.
    @Test func manySmallAnswersArrive() throws {
        let document = [UInt8](repeating: 9, count: 9000)
        let endpoint = try TestEndpoint(snapshot: TestEndpoint.snapshot(document: document))
        let client = try TestClient(endpoint.address, receiveBuffer: 4096)
        let request = "GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n"
        try client.send(String(repeating: request, count: 200))
        for _ in 0..<200 { try expectEqual(client.response().body, document) }
    }
}
