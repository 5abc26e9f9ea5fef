import Testing

@testable import Reactor

@Suite struct MonotonicInstantTests {
    @Test func countsNanosecondsAndSaturates() {
        let start = MonotonicInstant(nanoseconds: 5)
        #expect((start + .seconds(2)).nanoseconds == 2_000_000_005)
        #expect((start + .seconds(2)) - start == .seconds(2))
        #expect(MonotonicInstant.distantFuture + .seconds(1) == .distantFuture)
        #expect(Duration.seconds(Int64.max).inNanoseconds == .max)
        #expect(Duration.seconds(Int64.min).inNanoseconds == .min)
        #expect(Duration.milliseconds(-1500).inNanoseconds == -1_500_000_000)
        // Beyond 64 bits of attoseconds, and at the edges of 64 bits of nanoseconds.
        #expect(Duration.seconds(3600).inNanoseconds == 3_600_000_000_000)
        #expect(Duration.nanoseconds(Int64.max).inNanoseconds == .max)
        #expect(Duration.nanoseconds(-Int64.max).inNanoseconds == -.max)
        #expect((Duration.nanoseconds(Int64.max) + .nanoseconds(1)).inNanoseconds == .max)
        #expect(Duration(secondsComponent: 0, attosecondsComponent: 999_999_999).inNanoseconds == 0)
        #expect(Duration.milliseconds(1500).inSeconds == 1.5)
    }

    @Test func neverGoesBack() {
        let first = MonotonicInstant.now()
        #expect(MonotonicInstant.now() >= first)
    }
}
