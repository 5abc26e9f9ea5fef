import AASAClient
import Reactor
import Testing

@testable import AASADevice

@Suite struct WatchSightTests: EvaluatorSuite {
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
        #expect(Self.seen(look, codes) == codes)
    }

    /// The certificate for clients of RSA alone is looked at where there is a document: of an
    /// outage nobody learns that it was mended.
    @Test func takesNothingForMendedInAnOutage() {
        let look = Self.look(
            Self.base(Self.secured(Self.exchange(503)), root: Self.exchange(503, path: .root))
                + Self.variants)
        #expect(look.depth == .tls)
        let hidden = [
            "tls-second-certificate", "tls-needs-server-name", "tls-no-1.2", "answer-head",
            "answer-content-type", "answer-slow", "agent-unknown", "answer-root-only",
            "json-trailing-comma", "cdn-stale",
        ]
        #expect(Self.seen(look, hidden) == [])
        let open = ["status-not-found", "redirect-www", "tls-expired", "tls-cut", "answer-cut"]
        #expect(Self.seen(look, open) == open)
    }

    /// The root path has a document still, which is compared with nothing and not read.
    @Test func readsNoRootPathInPlaceOfABrokenOne() {
        let look = Self.look(Self.base(Self.secured(Self.exchange(503))) + Self.variants)
        #expect(look.depth == .document)
        let hidden = [
            "answer-content-type", "answer-http2-broken", "answer-head", "answer-paths-differ",
            "answer-root-only", "agent-unknown", "answer-slow", "json-trailing-comma",
        ]
        #expect(Self.seen(look, hidden) == [])
        // Where the other is missing, it is read.
        let missing = Self.look(Self.base(Self.secured(Self.exchange(404))) + Self.variants)
        #expect(Self.seen(missing, ["answer-content-type", "answer-root-only"]).count == 1)
    }

    @Test func knowsNoStatusWithoutAnAnswer() {
        let look = Self.look(Self.base(Self.secured(Self.failed(.timeout(.head)))))
        let hidden = [
            "status-not-found", "redirect-www", "answer-challenge", "tls-second-certificate",
        ]
        #expect(Self.seen(look, hidden) == [])
        #expect(Self.seen(look, ["answer-reset", "tls-handshake"]).count == 2)
    }

    @Test func knowsNoTLSWithoutAConnection() {
        var dead = Self.failed(.refused)
        dead.timing.connected = nil
        let look = Self.look([(.base(.wellKnown, address: 0), dead)])
        #expect(
            Self.seen(look, ["tls-handshake", "tls-expired", "address-ipv6-broken"]) == [])
        #expect(look.canSee("address-timeout"))
        let unresolved = Self.look([]) { $0.addressFailure = .unresolved("unknown") }
        #expect(
            Self.seen(unresolved, ["address-private", "address-refused", "address-ipv4-broken"])
                == [])
        #expect(unresolved.canSee("address-unresolved"))
        // One of two addresses was not asked for lack of time.
        let half = Self.look(Self.base(Self.secured(Self.good)) + Self.variants) {
            $0.addresses.append(.v4(0x1101_0204, port: 443))
        }
        #expect(
            Self.seen(half, ["address-ipv4-broken", "answer-addresses-differ"]) == [])
    }

    @Test func knowsOneReasonOfARejectedCertificate() {
        let look = Self.look(Self.base(Self.secured(Self.good, code: 10)) + Self.variants)
        #expect(
            Self.seen(look, ["tls-name", "tls-ends-soon", "tls-second-certificate"]) == [])
        #expect(look.canSee("tls-no-1.2"))
    }

    /// What was not asked for lack of time is unknown; what was asked is not.
    @Test func knowsWhatThereWasNoTimeFor() {
        let look = Self.look(Self.base(Self.secured(Self.good)) + Self.variants) { $0.unasked = 1 }
        #expect(
            Self.seen(look, ["tls-second-certificate", "answer-head", "agent-none"]) == [])
        let open = ["answer-content-type", "answer-slow", "json-trailing-comma"]
        #expect(Self.seen(look, open) == open)
    }

    @Test func readsNoFieldsOfAPage() {
        let page = Self.exchange(200, "<html><title>Shop</title></html>")
        let look = Self.look(Self.base(Self.secured(page), root: page) + Self.variants)
        #expect(look.depth == .answer)
        #expect(Self.seen(look, ["answer-content-type", "answer-http2-differs"]) == [])
    }

    /// A copy that is a failure is not a copy that is up to date.
    @Test func comparesOnlyADocumentOfTheCDN() {
        let look = Self.look(
            Self.base(Self.secured(Self.good)) + Self.variants + [(.cdn, Self.exchange(404))])
        #expect(!look.canSee("cdn-stale"))
        #expect(look.canSee("cdn-bad-status"))
    }
}
