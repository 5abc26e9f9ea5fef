import TestSupport
import Testing

@testable import AASAStorm

@Suite struct LatencyRecorderTests {
    @Test func percentilesAndClasses() {
        var recorder = LatencyRecorder()
        for millisecond in 1...1000 {
            recorder.record(nanoseconds: UInt64(millisecond) * 1_000_000)
        }
        expectEqual(recorder.count, 1000)
        #expect(abs(recorder.seconds(atPercentile: 50) - 0.5) < 0.002)
        #expect(abs(recorder.seconds(atPercentile: 99) - 0.99) < 0.002)
        #expect(abs(recorder.largest - 1) < 0.002)
        #expect(abs(recorder.mean - 0.5005) < 0.002)
        let classes = recorder.counts(upTo: [0.1, 0.5])
        expectEqual(classes.reduce(0, +), 1000)
        #expect(classes[2] >= 498 && classes[2] <= 501)
    }

    @Test func emptyAnswersZero() {
        let recorder = LatencyRecorder()
        expectEqual(recorder.seconds(atPercentile: 99), 0)
        #expect(recorder.largest == 0 && recorder.mean == 0)
        expectEqual(recorder.counts(upTo: [1]), [0, 0])
    }

    @Test func mergesAndBoundsWhatIsTooLong() {
        var one = LatencyRecorder()
        one.record(nanoseconds: .max)
        var other = LatencyRecorder()
        other.record(nanoseconds: 2000)
        one.merge(other)
        expectEqual(one.count, 2)
        #expect(one.largest > 7100)
    }
}
