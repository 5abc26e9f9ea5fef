import Glibc
import Testing

@testable import AASAServer

@Suite struct EgressTests {
    private let body = Array(TestEndpoint.document.utf8)

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
}
