import AASAClient
import AppSiteAssociation
import OpenSSL
import TestSupport
import Testing

@testable import AASADevice

@Suite struct CheckJudgeTLSTests: EvaluatorSuite {
    // MARK: - The handshake

    @Test(arguments: [
        (TLSFailure.Cause.notTLS, "tls-not-tls"), (.alertReceived(116), "tls-client-certificate"),
        (.alertReceived(41), "tls-client-certificate"), (.alertReceived(70), "tls-old-version"),
        (.alertReceived(112), "tls-handshake"), (.alertReceived(40), "tls-handshake"),
        (.handshake, "tls-handshake"), (.record, "tls-handshake"),
    ])
    func namesWhyTheHandshakeFailed(cause: TLSFailure.Cause, code: String) {
        let findings = Self.findings([(.base(.wellKnown, address: 0), Self.failed(Self.tls(cause)))]
        )
        expectEqual(findings.map(\.code), [code])
        // unrecognized_name: the remedy says for which name.
        expectEqual(
            findings.first?.remedy?.contains("virtual host for example.com"),
            (cause == .alertReceived(112)))
    }

    @Test(arguments: [
        (ClientFailure.timeout(.handshake), "tls-timeout"), (.reset(.handshake), "tls-cut"),
        (.closed(.handshake, missing: nil), "tls-cut"),
    ])
    func namesHowItEnded(failure: ClientFailure, code: String) {
        expectEqual(Self.codes(of: Self.failed(failure)), [code])
    }

    @Test func saysThatOnlyOldVersionsAreSpoken() {
        let main = Self.failed(Self.tls(.alertReceived(40)))
        var legacy = Self.good
        legacy.tls = Self.facts(version: .tls11)
        func codes(_ legacy: ClientExchange) -> [String] {
            Self.codes([(.base(.wellKnown, address: 0), main), (.legacyTLS, legacy)])
        }
        expectEqual(codes(legacy), ["tls-old-version"])
        legacy.failure = .reset(.handshake)
        expectEqual(codes(legacy), ["tls-handshake"])
    }

    // MARK: - The certificate

    private static func pair(
        _ change: (inout CertificateTemplate) -> Void = { _ in }, issuer: CertificatePair? = nil
    ) throws -> CertificatePair {
        var plan = CertificateTemplate(
            commonName: host, names: [host], notBefore: now - 60 * 86_400,
            notAfter: now + 300 * 86_400)
        change(&plan)
        return try plan.make(issuer: issuer)
    }

    private static func found(_ facts: TLSFacts) -> [Diagnostic] {
        var main = good
        main.tls = facts
        return findings([(.base(.wellKnown, address: 0), main)])
    }

    /// Systems before iOS 13 knew no such rule, and later ones ask Apple's CDN.
    @Test(arguments: Era.allCases)
    func `Devices that ask the host itself refuse it`(era: Era) throws {
        let leaf = try Self.pair { $0.purpose = nil }.leaf
        var exchange = Self.good
        exchange.tls = Self.facts([leaf])
        let phone = Device.Settings(
            app: nil, era: era,
            signatures: { _, _, _ in SignedDocument(payload: [], problem: "not signed") })
        let evaluator = AnswerEvaluator(phone, service: "applinks", host: Self.host)
        var isRefused = false
        if case .failed(.other(let reason)) = evaluator.answer(exchange) {
            isRefused = true
            #expect(reason.contains("extendedKeyUsage"))
        }
        expectEqual(isRefused, [Era.ios13, .developer, .managed].contains(era))
    }

    /// Whether more than App Transport Security requires ECDHE is not known: a warning.
    @Test(arguments: [
        (TLSVersion.tls12, "TLS_RSA_WITH_AES_128_CBC_SHA", true),
        (.tls12, "TLS_DHE_RSA_WITH_AES_128_CBC_SHA", true),
        (.tls12, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", false),
        (.tls13, "TLS_AES_128_GCM_SHA256", false),
    ])
    func `Without forward secrecy it warns`(version: TLSVersion, cipher: String, warns: Bool) throws
    {
        let chain = try Self.pair().chain
        let found = Self.found(Self.facts(chain, version: version, cipher: cipher))
        expectEqual(found.map(\.code), (warns ? ["tls-no-forward-secrecy"] : []))
        #expect(found.allSatisfy { $0.severity == .warning })
    }

    /// The machine behind the second address was forgotten when the certificate was renewed.
    @Test func `Another address with a certificate that devices refuse is an error`() throws {
        let pair = try Self.pair()
        var (main, other) = (Self.good, Self.good)
        main.tls = Self.facts(pair.chain)
        other.tls = Self.facts(pair.chain, code: 10)
        other.address = .v4(0x1101_0204, port: 443)
        let found = Self.findings(
            Self.base(main) + [(.base(.wellKnown, address: 1), other)])
        expectEqual(found.map(\.code), ["tls-expired"])
        expectEqual(found.first?.message.contains("17.1.2.4"), true)
        other.tls = Self.facts(pair.chain)
        #expect(
            Self.codes(Self.base(main) + [(.base(.wellKnown, address: 1), other)]).isEmpty)
    }

    /// The numbers are OpenSSL's X509_V_ERR_….
    @Test(arguments: [
        (10, "tls-expired"), (9, "tls-not-yet-valid"), (62, "tls-name"), (64, "tls-name"),
        (18, "tls-self-signed"), (19, "tls-untrusted"), (2, "tls-untrusted"),
        (20, "tls-untrusted"), (21, "tls-untrusted"), (26, "tls-purpose"), (66, "tls-weak-key"),
        (67, "tls-weak-key"), (68, "tls-weak-key"), (7, "tls-invalid"),
    ])
    func namesWhatIsWrong(number: Int, code: String) throws {
        let leaf = try Self.pair().leaf
        let findings = Self.found(Self.facts([leaf], code: number))
        expectEqual(findings.map(\.code), [code])
        if code == "tls-name" {
            expectEqual(findings.first?.message.contains("names example.com"), true)
        }
    }

    @Test func saysThatTheCommonNameDoesNotCount() throws {
        let leaf = try Self.pair { $0.names = [] }.leaf
        let findings = Self.found(Self.facts([leaf], code: 62))
        expectEqual(findings.map(\.code), ["tls-name"])
        expectEqual(findings.first?.message.contains("no subjectAltName"), true)
        expectEqual(findings.first?.message.contains("CN=example.com"), true)
    }

    @Test func tellsAMissingIntermediateFromAnUnknownAuthority() throws {
        let root = try LocalAuthority.make(now: Self.now).pair
        let named = try Self.pair(
            { $0.issuerLocation = "http://ca.example.com/i.cer" }, issuer: root)
        let bare = try Self.pair(issuer: root)
        let missing = Self.found(Self.facts([named.leaf], code: 20))
        expectEqual(missing.map(\.code), ["tls-chain-incomplete"])
        // With a second certificate the chain was sent.
        let whole = Self.found(Self.facts([named.leaf, root.leaf], code: 20))
        expectEqual(whole.map(\.code), ["tls-untrusted"])
        expectEqual(whole.first?.remedy, CheckCatalog.entry("tls-untrusted")?.remedy)
        // Alone it could be either: the remedy names both ways out.
        let alone = Self.found(Self.facts([bare.leaf], code: 20))
        expectEqual(alone.map(\.code), ["tls-untrusted"])
        expectEqual(alone.first?.remedy?.contains("fullchain.pem"), true)
        expectEqual(alone.first?.message.contains("missing from the chain"), true)
    }

    /// A quarter of a short life, three weeks of a long one.
    @Test(arguments: [
        (365, 21, 0, false), (365, 21, -1, true), (40, 10, 0, false), (40, 10, -1, true),
    ])
    func saysThatItEndsSoon(life: Int64, left: Int64, seconds: Int64, isSoon: Bool) throws {
        let day: Int64 = 86_400
        let leaf = try Self.pair {
            $0.notAfter = Self.now + left * day + seconds
            $0.notBefore = $0.notAfter - life * day
        }.leaf
        let findings = Self.found(Self.facts([leaf]))
        expectEqual(findings.map(\.code), (isSoon ? ["tls-ends-soon"] : []))
        if isSoon {
            expectEqual(findings.first?.message.hasSuffix("(days left: \(left - 1))"), true)
        }
    }

    @Test(arguments: [(1024, true), (2048, false)])
    func measuresTheKey(bits: Int, isWeak: Bool) throws {
        let leaf = try Self.pair { $0.key = .rsa(bits: bits) }.leaf
        expectEqual(Self.found(Self.facts([leaf])).map(\.code), (isWeak ? ["tls-weak-key"] : []))
    }

    @Test func namesEverythingThatDevicesRefuse() throws {
        let leaf = try Self.pair {
            $0.notAfter = $0.notBefore + 826 * 86_400
            $0.purpose = nil
        }.leaf
        let findings = Self.found(Self.facts([leaf]))
        expectEqual(findings.map(\.code), ["tls-purpose", "tls-long-life"])
        expectEqual(findings.first?.message.contains("extendedKeyUsage"), true)
        expectEqual(findings.last?.message.contains("826 days"), true)
        // A chain that does not hold comes first.
        expectEqual(Self.found(Self.facts([leaf], code: 18)).map(\.code), ["tls-self-signed"])
    }

    /// The same authority made both: that is one defect, and no difference.
    @Test func saysOfAllCertificatesOnceWhatDevicesRefuse() throws {
        let pair = try Self.pair { $0.purpose = nil }
        var (main, other) = (Self.good, Self.good)
        main.tls = Self.facts(pair.chain)
        other.tls = Self.facts(pair.chain)
        other.address = .v4(0x1101_0204, port: 443)
        var probes = Self.base(main) + [(.base(.wellKnown, address: 1), other)]
        probes.append((.onlyRSA, other))
        expectEqual(Self.codes(probes), ["tls-purpose"])
        let long = try Self.pair { $0.notAfter = $0.notBefore + 826 * 86_400 }
        probes[probes.count - 1].1.tls = Self.facts(long.chain)
        expectEqual(Self.codes(probes), ["tls-purpose", "tls-second-certificate"])
    }

    // MARK: - Variants

    private static func codes(
        _ purpose: ProbePurpose, _ exchange: ClientExchange, isGood: Bool = true
    ) throws -> [String] {
        var main = good
        main.tls = facts([try pair().leaf], code: isGood ? 0 : 18)
        return codes(base(main) + [(purpose, exchange)])
    }

    @Test(arguments: [
        (ClientFailure?.some(Self.tls(.handshake)), true), (.reset(.handshake), true),
        (.closed(.handshake, missing: nil), true), (.timeout(.handshake), false),
        (.refused, false), (nil, false),
    ])
    func saysWhichVersionsAreRefused(failure: ClientFailure?, isRefused: Bool) throws {
        for (purpose, code) in [
            (ProbePurpose.tls12, "tls-no-1.2"), (.tls13, "tls-no-1.3"),
            (.noServerName, "tls-needs-server-name"),
        ] {
            try expectEqual(
                Self.codes(purpose, Self.failed(failure)), (isRefused ? [code] : []))
        }
        // What got through the handshake was not refused.
        var late = Self.failed(failure)
        late.tls = Self.facts([try Self.pair().leaf])
        try expectEqual(Self.codes(.tls12, late), [])
    }

    /// A box in front that reads one segment may also wait indefinitely.
    @Test(arguments: [
        (ClientFailure?.some(Self.tls(.handshake)), true), (.reset(.handshake), true),
        (.timeout(.handshake), true), (.refused, false), (nil, false),
    ])
    func saysThatLongHellosAreRefused(failure: ClientFailure?, isRefused: Bool) throws {
        let found = try Self.codes(.longHello, Self.failed(failure))
        expectEqual(found, (isRefused ? ["tls-long-hello"] : []))
    }

    @Test func judgesTheSecondCertificate() throws {
        var other = Self.good
        other.tls = Self.facts([try Self.pair().leaf], code: 10)
        for (purpose, kind) in [(ProbePurpose.onlyRSA, "RSA"), (.onlyECDSA, "ECDSA")] {
            try expectEqual(Self.codes(purpose, other), ["tls-second-certificate"], "\(kind)")
        }
        // Where the first is wrong already, it is said once.
        try expectEqual(Self.codes(.onlyRSA, other, isGood: false), ["tls-self-signed"])
        other.tls = Self.facts([try Self.pair().leaf])
        try expectEqual(Self.codes(.onlyRSA, other), [])
    }

    @Test func judgesTheCertificateWithoutAName() throws {
        var other = Self.good
        other.tls = Self.facts([try Self.pair { $0.commonName = "default" }.leaf], code: 62)
        try expectEqual(Self.codes(.noServerName, other), ["tls-needs-server-name"])
        other.tls = Self.facts([try Self.pair().leaf])
        try expectEqual(Self.codes(.noServerName, other), [])
    }
}
