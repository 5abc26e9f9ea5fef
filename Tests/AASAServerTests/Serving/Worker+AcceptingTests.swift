import TestSupport
import Testing

@testable import AASAServer

@Suite struct WorkerAcceptingTests {
    @Test func whenSlotsAreUsedUpIdleConnectionsGoFirst() throws {
        var limits = ServerLimits.standard
        limits.connectionsMaximum = 4
        limits.acceptPause = .milliseconds(50)
        let endpoint = try TestEndpoint(limits: limits)
        var clients: [TestClient] = []
        for _ in 0..<12 {
            let client = try TestClient(endpoint.address)
            try expectEqual(client.get().status, 200)
            clients.append(client)
        }
        #expect(endpoint.server.counters.totalCloses(.descriptorPressure) >= 8)
        #expect(endpoint.server.counters.total(.connectionsOpen) <= 4)
    }

    @Test func listensOnBothFamilies() throws {
        let endpoint = try TestEndpoint(workers: 2, addresses: ["127.0.0.1:0", "[::1]:0"])
        for address in endpoint.server.addresses {
            try expectEqual(TestClient(address).get().status, 200)
        }
    }

    /// So many may be handed over.
    @Test func manyListenersAreServed() throws {
        let endpoint = try TestEndpoint(addresses: Array(repeating: "127.0.0.1:0", count: 66))
        let addresses = endpoint.server.addresses
        for address in [addresses[0]] + addresses.suffix(3) {
            try expectEqual(TestClient(address).get().status, 200)
        }
    }
}
