import AASADevice
import Testing

@Suite struct WatchScheduleTests {
    /// A thousand hosts, each every five minutes, for an hour: everyone has its turn, evenly.
    @Test func givesEveryHostItsTurn() {
        var schedule = WatchSchedule(count: 1000, interval: 300_000, now: 0)
        var looks = [Int](repeating: 0, count: 1000)
        var most = 0
        for now in stride(from: Int64(0), to: 3_600_000, by: 100) {
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

    @Test func looksAgainSoonAndKeepsItsTurn() {
        var schedule = WatchSchedule(count: 1, interval: 300_000, now: 0)
        #expect(schedule.next(now: 0) == 0)
        #expect(schedule.next(now: 1) == nil)
        schedule.finish(0, now: 1000, soon: 60_000)
        #expect(schedule.nextDue == 61_000)
        #expect(schedule.next(now: 61_000) == 0)
        schedule.finish(0, now: 61_500)
        #expect(schedule.nextDue == 300_000)
    }

    /// Hosts that take too long: late ones come first, and what was missed is not made up for.
    @Test func isLateAndSaysSo() {
        var schedule = WatchSchedule(count: 2, interval: 10_000, now: 0)
        #expect(schedule.next(now: 0) == 0)
        schedule.finish(0, now: 45_000)
        #expect(schedule.nextDue == 300)
        #expect(schedule.next(now: 45_000) == 1)
        #expect(schedule.lateness(now: 45_000) == 44_700)
        #expect(schedule.next(now: 45_000) == nil)
        schedule.finish(1, now: 45_000)
        #expect(schedule.next(now: 50_000) == 0)
        #expect(schedule.next(now: 50_300) == 1)
        #expect(schedule.next(now: 50_300) == nil)
        // Not forgotten because the next look was in time; forgotten when a whole interval was.
        #expect(schedule.lateness(now: 50_300) == 44_700)
        schedule.finish(0, now: 51_000)
        schedule.finish(1, now: 51_000)
        for now in stride(from: Int64(60_000), through: 80_300, by: 100) {
            while let index = schedule.next(now: now) { schedule.finish(index, now: now) }
        }
        #expect(schedule.lateness(now: 80_300) == 0)
    }

    /// A round that takes a little longer than the interval: somebody is always late, and the one
    /// who is in time does not hide it.
    @Test func saysThatARoundIsTooLong() {
        let settings = WatchSettings(interval: 300)
        var schedule = WatchSchedule(count: 1000, interval: 300_000, now: 0)
        var ready = 0
        var looks = 0
        // 400 ms for each look on one thread: a round takes 400 s.
        for now in stride(from: Int64(0), to: 7_200_000, by: 400) {
            guard let index = schedule.next(now: now) else { continue }
            schedule.finish(index, now: now + 400)
            looks += 1
            // The first round only has to make up for its start.
            if now > 700_000, schedule.lateness(now: now) <= settings.latenessMaximum { ready += 1 }
        }
        #expect(looks > 17_000)
        #expect(ready == 0)
    }
}
