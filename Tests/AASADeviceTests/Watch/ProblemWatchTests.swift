import Testing

@testable import AASADevice

/// One problem, look by look; the days of a host are in `HostWatchTests`.
@Suite struct ProblemWatchTests {
    private static let settings = WatchSettings(interval: 300)

    private static func problem(
        _ code: CheckCode = .addressRefused, level: Int = 0, mark: String = ""
    ) -> WatchProblem {
        var problem = WatchProblem(code, "m")
        problem.level = level
        problem.mark = mark
        return problem
    }

    /// What is told at each look; a look is its time and what it shows.
    private static func events(
        _ watch: inout ProblemWatch, _ looks: [(Int64, WatchProblem?)],
        _ settings: WatchSettings = settings
    ) -> [ProblemWatch.Event?] {
        looks.map { watch.see($0.1, now: $0.0, settings) }
    }

    @Test func isNewsOnceItIsConfirmed() {
        let bad = Self.problem()
        var watch = ProblemWatch(bad, now: 0)
        #expect(watch.isForgotten)
        #expect(Self.events(&watch, [(100, bad)]) == [nil])
        #expect(watch.phase == .suspected && watch.wantsConfirmation(Self.settings))
        #expect(Self.events(&watch, [(160, bad), (200, bad)]) == [.began, nil])
        #expect(watch.phase == .open && !watch.wantsConfirmation(Self.settings))
        #expect(watch.since == 100)
        // Its end is confirmed as well, and told as when it was first missed.
        #expect(Self.events(&watch, [(400, nil)]) == [nil])
        #expect(watch.wantsConfirmation(Self.settings))
        #expect(Self.events(&watch, [(460, nil)]) == [.ended(seconds: 300)])
        #expect(watch.phase == .quiet)
    }

    @Test func oneLookIsNoNewsEitherWay() {
        let bad = Self.problem()
        var watch = ProblemWatch(bad, now: 0)
        #expect(Self.events(&watch, [(0, bad), (60, nil), (120, nil)]) == [nil, nil, nil])
        #expect(watch.phase == .quiet)
        var open = ProblemWatch(bad, now: 0)
        // A gap of one look is none; the count of missing looks begins anew after it.
        #expect(
            Self.events(
                &open, [(0, bad), (60, bad), (4000, nil), (4060, bad), (8000, nil), (8060, nil)])
                == [nil, .began, nil, nil, nil, .ended(seconds: 8000)])
    }

    @Test func wantsAsManyLooksAsTheSettingsSay() {
        var settings = Self.settings
        settings.looksToConfirm = 3
        let bad = Self.problem()
        var watch = ProblemWatch(bad, now: 0)
        #expect(
            Self.events(&watch, [(0, bad), (1, bad), (2, bad)], settings) == [nil, nil, .began])
        settings.looksToConfirm = 1
        var hasty = ProblemWatch(bad, now: 0)
        #expect(
            Self.events(&hasty, [(0, bad), (1, nil)], settings) == [.began, .ended(seconds: 1)])
    }

    @Test func tellsEachTimeItGetsWorse() {
        var watch = ProblemWatch(Self.problem(level: 1), now: 0)
        let levels = [1, 1, 2, 2, 1, 2, 3].enumerated().map {
            (Int64($0.offset * 300), WatchProblem?.some(Self.problem(level: $0.element)))
        }
        // Back to what was told already is no news.
        #expect(
            Self.events(&watch, levels) == [nil, .began, .worsened, nil, nil, nil, .worsened])
    }

    /// What takes its time by design is news only when it took longer.
    @Test func waitsOutItsGrace() {
        let old = Self.problem(.cdnStale, mark: "first")
        let day: Int64 = 86_400
        var watch = ProblemWatch(old, now: 0)
        #expect(
            Self.events(&watch, [(0, old), (300, old), (day - 1, old), (day, old)])
                == [nil, nil, nil, .began])
        // Another copy has its own time, and its own confirmation.
        let next = Self.problem(.cdnStale, mark: "second")
        var again = ProblemWatch(old, now: 0)
        #expect(
            Self.events(
                &again,
                [(0, old), (day - 1, next), (day, next), (2 * day - 2, next), (2 * day - 1, next)])
                == [nil, nil, nil, nil, .began])
        // A mark of what has no grace changes nothing.
        var plain = ProblemWatch(Self.problem(mark: "a"), now: 0)
        #expect(
            Self.events(&plain, [(0, Self.problem(mark: "a")), (60, Self.problem(mark: "b"))])
                == [nil, .began])
    }

    @Test func tellsOnceThatItFlaps() {
        let bad = Self.problem()
        var watch = ProblemWatch(bad, now: 0)
        let looks: [(Int64, WatchProblem?)] = [
            (0, bad), (300, nil), (600, bad), (900, nil), (1200, bad), (1500, nil), (1800, bad),
        ]
        #expect(Self.events(&watch, looks) == [nil, nil, nil, nil, .flaps, nil, nil])
        #expect(watch.phase == .flapping && !watch.wantsConfirmation(Self.settings))
        #expect(watch.since == 0)
        // Calm is counted from the last turn, whichever way it went.
        var stays = watch
        #expect(
            Self.events(&stays, [(1800 + 3599, bad), (1800 + 3600, bad)]) == [nil, .stays])
        #expect(stays.phase == .open && stays.beginnings.isEmpty)
        #expect(
            Self.events(&watch, [(2100, nil), (2100 + 3599, nil), (2100 + 3600, nil)])
                == [nil, nil, .ended(seconds: 2100)])
        #expect(watch.phase == .quiet && watch.isForgotten)
    }

    /// Beginnings count for an hour, to the second.
    @Test(arguments: [(Int64(3599), true), (3600, false)])
    func forgetsBeginningsThatAreLongAgo(third: Int64, flaps: Bool) {
        let bad = Self.problem()
        var watch = ProblemWatch(bad, now: 0)
        let events = Self.events(
            &watch, [(0, bad), (300, nil), (600, bad), (900, nil), (third, bad)])
        #expect(events.contains(.flaps) == flaps)
        // Quiet, and remembered as long as a beginning counts.
        var quiet = ProblemWatch(bad, now: 0)
        _ = Self.events(&quiet, [(0, bad), (60, nil)])
        #expect(!quiet.isForgotten)
        _ = Self.events(&quiet, [(third, nil)])
        #expect(quiet.isForgotten == !flaps)
    }

    @Test func whatTakesItsTimeDoesNotFlap() {
        let old = Self.problem(.cdnStale)
        var watch = ProblemWatch(old, now: 0)
        let looks = (0..<12).map { (Int64($0 * 300), $0 % 2 == 0 ? WatchProblem?.some(old) : nil) }
        #expect(Self.events(&watch, looks).allSatisfy { $0 == nil })
    }

    /// A problem that was told keeps its beginning when it begins to flap.
    @Test func keepsTheBeginningThatWasTold() {
        let bad = Self.problem()
        var watch = ProblemWatch(bad, now: 0)
        let looks: [(Int64, WatchProblem?)] = [
            (0, bad), (60, bad), (300, nil), (600, bad), (900, nil), (1200, bad),
        ]
        #expect(Self.events(&watch, looks).last == .flaps)
        #expect(watch.since == 0)
        #expect(watch.beginnings == [0, 600, 1200])
    }
}
