import Reactor
import TestSupport
import Testing

@testable import AASAStorm

@Suite struct RetryQueueTests {
    @Test func givesTheEarliestFirstAndOnlyWhenDue() {
        var queue = RetryQueue()
        var random = SplitMix(seed: 7)
        let times = (0..<500).map { _ in Int64.random(in: 0..<1000, using: &random) }
        let device = StormDevice(era: .ios13, patience: 1)
        for time in times { queue.insert(.init(due: time, device: device)) }
        expectEqual(queue.count, 500)
        var taken: [Int64] = []
        for now in stride(from: Int64(0), through: 1000, by: 10) {
            while let retry = queue.popDue(at: now) {
                #expect(retry.due <= now)
                taken.append(retry.due)
            }
        }
        expectEqual(taken, times.sorted())
        #expect(queue.isEmpty)
        #expect(queue.popDue(at: .max) == nil)
    }
}
