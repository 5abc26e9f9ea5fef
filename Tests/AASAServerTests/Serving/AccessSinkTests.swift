import HTTP
import Reactor
import Synchronization
import TestSupport
import Testing

@testable import AASAServer

@Suite struct AccessSinkTests {
    private final class Recorder: AccessSink {
        let lines = Mutex<[String]>([])
        func answered(_ entry: AccessEntry) {
            let target = String(decoding: entry.request.target, as: UTF8.self)
            let line = "\(entry.host ?? "-") \(target) \(entry.status) \(entry.bytes)"
            lines.withLock { $0.append(line) }
            #expect(entry.peer?.isLoopback == true && entry.worker == 0)
        }
    }

    @Test func everyAnswerIsHandedOver() throws {
        let recorder = Recorder()
        let endpoint = try TestEndpoint(access: recorder)
        let client = try TestClient(endpoint.address)
        _ = try client.get()
        _ = try client.get("/x?y=1", host: "other.example")
        try client.send("HEAD \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n")
        _ = try client.response(toHead: true)
        expectEqual(
            recorder.lines.withLock { $0 },
            [
                "example.com \(TestEndpoint.path) 200 \(TestEndpoint.document.utf8.count)",
                "other.example /x?y=1 404 0",
                "example.com \(TestEndpoint.path) 200 0",
            ])
    }
}
