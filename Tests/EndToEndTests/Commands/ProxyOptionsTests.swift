import TestSupport
import Testing

@Suite struct ProxyOptionsTests {
    private func serve(_ options: [String], _ environment: [String: String] = [:]) throws
        -> Tool.Result
    {
        try Tool.aasa(
            ["serve", "--check", "--listen", "127.0.0.1:8443"] + options, environment: environment)
    }

    @Test func `Each mistake is said with what is meant`() throws {
        let result = try serve([
            "--proxy-protocol", "10.0.0.1/8,front.example", "--proxy-protocol", "0.0.0.0/0",
            "--proxy-protocol-on", "127.0.0.1:9999",
        ])
        expectEqual(result.status, 2, "\(result)")
        for words in [
            "write 10.0.0.0/8", "front.example", "name only your proxies",
            "127.0.0.1:9999\": write an address of --listen",
        ] {
            #expect(result.stderr.contains(words), "\(words): \(result)")
        }
    }

    @Test func `A listener without fronts is a mistake`() throws {
        let result = try serve([], ["AASA_PROXY_PROTOCOL_ON": "127.0.0.1:8443"])
        expectEqual(result.status, 2, "\(result)")
        #expect(result.stderr.contains("--proxy-protocol ADDR"), "\(result)")
    }

    @Test func `Without TLS nothing is served to other machines`() throws {
        for address in ["0.0.0.0:8080", "*:8080", "192.0.2.7:80", "[::]:80", "nonsense"] {
            let result = try serve(["--listen-plain", address])
            expectEqual(result.status, 2, "\(result)")
            #expect(result.stderr.contains("--listen-plain \"\(address)\""), "\(result)")
        }
    }
}
