// Covers: Buffers.swift, Listener.swift
import Glibc
import Testing

@testable import AASAServer

@Suite struct ServerTests {
    @Test func drainingServesWhatIsUnderWayAndEnds() throws {
        var limits = ServerLimits.standard
        // Nobody asks too late, however busy this machine is.
        limits.headTime = .seconds(60)
        let endpoint = try TestEndpoint(limits: limits, workers: 2)
        let idle = try TestClient(endpoint.address)
        #expect(try idle.get().status == 200)
        let asking = try TestClient(endpoint.address)
        endpoint.server.drain(within: .seconds(60))
        #expect(try idle.readToEnd().isEmpty)
        #expect(idle.goAwaySubmitted && !idle.wasReset)
        idle.socket.close()
        let answer = try asking.get()
        #expect(answer.status == 200)
        #expect(answer.head.lowercased().contains("close"))
        _ = try asking.readToEnd()
        asking.socket.close()
        endpoint.server.join()
        #expect(endpoint.server.counters.totalCloses(.draining) == 2)
    }
}
