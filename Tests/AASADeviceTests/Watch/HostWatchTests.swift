import AASADevice
import AppSiteAssociation
import Testing

/// A day of a host, look by look: the script says what is true from when, the news has to say each
/// change once.
private struct Day {
    static let interval: Int64 = 300
    var settings = WatchSettings(interval: interval)
    var watch = HostWatch(host: "example.com")
    var news: [String] = []
    /// Restarts the watcher between two looks: what is known goes through its file.
    var restarts = false

    static let document = WatchedDocument(
        digest: "one", apps: ["applinks T.a", "applinks T.b", "webcredentials T.a"])

    static func good(_ document: WatchedDocument = document) -> WatchObservation {
        var observation = WatchObservation(depth: .document)
        observation.document = document
        observation.seesCopy = true
        observation.certificateEnds = 90 * 86_400
        return observation
    }

    static func dead() -> WatchObservation {
        var observation = WatchObservation(depth: .nothing)
        observation.problems = [WatchProblem(.addressRefused, "refused")]
        return observation
    }

    static func with(
        _ code: CheckCode, _ message: String = "m", level: Int = 0, mark: String = "",
        depth: WatchObservation.Depth = .document
    ) -> WatchObservation {
        var observation = good()
        observation.depth = depth
        if depth < .document { observation.document = nil }
        var problem = WatchProblem(code, message)
        problem.level = level
        problem.mark = mark
        observation.problems = [problem]
        return observation
    }

    /// Looks from one second to another, sooner where something is to be confirmed, as the loop
    /// does.
    mutating func run(
        from start: Int64 = 0, to end: Int64, _ world: (Int64) -> WatchObservation
    ) throws {
        var turn = start
        var now = start
        while now < end {
            for change in watch.take(world(now), now: now, settings) {
                news.append("\(now) \(change.kind.rawValue) \(change.code)")
            }
            if restarts {
                let text = JSONWriter.minified(watch.json)
                let json = try JSONReader.read(SourceText(name: "state", bytes: text)).root
                let back = try #require(HostWatch(host: "example.com", json: json))
                #expect(back == watch)
                watch = back
            }
            if turn <= now { turn += Self.interval }
            now =
                watch.wantsConfirmation(settings)
                ? min(turn, now + settings.confirmAfter) : turn
        }
    }
}

@Suite struct HostWatchTests {
    static let hour: Int64 = 3600

    @Test(arguments: [false, true])
    func tellsEachChangeOfADayOnce(restarts: Bool) throws {
        var day = Day()
        day.restarts = restarts
        let hour = Self.hour
        let second = WatchedDocument(digest: "two", apps: ["applinks T.a", "webcredentials T.a"])
        try day.run(to: 24 * hour) { now in
            switch now {
            // Refused for half an hour.
            case hour..<(hour + 1800): return Day.dead()
            // One lost look: no news.
            case (3 * hour)..<(3 * hour + 60): return Day.dead()
            // A certificate that comes close to its end, in steps.
            case (4 * hour)..<(6 * hour): return Day.with(.tlsEndsSoon, level: 0)
            case (6 * hour)..<(7 * hour): return Day.with(.tlsEndsSoon, level: 1)
            case (7 * hour)..<(8 * hour): return Day.with(.tlsEndsSoon, level: 3)
            // Renewed.
            case (8 * hour)..<(10 * hour):
                var good = Day.good()
                good.certificateEnds = 180 * 86_400
                return good
            // It flaps: five minutes away, ten minutes back.
            case (10 * hour)..<(12 * hour):
                return now / 300 % 3 == 0 ? Day.dead() : Day.good()
            // The document loses an app.
            case (15 * hour)...: return Day.good(second)
            default: return Day.good()
            }
        }
        #expect(
            day.news == [
                // Seen at 3600, confirmed a minute later; the end the same.
                "3660 problem address-refused", "5460 resolved address-refused",
                "14460 problem tls-ends-soon", "21600 problem tls-ends-soon",
                "25200 problem tls-ends-soon", "28800 note certificate-renewed",
                "28860 resolved tls-ends-soon",
                // Twice it is down long enough to be confirmed, and told as such; the third
                // beginning within the hour is one too many.
                "36060 problem address-refused", "36360 resolved address-refused",
                "36960 problem address-refused", "37260 resolved address-refused",
                "37800 flapping address-refused",
                // The last time was at 42300 to 42600; an hour of calm later it is over.
                "46200 resolved address-refused",
                "54060 note document-changed", "54060 problem app-lost",
            ], "\(day.news)")
    }

    @Test func repeatsNothingWhileNothingChanges() throws {
        var day = Day()
        try day.run(to: 24 * Self.hour) { _ in Day.with(.statusNotFound, depth: .tls) }
        #expect(day.news == ["60 problem status-not-found"])
    }

    /// What lies behind the fault of the moment is unknown, not mended.
    @Test func knowsWhatItCannotSee() throws {
        var day = Day()
        let hour = Self.hour
        try day.run(to: 4 * hour) { now in
            switch now {
            case hour..<(2 * hour): Day.dead()
            case (2 * hour)..<(3 * hour): Day.with(.tlsExpired, depth: .tls)
            default: Day.with(.answerContentType)
            }
        }
        #expect(
            day.news == [
                "60 problem answer-content-type", "3660 problem address-refused",
                "7260 resolved address-refused", "7260 problem tls-expired",
                "10860 resolved tls-expired",
            ], "\(day.news)")
    }

    @Test func waitsForApplesTimesBeforeItTellsOfAnOldCopy() throws {
        var day = Day()
        let hour = Self.hour
        // A copy that is old for 20 hours, then another old one: each has its 24 hours.
        try day.run(to: 60 * hour) { now in
            Day.with(.cdnStale, mark: now < 20 * hour ? "first" : "second")
        }
        #expect(day.news == ["\(44 * hour) problem cdn-stale"], "\(day.news)")
        try day.run(from: 60 * hour, to: 62 * hour) { _ in Day.good() }
        #expect(day.news.last == "\(60 * hour + 60) resolved cdn-stale")
    }

    @Test func knowsWhatIsPublished() throws {
        var day = Day()
        let hour = Self.hour
        let fewer = WatchedDocument(digest: "fewer", apps: ["applinks T.a"])
        try day.run(to: 12 * hour) { now in
            var look = Day.good(now < 3 * hour ? Day.document : fewer)
            // Published as it is changed: nobody is missed.
            look.published = now < 3 * hour ? Day.document : fewer
            return look
        }
        #expect(day.news == ["\(3 * hour + 60) note document-changed"], "\(day.news)")
        // Somebody changes the host alone.
        try day.run(from: 12 * hour, to: 18 * hour) { _ in
            var look = Day.good(Day.document)
            look.published = fewer
            return look
        }
        #expect(
            day.news.dropFirst() == [
                "\(12 * hour + 60) note document-changed",
                "\(13 * hour) problem document-unpublished",
            ], "\(day.news)")
    }

    @Test func tellsOfEachLostAppAndOfItsReturn() throws {
        var day = Day()
        let hour = Self.hour
        let one = WatchedDocument(digest: "1", apps: ["applinks T.a", "webcredentials T.a"])
        let none = WatchedDocument(digest: "0", apps: ["webcredentials T.a"])
        try day.run(to: 8 * hour) { now in
            switch now {
            case hour..<(2 * hour): Day.good(one)
            case (2 * hour)..<(3 * hour): Day.good(none)
            default: Day.good()
            }
        }
        #expect(
            day.news.filter { $0.hasSuffix("app-lost") } == [
                "3660 problem app-lost", "7260 problem app-lost", "10860 resolved app-lost",
                "10860 resolved app-lost",
            ], "\(day.news)")
        // One that stays away is taken as removed once devices have asked again.
        day.news = []
        try day.run(from: 8 * hour, to: 9 * 24 * hour) { _ in Day.good(one) }
        let lost = day.news.filter { $0.hasSuffix("app-lost") }
        #expect(lost.count == 2 && lost[1].contains("resolved"), "\(day.news)")
    }

    @Test func countsAppsWhenVeryManyAreLost() throws {
        var day = Day()
        let many = WatchedDocument(digest: "many", apps: (0..<500).map { "applinks T.a\($0)" })
        try day.run(to: 3600) { $0 < 600 ? Day.good(many) : Day.good() }
        #expect(
            day.news.count { $0.hasSuffix("problem app-lost") } == day.settings.lostAppsTold + 1)
    }

    /// Machines behind one name with different documents: no look agrees with the one before.
    @Test func findsADocumentThatAlternates() throws {
        var day = Day()
        let other = WatchedDocument(digest: "other", apps: Day.document.apps)
        var count = 0
        try day.run(to: 3 * Self.hour) { _ in
            count += 1
            return Day.good(count % 2 == 0 ? other : Day.document)
        }
        #expect(day.news.count { $0.hasSuffix("problem document-alternates") } == 1, "\(day.news)")
        #expect(!day.news.contains { $0.hasSuffix("document-changed") }, "\(day.news)")
    }

    @Test func refusesAStateThatIsNotItsOwn() throws {
        let watch = HostWatch(host: "example.com")
        #expect(HostWatch(host: "example.org", json: watch.json) == nil)
        for text in ["{}", "[]", "{\"aasaWatch\":2,\"host\":\"example.com\",\"problems\":{}}"] {
            let json = try JSONReader.read(SourceText(name: "state", text: text)).root
            #expect(HostWatch(host: "example.com", json: json) == nil)
        }
    }
}
