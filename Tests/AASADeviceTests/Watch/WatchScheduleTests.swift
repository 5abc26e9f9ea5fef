// Covers: WatchReach.swift

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
        #expect(schedule.lateness == 44_700)
        #expect(schedule.next(now: 45_000) == nil)
        schedule.finish(1, now: 45_000)
        #expect(schedule.next(now: 50_000) == 0)
        #expect(schedule.lateness == 0)
        #expect(schedule.next(now: 50_300) == 1)
        #expect(schedule.next(now: 50_300) == nil)
    }
}

@Suite struct WatchReachTests {
    @Test func tellsOnceThatItIsCutOffItself() {
        var reach = WatchReach(hosts: 100)
        var told: [WatchChange.Kind] = []
        var counted = 0
        for round in 0..<3 {
            for host in 0..<100 {
                let (news, counts) = reach.take("h\(host)", .nothing, now: Int64(round * 300))
                if let news { told.append(news.kind) }
                if counts { counted += 1 }
            }
        }
        #expect(told == [.problem])
        #expect(reach.isCutOff)
        // The first few could have been dead by themselves.
        #expect(counted == 7)
        let (news, counts) = reach.take("h1", .document, now: 1000)
        #expect(news?.kind == .resolved)
        #expect(news?.seconds == 1000)
        #expect(counts && !reach.isCutOff)
    }

    @Test func doesNotMistakeDeadHostsForItself() {
        var reach = WatchReach(hosts: 100)
        for round in 0..<50 {
            // Five dead ones among the living.
            for host in 0..<100 {
                let depth: WatchObservation.Depth = host % 20 == 0 ? .nothing : .tls
                let (news, counts) = reach.take("h\(host)", depth, now: Int64(round))
                #expect(news == nil && counts)
            }
        }
        // With three hosts nobody can tell.
        var few = WatchReach(hosts: 3)
        for look in 0..<20 {
            #expect(few.take("h\(look % 3)", .nothing, now: Int64(look)).counts)
        }
        // One host again and again is one host.
        var one = WatchReach(hosts: 10)
        for look in 0..<20 { #expect(one.take("h", .nothing, now: Int64(look)).counts) }
    }
}
