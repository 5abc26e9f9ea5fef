import Testing

@testable import Reactor

@Suite struct MonotonicInstantTests {
    @Test func countsNanosecondsAndSaturates() {
        let start = MonotonicInstant(nanoseconds: 5)
        #expect((start + .seconds(2)).nanoseconds == 2_000_000_005)
        #expect((start + .seconds(2)) - start == .seconds(2))
        #expect(MonotonicInstant.distantFuture + .seconds(1) == .distantFuture)
        #expect(Duration.seconds(Int64.max).inNanoseconds == .max)
        #expect(Duration.milliseconds(-1500).inNanoseconds == -1_500_000_000)
        #expect(Duration.milliseconds(1500).inSeconds == 1.5)
    }

    @Test func neverGoesBack() {
        let first = MonotonicInstant.now()
        #expect(MonotonicInstant.now() >= first)
    }
}
