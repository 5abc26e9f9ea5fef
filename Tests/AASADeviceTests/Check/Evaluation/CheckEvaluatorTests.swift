import AASAClient
import AppSiteAssociation
import Reactor
import TestSupport
import Testing

@testable import AASADevice

@Suite struct CheckEvaluatorTests: EvaluatorSuite {
    @Test func hasNothingToSayOfAGoodHost() {
        expectEqual(Self.codes(Self.base(Self.good)), [])
    }

    @Test func putsErrorsFirstAndSaysNothingTwice() {
        let busy = Self.exchange(503)
        let slow = Self.exchange(200, Self.document, [("Set-Cookie", "a=b")]) {
            $0.timing.firstByte = .seconds(5)
        }
        // A cookie (note), no type and slowness (warnings), a device turned away (error).
        let findings = Self.findings(
            Self.base(slow) + [(.agent(.device), busy), (.agent(.unknown), busy)])
        let severities = findings.map(\.severity)
        expectEqual(severities, severities.sorted { $0 > $1 })
        expectEqual(Set(severities), [.error, .warning, .note])
        let texts = findings.map { $0.code + $0.message }
        expectEqual(Set(texts).count, texts.count)
        // The same at a second address is the same finding.
        var second = slow
        second.address = .v4(0x1101_0204, port: 443)
        expectEqual(
            Self.codes(Self.base(slow)), Self.codes(Self.base(slow) + Self.base(slow, address: 1))
        )
    }

    // MARK: - Addresses

    @Test func saysThatTheNameHasNoAddress() {
        expectEqual(
            Self.codes([]) { _ in
            } _: {
                $0.addressFailure = .unresolved("unknown")
            },
            ["address-unresolved"])
    }

    private static func unconnected(_ failure: ClientFailure) -> ClientExchange {
        var exchange = failed(failure)
        exchange.timing.connected = nil
        return exchange
    }

    @Test(arguments: [
        (ClientFailure.refused, "address-refused"),
        (.timeout(.connecting), "address-timeout"),
        (.unreachable("no route"), "address-unreachable"),
        (.reset(.connecting), "address-unreachable"), (.local("no socket"), "address-unreachable"),
    ])
    func saysWhyNobodyCanConnect(failure: ClientFailure, code: String) {
        expectEqual(
            Self.codes([(.base(.wellKnown, address: 0), Self.unconnected(failure))]), [code])
    }

    private static let six = SocketAddress.v6(high: 0x2A00 << 48, low: 1, port: 443)

    /// A dead address beside a living one of the same family, or of the other one alone.
    @Test func tellsWhichFamilyIsBroken() {
        for (dead, living, code) in [
            (Self.six, Self.address, "address-ipv6-broken"),
            (Self.address, Self.six, "address-ipv4-broken"),
            (.v4(0x1101_0204, port: 443), Self.address, "address-some-broken"),
            (.v6(high: 0x2A00 << 48, low: 2, port: 443), Self.six, "address-some-broken"),
        ] as [(SocketAddress, SocketAddress, String)] {
            var (gone, good) = (Self.unconnected(.refused), Self.good)
            gone.address = dead
            good.address = living
            expectEqual(
                Self.codes(
                    Self.base(good, address: 1) + [(.base(.wellKnown, address: 0), gone)]),
                [code])
        }
    }

    /// A machine without IPv6 knows nothing of an AAAA record.
    @Test func blamesNoHostForWhatThisMachineLacks() {
        func probe(_ index: Int, _ address: SocketAddress, _ failure: ClientFailure) -> Probes {
            var exchange = Self.unconnected(failure)
            exchange.address = address
            return [(.base(.wellKnown, address: index), exchange)]
        }
        let unrouted = ClientFailure.noRoute("Network is unreachable")
        let one = Self.findings(Self.base(Self.good) + probe(1, Self.six, unrouted))
        expectEqual(one.map(\.code), ["address-not-checked"])
        expectEqual(one.map(\.severity), [.note])
        expectEqual(one.first?.message.hasPrefix("IPv6 was not checked, at 2a00::1: "), true)
        // The living family is judged as before.
        expectEqual(
            Self.codes(probe(0, Self.address, .refused) + probe(1, Self.six, unrouted)),
            ["address-refused", "address-not-checked"])
        let second = SocketAddress.v4(0x1101_0204, port: 443)
        expectEqual(
            Self.codes(
                Self.base(Self.good) + probe(1, second, .refused) + probe(2, Self.six, unrouted)),
            ["address-some-broken", "address-not-checked"])
        // Nothing known is not good.
        let none = Self.findings(
            probe(0, Self.address, unrouted) + probe(1, Self.six, unrouted))
        expectEqual(none.map(\.code), ["address-no-route", "address-no-route"])
        #expect(none.allSatisfy { $0.severity == .error })
        // Somebody on the way is no lack of this machine.
        expectEqual(
            Self.codes(Self.base(Self.good) + probe(1, Self.six, .unreachable("No route to host"))),
            ["address-ipv6-broken"])
    }

    @Test func saysWhichAddressesWereNotAsked() {
        let findings = Self.findings(Self.base(Self.good)) { _ in
        } _: {
            $0.addresses = [Self.address]
            $0.unaskedAddresses = 2
        }
        expectEqual(findings.map(\.code), ["address-unasked"])
        expectEqual(findings.first?.message, "addresses not checked: 2 of 3")
        expectEqual(findings.first?.severity, .warning)
    }

    @Test func tellsAddressesThatAnswerDifferently() throws {
        let six = try #require(SocketAddress(host: "2a00::1", port: 443))
        func codes(_ other: ClientExchange, at address: SocketAddress) -> [String] {
            var other = other
            other.address = address
            return Self.codes(Self.base(Self.good) + [(.base(.wellKnown, address: 1), other)])
        }
        let second = SocketAddress.v4(0x1101_0204, port: 443)
        expectEqual(codes(Self.good, at: second), [])
        expectEqual(codes(Self.exchange(404), at: second), ["answer-addresses-differ"])
        expectEqual(codes(Self.exchange(404), at: six), ["address-ipv6-broken"])
        // Where the other one is of IPv6 as well, the family is not to blame.
        var main = Self.good
        main.address = Self.six
        var missing = Self.exchange(404)
        missing.address = .v6(high: 0x2A00 << 48, low: 2, port: 443)
        expectEqual(
            Self.codes(Self.base(main) + [(.base(.wellKnown, address: 1), missing)]),
            ["answer-addresses-differ"])
        let other = Self.exchange(200, Self.otherDocument)
        expectEqual(codes(other, at: second), ["answer-addresses-differ"])
        expectEqual(codes(other, at: six), ["answer-addresses-differ"])
        // Other bytes that say the same are the same document.
        expectEqual(codes(Self.exchange(200, Self.document + "\n"), at: second), [])
    }

    @Test func findsPrivateAddressesUnlessTheUserNamedThem() {
        var local = Self.good
        local.address = .v4(0x0A00_0001, port: 443)
        let probes: Probes = Self.base(local)
        expectEqual(Self.codes(probes), [])
        expectEqual(
            Self.codes(probes) { _ in
            } _: {
                $0.isOverridden = false
            }, ["address-private"])
        expectEqual(
            Self.codes(Self.base(Self.good)) { _ in
            } _: {
                $0.isOverridden = false
            }, [])
    }

    /// First and last of each block of IANA's registries, and their neighbours.
    @Test(arguments: [
        ("9.255.255.255", false), ("10.0.0.0", true), ("10.255.255.255", true), ("11.0.0.0", false),
        ("172.15.0.1", false), ("172.16.0.1", true), ("172.31.0.1", true), ("172.32.0.1", false),
        ("192.167.0.1", false), ("192.168.0.1", true), ("192.169.0.1", false),
        ("126.0.0.1", false), ("127.0.0.1", true), ("128.0.0.1", false),
        ("169.253.0.1", false), ("169.254.0.1", true), ("169.255.0.1", false),
        ("100.63.0.1", false), ("100.64.0.1", true), ("100.127.0.1", true), ("100.128.0.1", false),
        ("0.1.2.3", true), ("1.0.0.0", false), ("223.0.0.1", false), ("224.0.0.1", true),
        ("239.0.0.1", true), ("240.0.0.1", true), ("255.255.255.255", true),
        ("192.0.0.1", true), ("192.0.1.1", false), ("192.0.2.1", true), ("192.0.3.1", false),
        ("198.17.0.1", false), ("198.18.0.1", true), ("198.19.0.1", true), ("198.20.0.1", false),
        ("198.51.99.1", false), ("198.51.100.1", true), ("203.0.112.1", false),
        ("203.0.113.1", true), ("1.2.3", false), ("1.2.3.256", false),
        ("::1", true), ("::", true), ("::2", false), ("::ffff:10.0.0.1", true),
        ("::ffff:17.1.2.3", false), ("2001:db8::1", true), ("2001:DB8::1", true),
        ("2001:db9::1", false), ("2a00::1", false), ("fbff::1", false), ("fc00::1", true),
        ("fdff::1", true), ("fe00::1", false), ("fe7f::1", false), ("fe80::1", true),
        ("febf::1", true), ("fec0::1", false), ("ff02::1", true),
    ])
    func knowsAddressesThatNobodyElseReaches(host: String, isPrivate: Bool) {
        expectEqual(PrivateAddress.contains(host), isPrivate)
    }

    // MARK: - The devices

    private static func transcript(_ era: Era, _ verdict: Verdict) -> Transcript {
        Transcript(
            entry: "applinks:example.com", service: "applinks", host: host, app: "any", era: era,
            verdict: verdict)
    }

    /// Without another error, what current devices do is the last word.
    @Test func takesTheWordOfCurrentDevices() {
        let no = Verdict.denied(.nothingListed)
        func codes(_ eras: [Transcript], _ main: ClientExchange = Self.good) -> [String] {
            Self.codes(Self.base(main)) { _ in
            } _: {
                $0.eras = eras
            }
        }
        expectEqual(codes([Self.transcript(.ios14, no)]), ["device-current-fails"])
        expectEqual(codes([Self.transcript(.ios14, .associated)]), [])
        for era in Era.allCases where era.rules.asksDirectly {
            expectEqual(codes([Self.transcript(era, no)]), [], "\(era)")
        }
        let missing = codes([Self.transcript(.ios14, no)], Self.exchange(200))
        #expect(missing.contains("answer-empty"))
        #expect(!missing.contains("device-current-fails"))
        // A warning is no explanation.
        let warned = codes(
            [Self.transcript(.ios14, no)], Self.exchange(200, Self.document, []))
        expectEqual(warned, ["device-current-fails", "answer-no-content-type"])
    }

    @Test func saysWhatWasNotAsked() {
        let findings = Self.findings(Self.base(Self.good)) {
            $0.deadline = .milliseconds(2500)
        } _: {
            $0.unasked = 1
        }
        expectEqual(findings.map(\.code), ["check-incomplete"])
        expectEqual(
            findings.first?.message, "requests skipped or cut short after 2.5 s: 1")
    }

    @Test func takesTheFirstDocumentThatAnybodyGot() {
        var evidence = CheckEvidence(host: Self.host, port: 443, now: 0)
        #expect(evidence.documentExchange == nil)
        evidence.add(.base(.wellKnown, address: 0), Self.exchange(200))
        #expect(evidence.documentExchange == nil)
        evidence.add(.agent(.device), Self.exchange(200, "device"))
        expectEqual(evidence.documentExchange?.body, Array("device".utf8))
        evidence.add(.base(.root, address: 0), Self.exchange(200, "root"))
        expectEqual(evidence.documentExchange?.body, Array("root".utf8))
    }
}
