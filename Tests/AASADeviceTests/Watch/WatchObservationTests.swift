import AASAClient
import AppSiteAssociation
import Testing

@testable import AASADevice

@Suite struct WatchObservationTests: EvaluatorSuite {
    static let byName = Dictionary(uniqueKeysWithValues: Animal.all.map { ($0.name, $0) })

    static func look(_ name: String) throws -> (CheckReport, WatchObservation) {
        let report = try ZooTests.check(try #require(byName[name], "\(name)"))
        return (report, WatchObservation(report))
    }

    @Test(arguments: [
        ("good", WatchObservation.Depth.document), ("expired certificate", .document),
        ("plain HTTP on the TLS port", .connection), ("status 404 Not Found", .tls),
        ("no answer", .tls), ("single-page application", .answer), ("trailing comma", .answer),
    ])
    func knowsHowFarALookCame(name: String, depth: WatchObservation.Depth) throws {
        let (_, observation) = try Self.look(name)
        #expect(observation.depth == depth)
        #expect((observation.document != nil) == (depth == .document))
        #expect((observation.certificateEnds != nil) == (depth >= .tls))
    }

    /// Every fault of the zoo is told by a watcher, once, and its end as well.
    @Test func tellsWhatTheCheckFinds() throws {
        let settings = WatchSettings(interval: 300)
        for name in [
            "expired certificate", "status 503 Service Unavailable", "trailing comma",
            "crawler blocked", "two documents", "head cut short",
        ] {
            let animal = try #require(Self.byName[name])
            let (_, seen) = try Self.look(name)
            let (_, good) = try Self.look("good")
            var watch = HostWatch(host: "zoo.example.com")
            var news: [WatchChange] = []
            for (turn, look) in [seen, seen, seen, good, good, good].enumerated() {
                news += watch.take(look, now: Int64(turn * 300), settings)
            }
            let own = news.filter { $0.code == animal.code }
            #expect(own.map(\.kind) == [.problem, .resolved], "\(name): \(news)")
        }
    }

    /// What a brief look repeats has to be what the full one saw of the same.
    @Test func hasTheSameSignatureInBrief() throws {
        for name in ["good", "expired certificate", "status 404 Not Found", "two documents"] {
            var animal = try #require(Self.byName[name])
            let full = try ZooTests.check(animal)
            let before = animal.settings
            animal.settings = {
                before(&$0)
                $0.isBrief = true
            }
            let brief = try ZooTests.check(animal)
            let certificates = try ZooCertificates.shared.get()
            var settings = CheckSettings(now: certificates.now)
            settings.slowAfter = .seconds(60)
            let part = CheckReport(full.evidence.briefPart, settings)
            #expect(brief.briefSignature == part.briefSignature, "\(name)")
            #expect(brief.evidence.probes.count < full.evidence.probes.count)
        }
        let (good, _) = try Self.look("good")
        let (other, _) = try Self.look("root path only")
        #expect(good.briefSignature != other.briefSignature)
    }

    /// A watcher without a route sees nothing of the addresses: what was wrong there has not ended.
    @Test func seesNoAddressWithoutARoute() {
        func look(_ failure: ClientFailure) -> WatchObservation {
            var evidence = CheckEvidence(host: Self.host, port: 443, now: Self.now)
            evidence.isOverridden = true
            var exchange = Self.failed(failure)
            exchange.timing.connected = nil
            evidence.add(.base(.wellKnown, address: 0), exchange)
            evidence.addresses = evidence.wellKnown.compactMap(\.address)
            return WatchObservation(CheckReport(evidence, CheckSettings(now: Self.now)))
        }
        let unrouted = look(.noRoute("Network is unreachable"))
        #expect(unrouted.problems.map(\.code) == ["address-no-route"])
        #expect(unrouted.canSee("address-no-route") && !unrouted.canSee("address-refused"))
        let dead = look(.timeout(.connecting))
        #expect(dead.canSee("address-no-route") && dead.canSee("address-refused"))
    }

    @Test func countsTheLastDaysOfACertificate() {
        let day: Int64 = 86_400
        #expect(
            [20, 6, 2, 0].map { WatchObservation.certificateLevel(secondsLeft: $0 * day) } == [
                0, 1, 2, 3,
            ])
    }
}
