import TestSupport
import Testing

@testable import Reactor

@Suite struct LockTests {
    @Test func oneThreadAtATime() throws {
        let count = Lock(0)
        var threads: [WorkerThread] = []
        for index in 0..<8 {
            threads.append(
                try WorkerThread(name: "lock-\(index)") {
                    for _ in 0..<10_000 { count.withLock { $0 += 1 } }
                })
        }
        for thread in threads { thread.join() }
        expectEqual(count.withLock { $0 }, 80_000)
    }

    @Test func anErrorLetsGo() {
        struct Failure: Error {}
        let value = Lock([1])
        #expect(throws: Failure.self) {
            try value.withLock { (list: inout [Int]) throws(Failure) in
                list.append(2)
                throw Failure()
            }
        }
        expectEqual(value.withLock { $0 }, [1, 2])
    }
}
