import TestSupport
import Testing

@testable import AASAServer

@Suite struct CountersTests {
    @Test func countsAndSums() {
        let workers = [WorkerCounters(), WorkerCounters()]
        let all = ServerCounters(workers: workers)
        workers[0].add(.answersDocument)
        workers[1].add(.answersDocument, 4)
        workers[0].add(.handshakesInFlight, 3)
        workers[0].add(.handshakesInFlight, -2)
        workers[1].set(.connectionsOpen, 7)
        workers[0].closed(.notTLS)
        expectEqual(all.total(.answersDocument), 5)
        expectEqual(all.total(.handshakesInFlight), 1)
        expectEqual(all.total(.connectionsOpen), 7)
        expectEqual(all.totalCloses(.notTLS), 1)
        // No cell is shared.
        expectEqual(CloseReason.allCases.reduce(0) { $0 + all.totalCloses($1) }, 1)
        expectEqual(Counter.allCases.reduce(0) { $0 + all.total($1) }, 13)
    }

    @Test func distributionsHaveBucketsByPowersOfTwo() {
        let counters = WorkerCounters()
        for microseconds in [0, 1, 3, 1000, 1_000_000, 1 << 40] {
            counters.record(.turnTime, nanoseconds: Int64(microseconds) * 1000)
        }
        let snapshot = ServerCounters(workers: [counters]).total(.turnTime)
        expectEqual(snapshot.count, 6)
        #expect(snapshot.counts[0] == 1 && snapshot.counts[1] == 1 && snapshot.counts[2] == 1)
        #expect(snapshot.counts[10] == 1 && snapshot.counts[20] == 1)
        expectEqual(snapshot.counts[DistributionSnapshot.bucketCount - 1], 1)
        expectEqual(DistributionSnapshot.upperBound(10), 0.001024)
        expectEqual(DistributionSnapshot.upperBound(27), .infinity)
    }
}
