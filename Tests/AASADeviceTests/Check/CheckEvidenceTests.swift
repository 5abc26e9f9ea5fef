import AASAClient
import AppSiteAssociation
import TestSupport
import Testing

@testable import AASADevice

@Suite struct CheckEvidenceTests: EvaluatorSuite {
    /// The machine format: a renamed case of the source does not change it.
    @Test func everyPurposeHasAStableName() {
        let purposes: [ProbePurpose] = [
            .base(.wellKnown, address: 1), .base(.root, address: 0), .agent(.oldDevice),
            .agent(.device), .agent(.unknown), .agent(.none), .tls12, .tls13, .legacyTLS,
            .noServerName, .onlyRSA, .onlyECDSA, .longHello, .http2, .head, .conditional, .range,
            .hop(2), .cdn, .sibling("/x"), .device(.ios14), .again(.tls12),
        ]
        expectEqual(
            purposes.map(\.name),
            [
                "wellKnown", "root", "agent-oldDevice", "agent-device", "agent-unknown",
                "agent-none",
                "tls12", "tls13", "legacyTLS", "noServerName", "onlyRSA", "onlyECDSA", "longHello",
                "http2", "head", "conditional", "range", "hop", "cdn", "sibling", "device",
                "again",
            ])
    }

    /// A document that only old TLS delivers shows the services, too.
    @Test func readsTheDocumentThatOldTLSDelivers() {
        var evidence = CheckEvidence(host: Self.host, port: 443, now: Self.now)
        evidence.add(.base(.wellKnown, address: 0), Self.failed(Self.tls(.alertReceived(70))))
        #expect(!evidence.hasDocument && evidence.services(for: nil) == ["applinks"])
        evidence.add(.legacyTLS, Self.good)
        expectEqual(evidence.services(for: nil), ["applinks", "webcredentials"])
    }

    private static func evidence(_ probes: Probes) -> CheckEvidence {
        var evidence = CheckEvidence(host: host, port: 443, now: 0)
        for (purpose, exchange) in probes { evidence.add(purpose, exchange) }
        return evidence
    }

    /// Who answers is asked the rest; else who came furthest.
    @Test func choosesTheMainAddress() {
        var dead = Self.failed(.refused)
        dead.timing.connected = nil
        let connected = Self.failed(.timeout(.handshake))
        var secured = Self.failed(.timeout(.head))
        secured.tls = Self.facts()
        let answers = [dead, connected, secured, Self.exchange(404), Self.good]
        for count in 1...answers.count {
            let probes = answers.prefix(count).enumerated().map {
                (ProbePurpose.base(.wellKnown, address: $0.offset), $0.element)
            }
            expectEqual(Self.evidence(probes).mainAddress, (count == 1 ? nil : count - 1))
        }
        let same: Probes = [
            (.base(.wellKnown, address: 0), Self.exchange(404)),
            (.base(.root, address: 1), Self.good),
            (.base(.wellKnown, address: 2), Self.exchange(500)),
        ]
        expectEqual(Self.evidence(same).mainAddress, 0)
        expectEqual(Self.evidence(same).main?.status, 404)
        #expect(Self.evidence(same).root == nil)
    }

    @Test func findsWhatWasAskedFor() {
        let evidence = Self.evidence(
            Self.base(Self.good) + [
                (.hop(0), Self.exchange(301)), (.hop(1), Self.exchange(302)),
                (.base(.wellKnown, address: 1), Self.exchange(503)),
            ])
        expectEqual(evidence.wellKnown.map { $0.status ?? 0 }, [200, 503])
        expectEqual(evidence.hops.map { $0.status ?? 0 }, [301, 302])
        expectEqual(evidence[.hop(1)]?.status, 302)
        #expect(evidence[.hop(2)] == nil)
        expectEqual(evidence.root?.request.target, AssociationPath.rootTarget)
    }

    /// A document counts for any client that got it, Apple's copy included; that of a redirect's
    /// target does not.
    @Test(arguments: [
        (ProbePurpose.base(.root, address: 3), true), (.agent(.none), true), (.cdn, true),
        (.http2, true), (.hop(0), false), (.again(.http2), false),
    ])
    func knowsWhetherAnybodyGotADocument(purpose: ProbePurpose, counts: Bool) {
        expectEqual(Self.evidence([(purpose, Self.good)]).hasDocument, counts)
        #expect(!Self.evidence([(purpose, Self.exchange(404, Self.document))]).hasDocument)
        #expect(!Self.evidence([(purpose, Self.exchange(200, "<html>"))]).hasDocument)
    }

    @Test func playsTheServicesThatListTheApp() {
        let text = """
            {"applinks":{"details":[{"appIDs":["T.a"]}]},"webcredentials":{"apps":["T.b"]},
             "appclips":{"apps":[]}}
            """
        let evidence = Self.evidence(Self.base(Self.exchange(200, text)))
        #expect(evidence.services(for: "T.b").contains("webcredentials"))
        #expect(!evidence.services(for: "T.b").contains("applinks"))
        // In none of them: those that list any.
        expectEqual(
            Self.evidence([(.cdn, Self.exchange(200, text))]).services(for: "T.c"),
            ["applinks", "webcredentials"])
        expectEqual(
            Self.evidence([
                (.cdn, Self.exchange(200, text)), (.agent(.none), Self.exchange(200, text)),
            ])
            .services(for: nil), ["applinks", "webcredentials"])
        expectEqual(Self.evidence([]).services(for: "T.a"), ["applinks"])
    }

    @Test func knowsWhetherTheCDNCouldBeAsked() {
        #expect(!Self.evidence([]).cdnIsOutOfReach)
        #expect(!Self.evidence([(.cdn, Self.exchange(404))]).cdnIsOutOfReach)
        #expect(Self.evidence([(.cdn, Self.failed(.refused))]).cdnIsOutOfReach)
        #expect(Self.evidence([(.cdn, Self.failed(nil))]).cdnIsOutOfReach)
        for (code, isOut) in [(0, false), (20, true)] {
            var exchange = Self.good
            exchange.tls = Self.facts(code: code)
            expectEqual(Self.evidence([(.cdn, exchange)]).cdnIsOutOfReach, isOut)
        }
    }

    @Test func asksAsDifferentAgents() {
        let agents = ProbeAgent.allCases.map { $0.fields.first?.value }
        expectEqual(Set(agents).count, ProbeAgent.allCases.count)
        #expect(ProbeAgent.none.fields.isEmpty)
        #expect(ProbeAgent.allCases.allSatisfy { $0 == .none || $0.fields[0].name == "User-Agent" })
        #expect(!agents.contains(Era.crawlerAgent))
        expectEqual(ProbeAgent.oldDevice.fields.first?.value, Era.ios8.rules.userAgent)
    }
}
