// Covers: Listener.swift
import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ServerTests {
    @Test func drainingServesWhatIsUnderWayAndEnds() throws {
        var limits = ServerLimits.standard
        // Nobody asks too late, however busy this machine is.
        limits.headTime = .seconds(60)
        let endpoint = try TestEndpoint(limits: limits, workers: 2)
        let idle = try TestClient(endpoint.address)
        try expectEqual(idle.get().status, 200)
        let asking = try TestClient(endpoint.address)
        endpoint.server.drain(within: .seconds(60))
        #expect(try idle.readToEnd().isEmpty)
        #expect(idle.goAwaySubmitted && !idle.wasReset)
        idle.socket.close()
        let answer = try asking.get()
        expectEqual(answer.status, 200)
        #expect(answer.head.lowercased().contains("close"))
        _ = try asking.readToEnd()
        asking.socket.close()
        endpoint.server.join()
        expectEqual(endpoint.server.counters.totalCloses(.draining), 2)
    }

    @Test(arguments: [2, 3]) func aClientHelloInPartsIsAnswered(parts: Int) throws {
        let endpoint = try TestEndpoint()
        let client = try TestClient(endpoint.address, handshakes: false)
        try client.sendHello(inParts: parts)
        try client.handshake()
        try expectEqual(client.get().status, 200)
    }

    /// The kernel reports a closed socket to whoever watched it, as long as somebody else holds it:
    /// each client would wake the predecessor, and wait until another one wakes the successor.
    @Test func whoDrainsTakesNoWakeUpFromTheSuccessor() throws {
        var socket = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 64)
        defer { socket.close() }
        let old = try TestEndpoint(workers: 2, handed: [try FileDescriptor.duplicate(socket.raw)])
        let asking = try TestClient(socket.address)
        let new = try TestEndpoint(workers: 2, handed: [try FileDescriptor.duplicate(socket.raw)])
        old.server.drain(within: .seconds(60))
        for _ in 0..<20 {
            let client = try TestClient(socket.address)
            try expectEqual(client.get().status, 200)
            client.socket.close()
        }
        try expectEqual(asking.get().status, 200)
        asking.socket.close()
        old.server.join()
        let accepted = [old, new].map { $0.server.counters.total(.connectionsAccepted) }
        expectEqual(accepted.reduce(0, +), 21)
    }

    private func address(_ port: UInt16) -> SocketAddress { .v4(0x7F00_0001, port: port) }

    @Test func aSocketOfSystemdIsSharedByAll() {
        expectEqual(Server.takers(of: [address(443)], among: 3), [[0, 1, 2]])
    }

    @Test func aGroupAsLargeAsTheWorkersIsSpread() {
        let sockets = [address(443), address(444), address(443), address(444)]
        expectEqual(Server.takers(of: sockets, among: 2), [[0], [0], [1], [1]])
    }

    /// Whatever number of workers the next process has, each socket has at least one, each worker
    /// has a socket, and the sockets stay as many as they are.
    @Test(arguments: 1...9, 1...9) func everySocketIsServed(sockets: Int, workers: Int) {
        let takers = Server.takers(
            of: Array(repeating: address(443), count: sockets), among: workers)
        #expect(takers.count == sockets && takers.allSatisfy { !$0.isEmpty })
        expectEqual(Set(takers.joined()), Set(0..<workers))
        #expect(takers.allSatisfy { Set($0).count == $0.count })
    }
}
