import Testing

@testable import AASAStorm

@Suite struct StormExchangeTests {
    private func request() -> StormRequest {
        let target = StormTarget(
            host: "example.com", port: 8443, address: "127.0.0.1", path: "/x")
        let schedule = ArrivalSchedule(shape: .constant, devices: 1, seconds: 1)
        return StormRequest(StormConfiguration(target: target, schedule: schedule, patience: [1]))
    }

    private func outcome(_ answer: String, closes: Bool = false) -> DeviceOutcome? {
        var exchange = StormExchange.http1(StormHTTP1Exchange(request(), 1))
        let outcome = Array(answer.utf8).withUnsafeBytes { exchange.receive($0) }
        return outcome ?? (closes ? exchange.endOfStream() : nil)
    }

    @Test func asksAsADeviceDoes() {
        var exchange = StormExchange.http1(StormHTTP1Exchange(request(), 0))
        let text = String(decoding: exchange.output(), as: UTF8.self)
        #expect(text.hasPrefix("GET /x HTTP/1.1\r\nHost: example.com:8443\r\n"))
        #expect(text.contains("User-Agent: swcd (unknown version) CFNetwork/711.1.16"))
        #expect(text.hasSuffix("\r\n\r\n"))
        #expect(exchange.output().isEmpty)
    }

    @Test(arguments: [
        (200, DeviceOutcome.associated), (206, .failed(.badAnswer)), (301, .denied), (304, .denied),
        (404, .denied), (429, .denied), (500, .willRetry), (503, .willRetry),
    ])
    func statusInTheDevicesTerms(status: Int, expected: DeviceOutcome) {
        #expect(
            outcome("HTTP/1.1 \(status) X\r\nContent-Length: 2\r\n\r\n{}", closes: true) == expected
        )
    }

    @Test func anAnswerIsWholeOrNone() {
        #expect(outcome("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab") == nil)
        #expect(
            outcome("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", closes: true) == .failed(.cut)
        )
        #expect(outcome("", closes: true) == .failed(.cut))
        #expect(outcome("SSH-2.0-x\r\n") == .failed(.badAnswer))
    }
}
