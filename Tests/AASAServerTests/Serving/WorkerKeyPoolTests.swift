import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct WorkerKeyPoolTests {
    private let counters = WorkerCounters()

    private func at(_ milliseconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
    }

    private func keeper(_ pairs: Int) throws -> WorkerKeyPool? {
        WorkerKeyPool(for: try TestEndpoint.contexts(1)[0], pairs: pairs, counters: counters)
    }

    private func shown(_ keeper: WorkerKeyPool) -> UInt64 {
        keeper.show()
        return ServerCounters(workers: [counters]).total(.keysReserved)
    }

    @Test func withoutPairsThereIsNone() throws {
        #expect(try keeper(0) == nil)
        #expect(try keeper(-1) == nil)
        #expect(try keeper(1) != nil)
    }

    /// It is filled to the number that was asked for, a batch at a time, and not one more.
    @Test func isFilledWhileNobodyWaits() throws {
        let keeper = try #require(try keeper(20))
        expectEqual(shown(keeper), 0)
        expectEqual(keeper.timeout(now: at(0)), KeyPoolSchedule.pause)
        keeper.idle(now: at(1))
        expectEqual(shown(keeper), 8)
        for millisecond: Int64 in 2...9 { keeper.idle(now: at(millisecond)) }
        expectEqual(shown(keeper), 20)
        #expect(try #require(keeper.timeout(now: at(10))) > .seconds(60), "it lets the loop sleep")
    }

    @Test func pairsThatAreTooOldOrMayBeACopyAreDropped() throws {
        let keeper = try #require(try keeper(8))
        keeper.turnBegan(now: at(1000), unixSeconds: 1)
        keeper.idle(now: at(1000))
        expectEqual(shown(keeper), 8)
        keeper.turnBegan(now: at(2000), unixSeconds: 2)
        expectEqual(shown(keeper), 8)
        // The clock was set: this may be a machine that was restored from a snapshot.
        keeper.turnBegan(now: at(3000), unixSeconds: 1000)
        expectEqual(shown(keeper), 0)
        keeper.idle(now: at(4000))
        expectEqual(shown(keeper), 8)
        keeper.idle(now: at(4000) + KeyPoolSchedule.age)
        expectEqual(shown(keeper), 0)
    }

    @Test func aServerThatStopsMakesNoMoreAndLeavesNone() throws {
        let keeper = try #require(try keeper(16))
        keeper.begin()
        keeper.idle(now: at(1))
        keeper.drain()
        keeper.idle(now: at(2))
        expectEqual(shown(keeper), 8, "what is there is still used")
        keeper.end()
        expectEqual(ServerCounters(workers: [counters]).total(.keysReserved), 0)
    }

    /// On a real worker: filled while nobody waits, one pair for a handshake, none left behind.
    @Test func aWorkerFillsItAndItsHandshakesTake() throws {
        let endpoint = try TestEndpoint()
        let counters = endpoint.server.counters
        #expect(eventually { counters.total(.keysReserved) == 64 })
        for taken in 1...3 {
            let client = try TestClient(endpoint.address)
            try expectEqual(client.get().status, 200)
            #expect(eventually { counters.total(.keysTaken) == taken })
        }
        endpoint.stop()
        expectEqual(counters.total(.keysReserved), 0)
        expectEqual(counters.total(.keysTaken), 3)
    }

    @Test func aWorkerWithoutOneServesAsWell() throws {
        var limits = ServerLimits.standard
        limits.keyReservePairs = 0
        let endpoint = try TestEndpoint(limits: limits)
        try expectEqual(TestClient(endpoint.address).get().status, 200)
        expectEqual(endpoint.server.counters.total(.keysTaken), 0)
    }
}
