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
        for name in [
            "expired certificate", "status 503 Service Unavailable", "trailing comma",
            "crawler blocked", "two documents", "head cut short",
        ] {
            let animal = try #require(Self.byName[name])
            let (_, seen) = try Self.look(name)
            let (_, good) = try Self.look("good")
            var watch = HostWatch(host: "zoo.example.com")
            var news: [WatchChange] = []
            for (turn, look) in [seen, seen, good, good].enumerated() {
                news += watch.take(look, now: Int64(turn * 300))
            }
            let own = news.filter { $0.finding.code == animal.code }
            #expect(own.map(\.kind) == [.problem, .resolved], "\(name): \(news)")
        }
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
}
