import AASAClient
import AppSiteAssociation
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASADevice

/// What is asked, where, and when it is enough. What it leads to is in the zoo.
@Suite struct HostProberTests {
    private struct Run {
        let evidence: CheckEvidence
        let requests: [FaultRequest]
        let progress: [String]

        func purposes() -> [String] { evidence.probes.map { "\($0.purpose)" } }
    }

    private static func probe(
        addresses: [SocketAddress] = [],
        _ change: (inout CheckSettings) -> Void = { _ in },
        answer: @escaping Animal.Answer = Animal.good
    ) throws -> Run {
        let certificates = try ZooCertificates.shared.get()
        let requests = Lock<[FaultRequest]>([])
        let server = try FaultServer(tls: certificates.server(certificates.good)) { request in
            requests.withLock { $0.append(request) }
            return answer(request)
        }
        var settings = CheckSettings(now: certificates.now)
        settings.phone.authorityFile = certificates.authorityFile
        settings.phone.trustsMachine = false
        settings.phone.resolver = Resolver(
            overrides: (addresses + [.v4(0x7F00_0001, port: server.port)]).map {
                Resolver.Override(host: ZooCertificates.host, port: 443, address: $0)
            })
        change(&settings)
        let progress = Lock<[String]>([])
        var prober = HostProber(
            host: ZooCertificates.host.uppercased(), port: 443, settings: settings,
            client: try HTTPClient(resolver: settings.phone.resolver),
            progress: { text in progress.withLock { $0.append(text) } })
        let evidence = prober.run()
        return withExtendedLifetime(server) {
            Run(
                evidence: evidence, requests: requests.withLock { $0 },
                progress: progress.withLock { $0 })
        }
    }

    @Test func asksAGoodHostInEveryWay() throws {
        let run = try Self.probe()
        let purposes = run.evidence.probes.map(\.purpose)
        let expected: Set<ProbePurpose> = [
            .base(.wellKnown, address: 0), .base(.root, address: 0), .agent(.oldDevice),
            .agent(.device), .agent(.unknown), .agent(.none), .tls12, .tls13, .noServerName,
            .onlyRSA, .onlyECDSA, .longHello, .http2, .head, .conditional, .range,
        ]
        let devices = Era.allCases.filter { $0 != .managed }.map { ProbePurpose.device($0) }
        expectEqual(Set(purposes), expected.union(devices))
        expectEqual(purposes.count, expected.count + devices.count)
        expectEqual(run.evidence.host, ZooCertificates.host)
        #expect(run.evidence.isOverridden)
        expectEqual(run.evidence.unasked, 0)
        expectEqual(run.progress.first, "resolving")
        let asked = run.evidence
        expectEqual(asked[.agent(.oldDevice)]?.request.target, AssociationPath.rootTarget)
        expectEqual(asked[.agent(.device)]?.request.target, AssociationPath.wellKnownTarget)
        expectEqual(asked[.head]?.request.method, "HEAD")
        expectEqual(asked[.tls12]?.tls?.version, .tls12)
        expectEqual(asked[.tls13]?.tls?.version, .tls13)
        expectEqual(asked[.noServerName]?.request.security.sendsServerName, false)
        #expect(asked[.onlyRSA]?.tls == nil && asked[.onlyECDSA]?.tls != nil)
        expectEqual(asked[.http2]?.request.security.offer.protocols, [.http2, .http11])
        expectEqual(asked.main?.request.fields.first?.value, Era.crawlerAgent)
        // Every era but the managed one, each service that lists an app.
        expectEqual(Set(asked.eras.map(\.era)), Set(Era.allCases).subtracting([.managed]))
        expectEqual(Set(asked.eras.map(\.service)), ["applinks", "webcredentials"])
    }

    /// With the validators that came, else with ones that must not match.
    @Test func asksUnderConditions() throws {
        let plain = try Self.probe().evidence
        func fields(_ evidence: CheckEvidence, _ purpose: ProbePurpose) -> [String] {
            evidence[purpose]?.request.fields.map { "\($0.name): \($0.value)" } ?? []
        }
        #expect(fields(plain, .conditional).contains("If-None-Match: *"))
        #expect(
            fields(plain, .conditional).contains(
                "If-Modified-Since: Fri, 31 Dec 2100 23:59:59 GMT"))
        #expect(fields(plain, .range).contains("Range: bytes=0-9"))
        let date = "Mon, 02 Nov 2026 00:00:00 GMT"
        let tagged = try Self.probe(answer: { _ in
            .http("200 OK", ["ETag: \"a\"", "Last-Modified: \(date)"], Animal.document)
        }).evidence
        #expect(fields(tagged, .conditional).contains("If-None-Match: \"a\""))
        #expect(fields(tagged, .conditional).contains("If-Modified-Since: \(date)"))
        // Of what is no document nobody asks a part.
        let missing = try Self.probe(answer: { _ in .http("404 Not Found") }).evidence
        #expect(missing[.range] == nil && missing[.head] == nil && missing[.tls12] != nil)
    }

    @Test func asksForSiblingsWhenTold() throws {
        let run = try Self.probe { $0.siblings = true }
        for sibling in Sibling.all {
            expectEqual(run.evidence[.sibling(sibling.path)]?.request.target, sibling.path)
        }
    }

    /// No request repeats what is known. The played CDNs ask as crawlers that prefer HTTP/2.
    @Test func asksNothingTwice() throws {
        let run = try Self.probe()
        func probes(_ agent: String) -> Int {
            run.evidence.probes.count { probe in
                let request = probe.exchange.request
                return request.fields.first?.value == agent && probe.exchange.status != nil
                    && request.target == AssociationPath.wellKnownTarget
            }
        }
        func requests(_ agent: String) -> Int {
            run.requests.count {
                $0.agent == agent && $0.path == AssociationPath.wellKnownTarget
            }
        }
        expectEqual(requests(Era.crawlerAgent), probes(Era.crawlerAgent))
        // Both services share each era's download.
        expectEqual(requests(Era.ios13.rules.userAgent), probes(Era.ios13.rules.userAgent))
        expectEqual(run.evidence.probes.count { $0.purpose == .device(.ios13) }, 1)
    }

    /// Where the first handshake fails, each device makes its own.
    @Test func simulatesEveryDeviceAfterAFailedHandshake() throws {
        let certificates = try ZooCertificates.shared.get()
        let server = try FaultServer(
            tls: certificates.server(certificates.good), handshake: .bytes([21, 3, 3, 0, 2, 2, 40])
        ) { Animal.good($0) }
        var settings = CheckSettings(now: certificates.now)
        settings.phone.resolver = Resolver(overrides: [
            .init(
                host: ZooCertificates.host, port: 443,
                address: .v4(0x7F00_0001, port: server.port))
        ])
        var prober = HostProber(
            host: ZooCertificates.host, port: 443, settings: settings,
            client: try HTTPClient(resolver: settings.phone.resolver), progress: { _ in })
        let evidence = prober.run()
        for era in [Era.ios93, .ios13, .ios14, .developer] {
            #expect(evidence[.device(era)]?.address != nil, "\(era)")
        }
        withExtendedLifetime(server) {}
    }

    /// What the server fails is asked for again, and only that, and only some of it.
    @Test func repeatsWhatTheServerFails() throws {
        let count = Lock(0)
        let flapping = try Self.probe(answer: { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number % 2 == 0
                ? .http("503 Service Unavailable") : Animal.good(request)
        }).evidence
        let again = flapping.probes.filter {
            if case .again = $0.purpose { true } else { false }
        }
        #expect((1...6).contains(again.count))
        #expect(again.contains { $0.exchange.status == 200 })
        let steady: [Animal.Answer] = [Animal.good, { _ in .http("503 Service Unavailable") }]
        for answer in steady {
            let names = try Self.probe(answer: answer).evidence.probes.map(\.purpose.name)
            #expect(!names.contains("again"))
        }
    }

    /// Eight of each family, or what the other one leaves of sixteen.
    @Test func choosesSomeAddressesOfEachFamily() {
        let six = (1...20).map { SocketAddress.v6(high: 0, low: 1, port: $0) }
        let four = (1...20).map { SocketAddress.v4(0x7F00_0001, port: $0) }
        func counts(_ found: ArraySlice<SocketAddress>...) -> [Int] {
            let all = Array(found.joined())
            let chosen = HostProber.selection(all)
            // In the order of the system.
            expectEqual(chosen, all.filter { chosen.contains($0) })
            return [chosen.count { $0.isIPv6 }, chosen.count { !$0.isIPv6 }]
        }
        expectEqual(counts(four[...], six[...]), [8, 8])
        expectEqual(counts(six[...]), [16, 0])
        expectEqual(counts(four[...]), [0, 16])
        expectEqual(counts(six[...], four.prefix(3)), [13, 3])
        expectEqual(counts(six.prefix(3), four[...]), [3, 13])
        expectEqual(counts(six.prefix(8), four.prefix(8)), [8, 8])
        expectEqual(counts(), [0, 0])
    }

    /// The last of sixteen addresses is found; what is beyond is counted.
    @Test func asksEveryAddressAndCountsTheOthers() throws {
        let dead = (1...19).map { SocketAddress.v4(0x7F00_0001, port: $0) }
        let all = try Self.probe(addresses: Array(dead.prefix(15)))
        expectEqual(all.evidence.addresses.count, 16)
        expectEqual(all.evidence.unaskedAddresses, 0)
        expectEqual(all.evidence.mainAddress, 15)
        expectEqual(all.evidence.wellKnown.count, 16)
        let more = try Self.probe(addresses: dead)
        expectEqual(more.evidence.addresses, Array(dead.prefix(16)))
        expectEqual(more.evidence.unaskedAddresses, 4)
    }

    @Test func followsARedirectByHand() throws {
        func hops(_ location: @escaping @Sendable (FaultRequest) -> String) throws -> [String] {
            try Self.probe(answer: { request in
                .http("302 Found", ["Location: \(location(request))"], "moved")
            }).evidence.hops.map(\.request.target)
        }
        // No further than six, and never twice to one place.
        try expectEqual(
            hops { "/" + String(repeating: "x", count: $0.path.count) }.count,
            CheckSettings.hopMaximum)
        try expectEqual(hops { $0.path == "/a" ? "/b" : "/a" }, ["/a", "/b"])
        try expectEqual(hops { _ in AssociationPath.wellKnownTarget }, [])
        try expectEqual(hops { _ in "ftp://x/" }, [])
    }

    /// What is left is not asked, and counted.
    @Test func stopsWhenTheTimeIsUp() throws {
        let run = try Self.probe { $0.deadline = .milliseconds(50) }
        #expect(run.evidence.probes.isEmpty)
        expectEqual(run.evidence.unasked, 2)
        #expect(run.requests.isEmpty)
        #expect(!run.evidence.eras.isEmpty)
        #expect(run.evidence.eras.allSatisfy { $0.verdict != .associated })
    }

    /// Nobody asks Apple about a host that only this machine knows; a stand-in is asked.
    @Test func asksTheCDNWhereItCanKnow() throws {
        #expect(try Self.probe().evidence[.cdn] == nil)
        let cdn = try FaultServer(tls: nil) { .http("200 OK", [], "\($0.path)") }
        for skips in [false, true] {
            let run = try Self.probe {
                $0.skipsCDN = skips
                $0.phone.cdn = .server(host: "127.0.0.1", port: cdn.port, isTLS: false, base: "")
            }
            let body = run.evidence[.cdn].map { String(decoding: $0.body, as: UTF8.self) }
            expectEqual(body, (skips ? nil : "/a/v1/\(ZooCertificates.host)"))
            let current = run.evidence.eras.filter { $0.era == .ios14 }
            #expect(current.allSatisfy { ($0.verdict == .associated) == skips })
        }
    }
}
