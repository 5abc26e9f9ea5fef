import AASAClient
import AppSiteAssociation
import Reactor
import TestSupport
import Testing

@testable import AASADevice

@Suite struct WatchObservationTests: EvaluatorSuite {
    static let byName = Dictionary(uniqueKeysWithValues: Animal.all.map { ($0.name, $0) })

    static func look(_ name: String) throws -> (CheckReport, WatchObservation) {
        let report = try ZooTests.check(try #require(byName[name], "\(name)"))
        return (report, WatchObservation(report))
    }

    @Test(arguments: [
        ("good", "document"), ("expired certificate", "document"),
        ("plain HTTP on the TLS port", "connection"), ("status 404 Not Found", "tls"),
        ("no answer", "tls"), ("single-page application", "answer"), ("trailing comma", "answer"),
    ])
    func knowsHowFarALookCame(name: String, depth: String) throws {
        let (_, observation) = try Self.look(name)
        let depths = ["nothing", "connection", "tls", "answer", "document"]
        let reached = depths.filter(observation.parts.contains)
        #expect(reached.last == depth && reached[...] == depths.prefix(reached.count))
        expectEqual((observation.document != nil), (depth == "document"))
        expectEqual((observation.certificateEnds != nil), reached.contains("tls"))
    }

    /// A misspelt word would hide the end of a problem.
    @Test func theCatalogueNamesOnlyParts() {
        let evidence = CheckEvidence(host: Self.host, port: 443, now: Self.now)
        let parts = WatchObservation.parts(of: evidence, [], hasDocument: false)
        for entry in CheckCatalog.table.entries {
            for need in entry.needs ?? [] { #expect(parts[need] != nil, "\(entry.code): \(need)") }
        }
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
            expectEqual(own.map(\.kind), [.problem, .resolved], "\(name): \(news)")
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
        expectEqual(unrouted.problems.map(\.code), ["address-no-route"])
        #expect(unrouted.canSee("address-no-route") && !unrouted.canSee("address-refused"))
        let dead = look(.timeout(.connecting))
        #expect(dead.canSee("address-no-route") && dead.canSee("address-refused"))
    }

    // MARK: - What a check sees

    private static func secured(_ exchange: ClientExchange, code: Int = 0) -> ClientExchange {
        var exchange = exchange
        exchange.tls = facts(code: code)
        exchange.timing.secured = .milliseconds(2)
        return exchange
    }

    private static let variants: Probes = [(.tls12, good)]
    private static let copy: Probes = [(.cdn, good)]

    private static func look(
        _ probes: Probes, _ change: (inout CheckEvidence) -> Void = { _ in }
    ) -> WatchObservation {
        var evidence = CheckEvidence(host: host, port: 443, now: now)
        evidence.isOverridden = true
        for (purpose, exchange) in probes { evidence.add(purpose, exchange) }
        evidence.addresses = evidence.wellKnown.compactMap(\.address)
        change(&evidence)
        return WatchObservation(CheckReport(evidence, CheckSettings(now: now)))
    }

    private static func seen(_ look: WatchObservation, _ codes: [String]) -> [String] {
        codes.filter { look.canSee($0) }
    }

    @Test func seesEverythingAtAGoodHost() {
        let look = Self.look(Self.base(Self.secured(Self.good)) + Self.variants + Self.copy)
        let codes = CheckCatalog.table.entries.map(\.code) + ["json-trailing-comma"]
        expectEqual(Self.seen(look, codes), codes)
    }

    /// The certificate for clients of RSA alone is read where there is a document, so an outage
    /// does not show whether it is right again.
    @Test func resolvesNothingInAnOutage() {
        let look = Self.look(
            Self.base(Self.secured(Self.exchange(503)), root: Self.exchange(503, path: .root))
                + Self.variants)
        #expect(look.parts.contains("tls") && !look.parts.contains("answer"))
        let hidden = [
            "tls-second-certificate", "tls-needs-server-name", "tls-no-1.2", "answer-head",
            "answer-content-type", "answer-slow", "agent-unknown", "answer-root-only",
            "json-trailing-comma", "cdn-stale",
        ]
        expectEqual(Self.seen(look, hidden), [])
        let open = ["status-not-found", "redirect-www", "tls-expired", "tls-cut", "answer-cut"]
        expectEqual(Self.seen(look, open), open)
    }

    /// The root path has a document still, which is compared with nothing and not read.
    @Test func readsNoRootPathInPlaceOfABrokenOne() {
        let look = Self.look(Self.base(Self.secured(Self.exchange(503))) + Self.variants)
        #expect(look.parts.contains("document"))
        let hidden = [
            "answer-content-type", "answer-http2-broken", "answer-head", "answer-paths-differ",
            "answer-root-only", "agent-unknown", "answer-slow", "json-trailing-comma",
        ]
        expectEqual(Self.seen(look, hidden), [])
        // Where the other is missing, it is read.
        let missing = Self.look(Self.base(Self.secured(Self.exchange(404))) + Self.variants)
        expectEqual(Self.seen(missing, ["answer-content-type", "answer-root-only"]).count, 1)
    }

    @Test func knowsNoStatusWithoutAnAnswer() {
        let look = Self.look(Self.base(Self.secured(Self.failed(.timeout(.head)))))
        let hidden = [
            "status-not-found", "redirect-www", "answer-challenge", "tls-second-certificate",
        ]
        expectEqual(Self.seen(look, hidden), [])
        expectEqual(Self.seen(look, ["answer-reset", "tls-handshake"]).count, 2)
    }

    @Test func knowsNoTLSWithoutAConnection() {
        var dead = Self.failed(.refused)
        dead.timing.connected = nil
        let look = Self.look([(.base(.wellKnown, address: 0), dead)])
        expectEqual(
            Self.seen(look, ["tls-handshake", "tls-expired", "address-ipv6-broken"]), [])
        #expect(look.canSee("address-timeout"))
        let unresolved = Self.look([]) { $0.addressFailure = .unresolved("unknown") }
        expectEqual(
            Self.seen(unresolved, ["address-private", "address-refused", "address-ipv4-broken"]),
            [])
        #expect(unresolved.canSee("address-unresolved"))
        // One of two addresses was not asked for lack of time.
        let half = Self.look(Self.base(Self.secured(Self.good)) + Self.variants) {
            $0.addresses.append(.v4(0x1101_0204, port: 443))
        }
        expectEqual(
            Self.seen(half, ["address-ipv4-broken", "answer-addresses-differ"]), [])
    }

    @Test func knowsOneReasonOfARejectedCertificate() {
        let look = Self.look(Self.base(Self.secured(Self.good, code: 10)) + Self.variants)
        expectEqual(
            Self.seen(look, ["tls-name", "tls-ends-soon", "tls-second-certificate"]), [])
        #expect(look.canSee("tls-no-1.2"))
    }

    /// What was not asked for lack of time is unknown; what was asked is not.
    @Test func knowsWhatThereWasNoTimeFor() {
        let look = Self.look(Self.base(Self.secured(Self.good)) + Self.variants) { $0.unasked = 1 }
        expectEqual(
            Self.seen(look, ["tls-second-certificate", "answer-head", "agent-none"]), [])
        let open = ["answer-content-type", "answer-slow", "json-trailing-comma"]
        expectEqual(Self.seen(look, open), open)
    }

    @Test func readsNoFieldsOfAPage() {
        let page = Self.exchange(200, "<html><title>Shop</title></html>")
        let look = Self.look(Self.base(Self.secured(page), root: page) + Self.variants)
        #expect(look.parts.contains("answer") && !look.parts.contains("document"))
        expectEqual(Self.seen(look, ["answer-content-type", "answer-http2-differs"]), [])
    }

    /// A copy that is a failure is not a copy that is up to date.
    @Test func comparesOnlyADocumentOfTheCDN() {
        let look = Self.look(
            Self.base(Self.secured(Self.good)) + Self.variants + [(.cdn, Self.exchange(404))])
        #expect(!look.canSee("cdn-stale"))
        #expect(look.canSee("cdn-bad-status"))
    }
}
