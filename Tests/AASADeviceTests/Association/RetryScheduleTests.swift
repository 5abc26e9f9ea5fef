import AASADevice
import Testing

@Suite struct RetryScheduleTests {
    @Test func staysWithinTheObservedSpans() {
        for chance in [-1, 0, 0.25, 0.999, 1, 7.0] {
            var schedule = RetrySchedule(.randomised)
            let next = schedule.nextTry(chance: chance)
            #expect((10_800...14_400).contains(next ?? 0))
            #expect((428_400...432_000).contains(schedule.recheck(chance: chance) ?? 0))
        }
        #expect(RetrySchedule(.everyThreeHours).recheck(chance: 0) == nil)
    }

    @Test func spreadsOverAnHour() {
        for (chance, seconds) in [(0, 0), (0.5, 1800), (1, 3600)] {
            var schedule = RetrySchedule(.randomised)
            #expect(schedule.nextTry(chance: chance) == 10_800 + seconds)
            #expect(schedule.recheck(chance: chance) == 428_400 + seconds)
        }
    }

    /// Eight tries as they are, then twice as long each time, up to a month.
    @Test func doublesAfterEightTries() {
        var schedule = RetrySchedule(.randomised)
        let waits = (0..<40).map { _ in schedule.nextTry(chance: 0) ?? 0 }
        #expect(waits.prefix(8).allSatisfy { $0 == 10_800 })
        #expect(waits[8..<15].elementsEqual((1...7).map { 10_800 << $0 }))
        #expect(waits[15...].allSatisfy { $0 == 30 * 86_400 })
        #expect(schedule.failures == 40)
    }

    @Test func givesUpAtTheEighthInTheOldRule() {
        var schedule = RetrySchedule(.everyThreeHours)
        let waits = (0..<9).map { _ in schedule.nextTry(chance: 1) }
        #expect(waits == Array(repeating: 10_800, count: 7) + [nil, nil])
    }

    @Test func beginsAgainAfterASuccess() {
        var schedule = RetrySchedule(.everyThreeHours)
        for _ in 0..<8 { _ = schedule.nextTry(chance: 0) }
        schedule.reset()
        #expect(schedule == RetrySchedule(.everyThreeHours))
        #expect(schedule.nextTry(chance: 0) == 10_800)
    }

    @Test func neverWaitsLongerThanAMonth() {
        var schedule = RetrySchedule(.randomised)
        for _ in 0..<200 {
            #expect((schedule.nextTry(chance: 1) ?? 0) <= 30 * 86_400)
        }
    }

    @Test func followsTheRuleOfTheEra() {
        for era in Era.allCases {
            let isOld = era == .ios8 || era == .ios93
            #expect(era.rules.retries == (isOld ? .everyThreeHours : .randomised), "\(era)")
        }
    }
}
