import Reactor
import TestSupport
import Testing

@testable import AASAStorm

@Suite struct StormConfigurationTests {
    /// Each thread keeps a processor busy, and a server beside it wants as many.
    @Test func takesThreadsAsCoresAllow() {
        expectEqual(StormConfiguration.threads(processors: 8, sharedWithServer: true), 4)
        expectEqual(StormConfiguration.threads(processors: 8, sharedWithServer: false), 8)
        expectEqual(StormConfiguration.threads(processors: 1, sharedWithServer: true), 1)
        expectEqual(StormConfiguration.threads(processors: 1000, sharedWithServer: false), 64)
    }

    @Test(arguments: [
        ("example.com", "127.0.0.1:443", "example.com"),
        ("example.com", "127.0.0.1:8443", "example.com:8443"), ("::1", "[::1]:444", "[::1]:444"),
    ])
    func theAuthorityNamesUnusualPorts(host: String, address: String, expected: String) throws {
        let address = try #require(SocketAddress(parsing: address))
        expectEqual(StormTarget(host: host, address: address, path: "").authority, expected)
    }

    /// What is not said is what a phone does, once.
    @Test func asksOnceAndPlainlyUnlessTold() {
        let configuration = StormConfiguration(
            target: StormTarget(
                host: "example.com", address: .v4(0x7F00_0001, port: 443), path: ""),
            schedule: ArrivalSchedule(shape: .constant, devices: 1, seconds: 1), patience: [60])
        expectEqual(configuration.tries, 1)
        #expect(!configuration.http2 && !configuration.resume)
        #expect(configuration.part == .whole && configuration.eras == .standard)
        #expect(configuration.userAgents.isEmpty)
        // Three hours in a second.
        expectEqual(StormConfiguration.retryScale, 3 * 3600)
        #expect(StormConfiguration.longestSurge < StormConfiguration.longestStorm)
    }
}
