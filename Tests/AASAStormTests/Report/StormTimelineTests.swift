// Covers: DeviceCount.swift

import TestSupport
import Testing

@testable import AASAStorm

@Suite struct StormTimelineTests {
    @Test func countsBySecondAndKnowsWhoWaits() {
        var timeline = StormTimeline()
        for _ in 0..<3 { timeline.arrived(atSecond: 0) }
        timeline.arrived(atSecond: 2)
        timeline.ended(.associated, atSecond: 0)
        timeline.ended(.willRetry, atSecond: 1)
        timeline.ended(.failed(.cut), atSecond: 3)
        timeline.ended(.denied(.refused), atSecond: 3)
        expectEqual(timeline.seconds.map(\.count.devices), [3, 0, 1, 0])
        expectEqual(timeline.seconds.map(\.count.ended), [1, 1, 0, 2])
        expectEqual(timeline.waiting, [2, 1, 2, 0])
    }

    @Test func mergesOfUnequalLength() {
        var one = StormTimeline()
        one.arrived(atSecond: 1)
        var other = StormTimeline()
        other.arrived(atSecond: 3)
        other.ended(.associated, atSecond: 3)
        one.merge(other)
        expectEqual(one.seconds.map(\.count.devices), [0, 1, 0, 1])
        expectEqual(one.seconds[3].count.associated, 1)
    }

    @Test func isBounded() {
        var timeline = StormTimeline()
        timeline.arrived(atSecond: 1_000_000)
        timeline.arrived(atSecond: -4)
        expectEqual(timeline.seconds.count, StormTimeline.mostSeconds)
        expectEqual(timeline.seconds[0].count.devices, 1)
        expectEqual(timeline.seconds.last?.count.devices, 1)
    }

    @Test func retriesWaitAsArrivalsDo() {
        var timeline = StormTimeline()
        timeline.arrived(atSecond: 0)
        timeline.ended(.willRetry, atSecond: 0)
        timeline.retried(atSecond: 2)
        expectEqual(timeline.waiting, [0, 0, 1])
        timeline.ended(.associated, atSecond: 3)
        expectEqual(timeline.waiting, [0, 0, 1, 0])
    }

    @Test func theWorstLagOfASecondIsKept() {
        var one = StormTimeline()
        one.lagged(5, atSecond: 1)
        one.lagged(3, atSecond: 1)
        var other = StormTimeline()
        other.lagged(9, atSecond: 1)
        one.merge(other)
        expectEqual(one.seconds.map(\.lag), [0, 9])
    }
}
