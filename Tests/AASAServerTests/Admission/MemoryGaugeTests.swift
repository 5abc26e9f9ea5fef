import Testing

@testable import AASAServer

@Suite struct MemoryGaugeTests {
    @Test func readsTheKernelsTables() {
        let sockstat = """
            sockets: used 290
            TCP: inuse 35 orphan 0 tw 4 alloc 59 mem 22
            UDP: inuse 16 mem 13
            """
        #expect(MemoryGauge.tcpPages(in: sockstat) == 22)
        #expect(MemoryGauge.tcpPages(in: "TCP: inuse 35 mem") == nil)
        #expect(MemoryGauge.tcpPages(in: "") == nil)
        #expect(MemoryGauge.number(at: 1, in: "100 42 7\n") == 42)
        #expect(MemoryGauge.number(at: 3, in: "100 42 7\n") == nil)
    }

    @Test func theFullestCountsTheMachineOrAGroup() {
        let group = MemoryGroup(folder: "/no/such/group", limit: 4096, isFirstVersion: false)
        #expect(MemoryGauge(limit: 1 << 60, groups: [group]).look().memory < 0.01)
    }

    /// A connection flood takes what is left of a small limit in a fraction of a second.
    @Test(arguments: [
        (8e9, 1.0), (1.024e9, 1.0), (512e6, 0.5), (51.2e6, 0.05), (1e6, 0.02), (0, 0.02),
        (-1e6, 0.02),
    ])
    func theLessIsFreeTheSoonerIsTheNextLook(freeBytes: Double, seconds: Double) {
        let look = MemoryGauge.Look(memory: 0.5, tcpBuffers: 0, freeBytes: freeBytes)
        #expect(look.interval == seconds)
    }

    /// At its hard share, and before it when the handshakes to come would need more than is free.
    @Test(arguments: [
        (0.91, 20e6, 0, false), (0.92, 20e6, 0, true), (0.5, 45e6, 1000, false),
        (0.5, 45e6, 1001, true), (1.1, -1e6, 0, true),
    ])
    func thoseWhoAreInHaveWhatIsLeft(
        memory: Double, freeBytes: Double, waiting: Int, isExhausted: Bool
    ) {
        let look = MemoryGauge.Look(memory: memory, tcpBuffers: 0, freeBytes: freeBytes)
        #expect(
            look.isExhausted(from: 0.92, waiting: waiting, handshakeBytes: 45_000) == isExhausted)
    }

    @Test func theNearestLimitIsTheOneThatCounts() {
        let group = MemoryGroup(folder: "/no/such/group", limit: 4096, isFirstVersion: false)
        #expect(MemoryGauge(limit: 1 << 60, groups: [group]).look().freeBytes == 4096)
        #expect(MemoryGauge(limit: 4096).look().freeBytes < 0)
    }

    @Test func theShareIsOfTheLimit() {
        #expect(MemoryGauge().limit > 1 << 20)
        // This process has more than a page, and less than an exabyte.
        #expect(MemoryGauge(limit: 4096).look().memory > 1)
        #expect(MemoryGauge(limit: 1 << 60).look().memory < 0.01)
        #expect(MemoryGauge(limit: 1 << 60).look().memory > 0)
    }
}
