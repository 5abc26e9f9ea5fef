import TestSupport
import Testing

@testable import Reactor

@Suite struct MonotonicInstantTests {
    @Test func countsNanosecondsAndSaturates() {
        let start = MonotonicInstant(nanoseconds: 5)
        expectEqual((start + .seconds(2)).nanoseconds, 2_000_000_005)
        expectEqual((start + .seconds(2)) - start, .seconds(2))
        expectEqual(MonotonicInstant.distantFuture + .seconds(1), .distantFuture)
        expectEqual(Duration.seconds(Int64.max).inNanoseconds, .max)
        expectEqual(Duration.seconds(Int64.min).inNanoseconds, .min)
        expectEqual(Duration.milliseconds(-1500).inNanoseconds, -1_500_000_000)
        // Beyond 64 bits of attoseconds, and at the edges of 64 bits of nanoseconds.
        expectEqual(Duration.seconds(3600).inNanoseconds, 3_600_000_000_000)
        expectEqual(Duration.nanoseconds(Int64.max).inNanoseconds, .max)
        expectEqual(Duration.nanoseconds(-Int64.max).inNanoseconds, -.max)
        expectEqual((Duration.nanoseconds(Int64.max) + .nanoseconds(1)).inNanoseconds, .max)
        expectEqual(
            Duration(secondsComponent: 0, attosecondsComponent: 999_999_999).inNanoseconds, 0)
        expectEqual(Duration.milliseconds(1500).inSeconds, 1.5)
    }

    @Test func neverGoesBack() {
        let first = MonotonicInstant.now()
        #expect(MonotonicInstant.now() >= first)
    }
}
