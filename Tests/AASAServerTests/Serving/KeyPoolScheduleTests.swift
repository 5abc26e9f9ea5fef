import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct KeyPoolScheduleTests {
    private func at(_ milliseconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
    }

    @Test func fillsInBatchesAndThenRests() {
        var schedule = KeyPoolSchedule(capacity: 20)
        expectEqual(schedule.timeout(now: at(0), count: 0), KeyPoolSchedule.pause)
        expectEqual(schedule.idle(now: at(1), count: 0), .make(8))
        expectEqual(schedule.idle(now: at(2), count: 8), .make(8))
        expectEqual(schedule.idle(now: at(3), count: 16), .make(4))
        expectEqual(schedule.idle(now: at(4), count: 20), .nothing)
        expectEqual(schedule.timeout(now: at(4), count: 20), .milliseconds(3_600_000 - 3))
    }

    /// A client now and then wakes nobody up.
    @Test func beginsAnewOnceAnEighthIsUsed() {
        var schedule = KeyPoolSchedule(capacity: 80)
        expectEqual(schedule.idle(now: at(1), count: 72), .make(8))
        // It is full now, and nothing wakes the loop: the next that it sees is a pair less.
        #expect(schedule.timeout(now: at(2), count: 79) != KeyPoolSchedule.pause)
        expectEqual(schedule.idle(now: at(3), count: 70), .nothing)
        #expect(schedule.timeout(now: at(3), count: 70) != KeyPoolSchedule.pause)
        expectEqual(schedule.timeout(now: at(3), count: 69), KeyPoolSchedule.pause)
        expectEqual(schedule.idle(now: at(4), count: 69), .make(8))
        expectEqual(schedule.idle(now: at(5), count: 77), .make(3))
    }

    @Test func dropsPairsThatNobodyHasNeededForAnHour() {
        var schedule = KeyPoolSchedule(capacity: 8)
        expectEqual(schedule.idle(now: at(0), count: 0), .make(8))
        expectEqual(schedule.idle(now: at(3_599_999), count: 8), .nothing)
        expectEqual(schedule.timeout(now: at(3_599_999), count: 8), .milliseconds(1))
        expectEqual(schedule.idle(now: at(3_600_000), count: 8), .wipe)
        expectEqual(schedule.idle(now: at(3_600_001), count: 0), .make(8))
        expectEqual(schedule.idle(now: at(3_600_002), count: 8), .nothing)
    }

    /// A snapshot of a virtual machine that is restored: its clock is set.
    @Test func dropsThemWhereTheClockWasSet() {
        var schedule = KeyPoolSchedule(capacity: 8)
        expectEqual(schedule.turnBegan(now: at(10_000), unixSeconds: 1000), false)
        expectEqual(schedule.idle(now: at(10_000), count: 0), .make(8))
        expectEqual(schedule.turnBegan(now: at(20_999), unixSeconds: 1011), false)
        expectEqual(schedule.turnBegan(now: at(500_000), unixSeconds: 1490), false)
        expectEqual(schedule.turnBegan(now: at(500_001), unixSeconds: 1492), true)
        expectEqual(schedule.turnBegan(now: at(500_002), unixSeconds: 1492), false)
        expectEqual(schedule.turnBegan(now: at(500_003), unixSeconds: 1000), true)
        expectEqual(schedule.idle(now: at(500_004), count: 0), .make(8))
    }

    @Test func makesNothingOnceItWasStopped() {
        var schedule = KeyPoolSchedule(capacity: 8)
        schedule.stop()
        expectEqual(schedule.idle(now: at(1), count: 0), .nothing)
        #expect(schedule.timeout(now: at(1), count: 0) == nil)
    }

    @Test func aProcessWithManyWorkersKeepsItsBound() {
        expectEqual(ServerLimits.keyReservePairs(asked: nil, workers: 1), 16_384)
        expectEqual(ServerLimits.keyReservePairs(asked: nil, workers: 64), 1_024)
        expectEqual(ServerLimits.keyReservePairs(asked: 7, workers: 64), 7)
        expectEqual(ServerLimits.keyReservePairs(asked: 0, workers: 1), 0)
    }
}
