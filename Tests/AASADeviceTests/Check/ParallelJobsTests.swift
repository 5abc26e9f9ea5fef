import AASAClient
import Foundation
import Reactor
import Testing

@testable import AASADevice

@Suite struct ParallelJobsTests {
    /// Every job once, its result in its place, however many threads there are.
    @Test(arguments: [0, 1, 2, 3, 8, 100])
    func givesResultsInTheJobsOrder(threads: Int) {
        let pool = ClientPool(resolver: Resolver())
        for count in [0, 1, 2, 25] {
            let runs = Lock([Int](repeating: 0, count: count))
            let jobs = (0..<count).map { index -> ParallelJobs.Job<Int> in
                { _ in
                    runs.withLock { $0[index] += 1 }
                    return index * 10
                }
            }
            let results = ParallelJobs.run(jobs, threads: threads, pool)
            #expect(results == (0..<count).map { $0 * 10 })
            #expect(runs.withLock { $0 } == [Int](repeating: 1, count: count))
        }
    }

    /// Jobs that wait for each other: they end only if as many run at once as may, and no more do.
    @Test func runsAsManyAtOnceAsItMay() {
        let pool = ClientPool(resolver: Resolver())
        let state = Lock((now: 0, most: 0, done: 0))
        let jobs = (0..<9).map { _ -> ParallelJobs.Job<Bool> in
            { _ in
                state.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                // Until all three are here.
                for _ in 0..<2000 where state.withLock({ $0.most < 3 }) {
                    usleep(5000)
                }
                state.withLock { $0.now -= 1 }
                return true
            }
        }
        #expect(ParallelJobs.run(jobs, threads: 3, pool).allSatisfy { $0 == true })
        #expect(state.withLock { $0.most } == 3)
    }

    @Test func lendsAClientToOneAtATime() throws {
        let pool = ClientPool(resolver: Resolver())
        let first = try pool.lend { ObjectIdentifier($0) }
        try pool.lend { client in
            // It was given back, and is used again.
            #expect(ObjectIdentifier(client) == first)
            let other = try? pool.lend { ObjectIdentifier($0) }
            #expect(other != nil && other != first)
        }
    }
}
