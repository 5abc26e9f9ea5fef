import Testing

@testable import AASAStorm

@Suite struct RetryQueueTests {
    @Test func givesTheEarliestFirstAndOnlyWhenDue() {
        var queue = RetryQueue()
        var random = SplitMix(seed: 7)
        let times = (0..<500).map { _ in Int64.random(in: 0..<1000, using: &random) }
        for time in times { queue.insert(.init(due: time, attempt: 2)) }
        #expect(queue.count == 500)
        var taken: [Int64] = []
        for now in stride(from: Int64(0), through: 1000, by: 10) {
            while let retry = queue.popDue(at: now) {
                #expect(retry.due <= now)
                taken.append(retry.due)
            }
        }
        #expect(taken == times.sorted())
        #expect(queue.isEmpty)
        #expect(queue.popDue(at: .max) == nil)
    }

    @Test func retriesComeAfterThreeToFourHoursCompressed() {
        let clock = RetryClock(scale: 10_800)
        var random = SplitMix(seed: 1)
        for _ in 0..<1000 {
            let delay = clock.delay(using: &random)
            #expect(delay >= 1_000_000_000 && delay <= 1_333_333_334)
        }
    }
}
