import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct MemoryGaugeTests {
    @Test func readsTheKernelsTables() {
        let sockstat = """
            sockets: used 290
            TCP: inuse 35 orphan 0 tw 4 alloc 59 mem 22
            UDP: inuse 16 mem 13
            """
        expectEqual(MemoryGauge.tcpPages(in: sockstat), 22)
        #expect(MemoryGauge.tcpPages(in: "TCP: inuse 35 mem") == nil)
        #expect(MemoryGauge.tcpPages(in: "") == nil)
        expectEqual(MemoryGauge.number(at: 1, in: "100 42 7\n"), 42)
        #expect(MemoryGauge.number(at: 3, in: "100 42 7\n") == nil)
    }

    /// A machine on which so many bytes are used, with a group whose limit is 4096 bytes.
    private func gauge(machine: Int, used: Int, ofGroup: Int) -> MemoryGauge {
        let files = [
            "/proc/self/cgroup": "0::/", "/sys/fs/cgroup/memory.max": "4096\n",
            "/sys/fs/cgroup/memory.stat": "anon \(ofGroup)\n",
        ]
        return MemoryGauge(machine: machine, resident: { used }, read: { files[$0] })
    }

    @Test func theFullestCountsTheMachineOrAGroup() {
        expectEqual(gauge(machine: 1000, used: 500, ofGroup: 1024).look().memory, 0.5)
        expectEqual(gauge(machine: 1000, used: 100, ofGroup: 1024).look().memory, 0.25)
    }

    /// The buffers of the kernel count as well, and have a bound of their own.
    @Test func theBuffersOfTheKernelCount() {
        let page = CurrentProcess.pageBytes
        let files = [
            "/proc/self/net/sockstat": "TCP: inuse 35 orphan 0 tw 4 alloc 59 mem 22\n",
            "/proc/sys/net/ipv4/tcp_mem": "11 44 66\n",
        ]
        let gauge = MemoryGauge(
            machine: 100 * page, resident: { 10 * page }, read: { files[$0] })
        let look = gauge.look()
        #expect(look.memory == 0.32 && look.tcpBuffers == 0.5)
        expectEqual(look.freeBytes, Double(68 * page))
    }

    /// A connection flood takes what is left of a small limit in a fraction of a second.
    @Test(arguments: [
        (8e9, 1.0), (1.024e9, 1.0), (512e6, 0.5), (51.2e6, 0.05), (1e6, 0.02), (0, 0.02),
        (-1e6, 0.02),
    ])
    func theLessIsFreeTheSoonerIsTheNextLook(freeBytes: Double, seconds: Double) {
        let look = MemoryGauge.Look(memory: 0.5, tcpBuffers: 0, freeBytes: freeBytes)
        expectEqual(look.interval, seconds)
    }

    /// None from the hard share on; below it as many as half of what is free is enough for, and one
    /// at least, so that somebody is served.
    @Test(arguments: [
        (0.92, 20e6, 1, 0), (1.1, -1e6, 1, 0), (0.91, 9e6, 1, 100), (0.5, 45e6, 2, 250),
        (0.91, 9e6, 64, 1), (0, 9e18, 1, 1_000_000_000),
    ])
    func handshakesBeginWhereThereIsMemory(
        memory: Double, freeBytes: Double, workers: Int, count: Int
    ) {
        let look = MemoryGauge.Look(memory: memory, tcpBuffers: 0, freeBytes: freeBytes)
        expectEqual(look.handshakes(ofBytes: 45_000, upTo: 0.92, workers: workers), count)
    }

    @Test func theNearestLimitIsTheOneThatCounts() {
        expectEqual(gauge(machine: 1 << 60, used: 0, ofGroup: 96).look().freeBytes, 4000)
        expectEqual(gauge(machine: 1000, used: 1500, ofGroup: 96).look().freeBytes, -500)
    }

    @Test func theShareIsOfTheLimit() {
        #expect(MemoryGauge().limit > 1 << 20)
        // This process has more than a page, and less than an exabyte.
        #expect(MemoryGauge(machine: 4096).look().memory > 1)
        #expect(MemoryGauge(machine: 1 << 60).look().memory < 0.01)
        #expect(MemoryGauge(machine: 1 << 60).look().memory > 0)
    }
}
