import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct ParallelMapTests {
    /// Every index once, its value in its place, however many threads there are.
    @Test(arguments: [0, 1, 2, 3, 8, 100])
    func givesValuesInOrder(threads: Int) {
        for count in [0, 1, 2, 25] {
            let runs = Lock([Int](repeating: 0, count: count))
            let values = ParallelMap.run(count, threads: threads, name: "map") { index in
                runs.withLock { $0[index] += 1 }
                return index * 10
            }
            expectEqual(values, (0..<count).map { $0 * 10 })
            expectEqual(runs.withLock { $0 }, [Int](repeating: 1, count: count))
        }
    }

    /// A nil of the body's own is a value: results do not move up.
    @Test func keepsValuesThatAreNil() {
        let values = ParallelMap.run(4, threads: 2, name: "map") { $0 == 1 ? nil : $0 }
        expectEqual(values, [0, nil, 2, 3])
    }

    /// One that fails keeps no other from its turn; the error of the least index is the one that is
    /// thrown.
    @Test(arguments: [1, 3]) func throwsTheFirstErrorOnceAllHaveRun(threads: Int) {
        struct Refusal: Error, Equatable { let index: Int }
        let runs = Lock(0)
        let error = #expect(throws: Refusal.self) {
            try ParallelMap.run(9, threads: threads, name: "map") { index throws(Refusal) in
                runs.withLock { $0 += 1 }
                if index % 4 == 3 { throw Refusal(index: index) }
                return index
            }
        }
        expectEqual(error, Refusal(index: 3))
        expectEqual(runs.withLock { $0 }, 9)
    }

    /// Calls that wait for each other: they end only if as many run at once as may, and no more do.
    @Test func runsAsManyAtOnceAsItMay() {
        let state = Lock((now: 0, most: 0))
        let all = ParallelMap.run(9, threads: 3, name: "map") { _ in
            state.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            let allThreeAreHere = eventually { state.withLock { $0.most >= 3 } }
            state.withLock { $0.now -= 1 }
            return allThreeAreHere
        }
        expectEqual(all, [Bool](repeating: true, count: 9))
        expectEqual(state.withLock { $0.most }, 3)
    }

    #if FAULT_INJECTION
        @Test func worksAloneWhereNoThreadCanBeMade() {
            FaultInjection.arm(.pthreadCreate, number: EAGAIN)
            defer { FaultInjection.disarm() }
            let own = pthread_self()
            let all = ParallelMap.run(5, threads: 3, name: "map") { _ in pthread_self() == own }
            expectEqual(all, [Bool](repeating: true, count: 5))
        }
    #endif
}
