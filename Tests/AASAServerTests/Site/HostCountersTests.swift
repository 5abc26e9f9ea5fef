import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct HostCountersTests {
    @Test func answersAreCountedByKind() {
        let counters = HostCounters(host: "a.example")
        expectEqual(counters.host, "a.example")
        #expect(HostCounters.Answer.allCases.allSatisfy { counters.value($0) == 0 })
        for (index, answer) in HostCounters.Answer.allCases.enumerated() {
            for _ in 0...index { counters.count(answer) }
        }
        expectEqual(HostCounters.Answer.allCases.map(counters.value), [1, 2, 3, 4, 5])
    }

    /// All workers count at once.
    @Test func nothingIsLostBetweenWorkers() throws {
        let counters = HostCounters(host: "a.example")
        let threads = try (0..<4).map { _ in
            try WorkerThread(name: "count") {
                for _ in 0..<10_000 { counters.count(.json) }
            }
        }
        for thread in threads { thread.join() }
        expectEqual(counters.value(.json), 40_000)
        expectEqual(counters.value(.signed), 0)
    }
}
