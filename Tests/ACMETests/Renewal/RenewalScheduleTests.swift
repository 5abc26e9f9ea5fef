import OpenSSL
import TestSupport
import Testing

@testable import ACME

@Suite struct RenewalScheduleTests {
    private static let day: Int64 = 86_400

    private func facts(days: Int64) -> CertificateFacts {
        CertificateFacts(
            notBefore: 1000, notAfter: 1000 + days * Self.day, names: ["a.test"], identifier: "id")
    }

    /// 54 to 60 days of 90, 3.6 to 4 of 6: by spread, never later than two thirds.
    @Test(arguments: [Int64(398), 90, 47, 6, 1]) func `Two thirds, or a fifteenth earlier`(
        days: Int64
    ) {
        let facts = facts(days: days)
        let life = days * Self.day
        let latest = 1000 + life / 3 * 2
        let width = UInt64(life / 15)
        expectEqual(RenewalSchedule.ownTime(facts, spread: 0), latest)
        expectEqual(RenewalSchedule.ownTime(facts, spread: width), latest)
        expectEqual(RenewalSchedule.ownTime(facts, spread: width - 1), latest - life / 15 + 1)
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            let time = RenewalSchedule.ownTime(facts, spread: random.next())
            #expect((latest - life / 15...latest).contains(time))
        }
    }

    @Test func `A certificate without a life is due, and divides by nothing`() {
        let odd = CertificateFacts(notBefore: 50, notAfter: 40, names: [], identifier: nil)
        expectEqual(odd.life, 1)
        expectEqual(RenewalSchedule.ownTime(odd, spread: .max), 50)
    }

    @Test func `The authority's window is kept to, at the same moment each time`() {
        let facts = facts(days: 90)
        func time(_ start: Int64, _ end: Int64, _ spread: UInt64) -> Int64 {
            RenewalSchedule.time(
                facts, window: RenewalInfo(start: start, end: end), spread: spread)
        }
        expectEqual(time(5000, 5100, 0), 5000)
        expectEqual(time(5000, 5100, 99), 5099)
        expectEqual(time(5000, 5100, 100), 5000)
        expectEqual(time(-10, -5, 3), -7)
        // An end of no window at all, and one that never ends.
        expectEqual(time(5000, 5000, 17), 5000)
        #expect(time(5000, .max, .max) > 5000)
        // Never beyond five sixths of the life.
        let latest = 1000 + 75 * Self.day
        expectEqual(time(latest, latest + 10, 0), latest)
        expectEqual(time(latest, latest + 10, 5), latest)
        expectEqual(time(.max - 5, .max, 1), latest)
        expectEqual(
            RenewalSchedule.time(facts, window: nil, spread: 3),
            RenewalSchedule.ownTime(facts, spread: 3))
    }

    @Test(
        arguments: [
            (nil, 21_600), (0, 600), (599, 600), (600, 600), (601, 601), (86_399, 86_399),
            (86_400, 86_400), (99_999_999, 86_400), (-5, 600),
        ] as [(Int64?, Int64)])
    func `The window is asked for within ten minutes and a day`(after: Int64?, base: Int64) {
        expectEqual(RenewalSchedule.askAgain(after: after), base)
        for spread in [UInt64(1), 59, 1_000_003, .max] {
            let time = RenewalSchedule.askAgain(after: after, spread: spread)
            #expect(time >= base && time < base + base / 10)
        }
        expectEqual(RenewalSchedule.askAgain(after: 600, spread: 59), 659)
        expectEqual(RenewalSchedule.askAgain(after: 600, spread: 60), 600)
    }

    @Test func `The facts are the certificate's`() throws {
        let pair = try LocalAuthority.make(now: 1_800_000_000)
            .issue(names: ["B.test", "a.test"], key: .ecdsaP256, now: 1_800_000_000)
        let facts = CertificateFacts(pair.leaf)
        expectEqual(Set(facts.names), ["b.test", "a.test"])
        expectEqual(facts.notBefore, pair.leaf.summary.notBefore)
        expectEqual(facts.notAfter, pair.leaf.summary.notAfter)
        expectEqual(facts.identifier, RenewalInfo.identifier(of: pair.leaf))
    }

    // MARK: - Back-off

    /// Let's Encrypt refuses after five failed validations in an hour.
    @Test func `Tries come later and later, four in the first hour`() {
        var spreads = SeededRandom(seed: 11)
        for _ in 0..<50 {
            let spread = spreads.next()
            let delays = (1...12).map {
                BackOff.delay(failures: $0, spread: spread, retryAfter: nil)
            }
            for (index, delay) in delays.enumerated() {
                let base = BackOff.minutes[min(index, BackOff.minutes.count - 1)] * 60
                #expect(delay >= base && delay <= base + base / 10)
            }
            var moments: [Int64] = [0]
            for delay in delays { moments.append(moments[moments.count - 1] + delay) }
            expectEqual(moments.count { $0 < 3600 }, 4)
        }
        #expect((300...330).contains(BackOff.delay(failures: 0, spread: 0, retryAfter: nil)))
    }

    @Test func `Whole data centres do not try together`() {
        let delays = (0..<100).map {
            BackOff.delay(
                failures: 3, spread: LineageID(folder: "h\($0).test").spread, retryAfter: nil)
        }
        #expect(Set(delays).count > 40)
    }

    @Test func `Retry-After is obeyed when it is longer, up to eight days`() {
        func delay(_ after: Int64) -> Int64 {
            BackOff.delay(failures: 1, spread: 0, retryAfter: after)
        }
        expectEqual(delay(43_200), 43_200)
        #expect(delay(1) >= 300)
        expectEqual(delay(8 * Self.day), 8 * Self.day)
        expectEqual(delay(8 * Self.day + 1), 8 * Self.day)
    }

    @Test func `A moment of trying is reached, and never out of reach`() {
        #expect(BackOff.isOver(100, now: 100))
        #expect(!BackOff.isOver(101, now: 100))
        #expect(!BackOff.isOver(100 + BackOff.longest, now: 100))
        #expect(BackOff.isOver(101 + BackOff.longest, now: 100))
    }

    /// The failure was of a clock that was ahead: the certificate may end before that moment.
    @Test func `A clock that was set back ends a pause`() {
        var record = CertificateRecord(id: LineageID(folder: "a.test"))
        record.lastErrorAt = 500_000
        record.nextTry = 500_300
        #expect(record.mayTry(now: 100_000))
        #expect(!record.mayTry(now: 500_100))
        #expect(record.mayTry(now: 500_300))
    }
}
