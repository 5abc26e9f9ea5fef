import Reactor
import Testing

@testable import AASAStorm

@Suite struct TokenBucketTests {
    private let start = MonotonicInstant(nanoseconds: 1_000_000_000)

    private func at(_ seconds: Double) -> MonotonicInstant {
        start.advanced(byNanoseconds: Int64(seconds * 1e9))
    }

    @Test func soMuchPassesAsTheRateSays() {
        var allowance = TokenBucket(perSecond: 1000, least: 1, now: start)
        #expect(!allowance.allows(1))
        var passed = 0
        for step in 1...1000 {
            allowance.refill(now: at(Double(step) / 1000))
            while allowance.allows(1) {
                allowance.spend(1)
                passed += 1
            }
        }
        #expect((999...1000).contains(passed))
    }

    @Test func aRestSavesUpNoMoreThanABurst() {
        var allowance = TokenBucket(perSecond: 1000, least: 1, now: start)
        allowance.refill(now: at(60))
        #expect(allowance.allows(20))
        #expect(!allowance.allows(21))
        // Where the burst is smaller than what passes at once, that is the burst.
        var slow = TokenBucket(perSecond: 100, least: 1460, now: start)
        slow.refill(now: at(60))
        #expect(slow.allows(1460))
    }
}
