import AASADevice
import TestSupport
import Testing

@Suite struct WatchScheduleTests {
    /// Two hundred hosts, each every minute, for twelve minutes: everyone has its turn, evenly.
    @Test func givesEveryHostItsTurn() {
        var schedule = WatchSchedule(count: 200, interval: 60_000, now: 0)
        var looks = [Int](repeating: 0, count: 200)
        var most = 0
        for now in stride(from: Int64(0), to: 720_000, by: 100) {
            var count = 0
            while let index = schedule.next(now: now) {
                looks[index] += 1
                count += 1
                schedule.finish(index, now: now)
            }
            most = max(most, count)
        }
        #expect(looks.allSatisfy { $0 == 12 })
        // 300 ms apart at the start, and so ever after.
        #expect(most <= 3)
    }

    /// Hosts that take too long: late ones come first, and what was missed is not made up for.
    @Test func isLateAndSaysSo() {
        var schedule = WatchSchedule(count: 2, interval: 10_000, now: 0)
        expectEqual(schedule.next(now: 0), 0)
        #expect(schedule.next(now: 1) == nil, "it is being checked, and the other is not due")
        schedule.finish(0, now: 45_000)
        expectEqual(schedule.nextDue, 300)
        expectEqual(schedule.lateness(now: 45_000), 44_700)
        expectEqual(schedule.next(now: 45_000), 1)
        expectEqual(schedule.lateness(now: 45_000), 0)
        #expect(schedule.next(now: 45_000) == nil)
        schedule.finish(1, now: 45_000)
        expectEqual(schedule.nextDue, 50_000)
        expectEqual(schedule.next(now: 50_000), 0)
        expectEqual(schedule.next(now: 50_300), 1)
        #expect(schedule.nextDue == nil && schedule.lateness(now: 99_000) == 0)
    }

    /// A round that takes a little longer than the interval: somebody is always late, and the one
    /// who is in time does not hide it.
    @Test func saysThatARoundIsTooLong() {
        var schedule = WatchSchedule(count: 200, interval: 60_000, now: 0)
        var least = Int64.max
        var looks = 0
        // 400 ms for each look on one thread: a round takes 80 s.
        for now in stride(from: Int64(0), to: 1_440_000, by: 400) {
            guard let index = schedule.next(now: now) else { continue }
            // The first round only has to make up for its start.
            if now > 140_000 { least = min(least, schedule.lateness(now: now)) }
            schedule.finish(index, now: now + 400)
            looks += 1
        }
        #expect(looks > 3_400)
        #expect(least > 2_000)
    }
}
