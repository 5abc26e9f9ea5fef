import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// Headers of the PROXY protocol before a server in this process: 127.0.0.1 is the front.
@Suite struct WorkerProxyHeaderTests {
    /// Keeps who asked.
    private final class Peers: AccessSink {
        private let seen = Lock<[SocketAddress?]>([])
        func answered(_ entry: AccessEntry) { seen.withLock { $0.append(entry.peer) } }
        var all: [String] { seen.withLock { $0.map { $0?.description ?? "" } } }
    }

    private static let line = "PROXY TCP4 192.0.2.7 198.51.100.1 56324 443\r\n"
    private static let local = ProxyHeader.signature + [0x20, 0, 0, 0]

    private func endpoint(
        trusting front: String = "127.0.0.1", limits: ServerLimits = .standard,
        access: (any AccessSink)? = nil
    ) throws -> TestEndpoint {
        try TestEndpoint(
            limits: limits,
            proxies: ProxyProtocolSettings(fronts: [try AddressPrefix(front)]),
            access: access)
    }

    private func connect(_ endpoint: TestEndpoint) throws -> TestClient {
        try TestClient(endpoint.address, handshakes: false)
    }

    @Test func theClientIsWhoTheHeaderNames() throws {
        let peers = Peers()
        let endpoint = try endpoint(access: peers)
        defer { endpoint.stop() }
        let client = try connect(endpoint)
        try client.sendRaw(Array(Self.line.utf8))
        try client.handshake()
        try expectEqual(client.get().status, 200)
        expectEqual(peers.all, ["192.0.2.7:56324"])
        expectEqual(endpoint.server.counters.total(.proxyHeadersClient), 1)
    }

    @Test func theHeaderMayComeInSingleBytesBeforeTheHello() throws {
        let peers = Peers()
        let endpoint = try endpoint(access: peers)
        defer { endpoint.stop() }
        let client = try connect(endpoint)
        for byte in Self.line.utf8 {
            try client.sendRaw([byte])
            usleep(1000)
        }
        try client.handshake()
        try expectEqual(client.get().status, 200)
        expectEqual(peers.all, ["192.0.2.7:56324"])
    }

    @Test func unknownLeavesTheFrontsAddress() throws {
        let peers = Peers()
        let endpoint = try endpoint(access: peers)
        defer { endpoint.stop() }
        let client = try connect(endpoint)
        try client.sendRaw(Array("PROXY UNKNOWN\r\n".utf8))
        try client.handshake()
        try expectEqual(client.get().status, 200)
        expectEqual(peers.all.first?.hasPrefix("127.0.0.1:"), true)
    }

    @Test func aTrustedFrontWithoutAHeaderIsRefused() throws {
        let endpoint = try endpoint()
        defer { endpoint.stop() }
        let client = try connect(endpoint)
        #expect(throws: (any Error).self) { try client.handshake() }
        #expect(endpoint.closes(.proxyHeaderInvalid))
        let broken = try connect(endpoint)
        try broken.sendRaw(ProxyHeader.signature + [0x21, 0x41, 0, 0])
        #expect(endpoint.closes(.proxyHeaderInvalid, 2))
        expectEqual(endpoint.server.counters.total(.handshakesStarted), 0)
    }

    @Test(arguments: [Array(line.utf8), local])
    func aStrangersHeaderIsRefused(_ header: [UInt8]) throws {
        let endpoint = try endpoint(trusting: "127.0.0.9")
        defer { endpoint.stop() }
        let spoofer = try connect(endpoint)
        try spoofer.sendRaw(header)
        #expect(throws: (any Error).self) { try spoofer.handshake() }
        #expect(endpoint.closes(.proxyHeaderRefused))
        expectEqual(
            endpoint.reports.withLock { $0 },
            [
                "127.0.0.1 sent a PROXY protocol header and was refused: if it is your proxy, name it in --proxy-protocol (and its listener in --proxy-protocol-on), or configure it to send none"
            ])
        expectEqual(endpoint.server.counters.total(.proxyHeadersClient), 0)
        // Without one it is a client like any other.
        try expectEqual(TestClient(endpoint.address).get().status, 200)
    }

    @Test func aHealthCheckIsNobodyWhoLeft() throws {
        let endpoint = try endpoint()
        defer { endpoint.stop() }
        let check = try connect(endpoint)
        try check.sendRaw(Self.local)
        check.shutdownWrite()
        #expect(endpoint.closes(.frontCheck))
        expectEqual(endpoint.server.counters.total(.handshakesAvoided), 0)
    }

    @Test func aDrippedHeaderHasTheTimeOfAHelloInAll() throws {
        var limits = ServerLimits.standard
        limits.handshakeTime = .milliseconds(300)
        let endpoint = try endpoint(limits: limits)
        defer { endpoint.stop() }
        let client = try connect(endpoint)
        // Never whole, however late it is read.
        for byte in Self.line.utf8.dropLast(2) {
            try client.sendRaw([byte])
            usleep(20_000)
        }
        #expect(endpoint.closes(.handshakeTimeout))
        expectEqual(endpoint.server.counters.total(.proxyHeadersClient), 0)
    }

    @Test func aHeaderWithoutAClientIsSilence() throws {
        var limits = ServerLimits.standard
        limits.firstByteTime = .milliseconds(300)
        let endpoint = try endpoint(limits: limits)
        defer { endpoint.stop() }
        let client = try connect(endpoint)
        try client.sendRaw(Array(Self.line.utf8))
        #expect(endpoint.closes(.silent))
    }
}
