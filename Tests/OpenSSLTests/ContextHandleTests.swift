import TestSupport
import Testing

@testable import OpenSSL

@Suite struct ContextHandleTests {
    /// A whole handshake, each side's end of it.
    private func shake(
        _ server: TLSServerSettings = TLSPairing.settings(),
        _ change: (inout TLSClientSettings) -> Void = { _ in }
    ) throws -> TLSPairing {
        var client = TLSPairing.reporting
        change(&client)
        let pair = try TLSPairing(server: server, client: client)
        _ = pair.handshake()
        return pair
    }

    // MARK: What a server agrees to

    /// AES-128 costs least; who names ChaCha20 first has no AES unit.
    @Test(arguments: [
        ("TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256"),
        ("TLS_AES_256_GCM_SHA384", "TLS_AES_256_GCM_SHA384"),
        (
            "TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"
        ),
        (
            "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256"
        ),
    ])
    func `The server's order of suites counts`(offered: String, chosen: String) throws {
        try expectEqual(shake { $0.offer.cipherSuites = offered }.server.cipherName, chosen)
    }

    @Test(arguments: [
        (
            "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"
        ),
        ("ECDHE-RSA-AES256-GCM-SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"),
        // Without forward secrecy, or with a padding that was attacked: nothing in common.
        ("AES128-GCM-SHA256", nil), ("ECDHE-ECDSA-AES128-SHA256", nil),
        ("DHE-RSA-AES128-GCM-SHA256", nil),
    ])
    func `Older suites are few, in the server's order`(offered: String, chosen: String?) throws {
        let pair = try shake {
            $0.offer.maximumVersion = .tls12
            $0.offer.cipherList = offered
        }
        expectEqual(pair.server.isHandshakeDone, (chosen != nil))
        if let chosen { expectEqual(pair.server.cipherName, chosen) }
    }

    @Test(arguments: [
        ("X25519", "x25519"), ("P-256", "secp256r1"),
        // What costs the server several times as much, or is unknown to phones.
        ("P-384", nil), ("P-521", nil), ("X448", nil),
        ("P-384:P-256", "secp256r1"),
    ])
    func `Keys are agreed on over two groups`(offered: String, name: String?) throws {
        let pair = try shake { $0.offer.groups = offered }
        expectEqual(pair.server.isHandshakeDone, (name != nil))
        if let name { expectEqual(pair.client.groupName, name) }
    }

    @Test func `Versions are those of the settings`() throws {
        for version in [TLSVersion.tls12, .tls13] {
            var server = TLSPairing.settings()
            server.minimumVersion = version
            server.maximumVersion = version
            try expectEqual(shake(server).server.negotiated.version, version)
            let other = version == .tls12 ? TLSVersion.tls13 : .tls12
            let refused = try shake(server) {
                $0.offer.minimumVersion = other
                $0.offer.maximumVersion = other
            }
            #expect(!refused.server.isHandshakeDone)
        }
    }

    /// Who trusts the root has it.
    @Test func `A root in the file is not sent`() throws {
        let pair = TestCertificates.ecdsa
        let root = TestCertificates.authority.pair.leaf
        let whole = CertificatePair(
            chain: pair.chain + [root], key: pair.key, chainName: "c", keyName: "k")
        let server = TLSPairing.settings([TLSHost(names: ["example.com"], pairs: [whole])])
        let sent = try shake(server).client.peerChain.map(\.der)
        expectEqual(sent, pair.chain.map(\.der))
    }

    // MARK: iOS 8

    /// What iOS 8.4 sent (Safari, as recorded by SSL Labs), asking for `dev.ssllabs.com`.
    private static let helloOfIOS8: [UInt8] = {
        let suites: [UInt8] = [
            0x00, 0xFF, 0xC0, 0x24, 0xC0, 0x23, 0xC0, 0x0A, 0xC0, 0x09, 0xC0, 0x08, 0xC0, 0x28,
            0xC0, 0x27, 0xC0, 0x14, 0xC0, 0x13, 0xC0, 0x12, 0x00, 0x6B, 0x00, 0x67, 0x00, 0x39,
            0x00, 0x33, 0x00, 0x3D, 0x00, 0x3C, 0x00, 0x35, 0x00, 0x2F, 0xC0, 0x07, 0xC0, 0x11,
        ]
        let name = Array("dev.ssllabs.com".utf8)
        let extensions: [(UInt16, [UInt8])] = [
            (0, vector(2, [0] + vector(2, name))), (10, vector(2, [0, 23, 0, 24, 0, 25])),
            (11, [1, 0]), (13, vector(2, [5, 1, 4, 1, 2, 1, 4, 3, 2, 3])), (0x3374, []),
        ]
        let body =
            [3, 3] + [UInt8](repeating: 7, count: 32) + vector(1, []) + vector(2, suites)
            + vector(1, [0]) + vector(2, extensions.flatMap { number($0.0) + vector(2, $0.1) })
        return [22, 3, 1] + vector(2, [1] + vector(3, body))
    }()

    private func answerToIOS8(_ hosts: [TLSHost], defaultHost: Int = 0) throws -> [UInt8] {
        var settings = TLSPairing.settings(hosts)
        settings.defaultHost = defaultHost
        let pair = try TLSPairing(server: settings, client: TLSPairing.reporting)
        pair.toServer = Self.helloOfIOS8
        _ = pair.onServer { pair.server.handshake($0) }
        return pair.toClient
    }

    /// Both with the same pairs: a context must not be shared.
    @Test func `iOS 8 reaches the hosts that serve it, and only these`() throws {
        let pairs = [TestCertificates.ecdsa, TestCertificates.rsa]
        let asked = "dev.ssllabs.com"
        let refusal: [UInt8] = [21, 3, 3, 0, 2, 2, 40]
        for isServed in [true, false] {
            let this = TLSHost(names: [asked], pairs: pairs, servesIOS8: isServed)
            let other = TLSHost(names: ["b.example"], pairs: pairs, servesIOS8: !isServed)
            let unknown = TLSHost(names: ["c.example"], pairs: pairs, servesIOS8: isServed)
            for (hosts, defaultHost) in [
                ([this, other], 0), ([this, other], 1), ([other, this], 0), ([other, this], 1),
                ([other, unknown], 1),
            ] {
                let answer = try answerToIOS8(hosts, defaultHost: defaultHost)
                if isServed {
                    // ECDHE_ECDSA_WITH_AES_128_CBC_SHA256
                    expectEqual(RawServerHello(answer)?.suite, 0xC023)
                } else {
                    expectEqual(answer, refusal)
                }
            }
        }
        let rsa = TLSHost(names: [asked], pairs: [TestCertificates.rsa], servesIOS8: true)
        expectEqual(RawServerHello(try answerToIOS8([rsa]))?.suite, 0xC027)
    }

    @Test(arguments: [
        ("ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES256-GCM-SHA384", "AES_256_GCM_SHA384"),
        ("ECDHE-RSA-AES128-SHA256:ECDHE-RSA-CHACHA20-POLY1305", "CHACHA20_POLY1305_SHA256"),
        ("ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES128-SHA256", "RSA_WITH_AES_128_CBC_SHA256"),
        ("ECDHE-ECDSA-AES256-SHA384:ECDHE-ECDSA-AES128-SHA", nil),
    ])
    func `Whoever has a better suite never gets that of iOS 8`(
        offered: String, chosen: String?
    ) throws {
        var host = TLSPairing.settings().hosts[0]
        host.servesIOS8 = true
        let pair = try shake(TLSPairing.settings([host])) {
            $0.offer.maximumVersion = .tls12
            $0.offer.cipherList = offered
        }
        expectEqual(pair.server.isHandshakeDone, (chosen != nil))
        if let chosen { #expect(pair.server.cipherName.hasSuffix(chosen)) }
    }

    // MARK: What tells contexts apart

    @Test func `Contexts are the same where certificates and settings are`() throws {
        let settings = TLSPairing.settings()
        let host = settings.hosts[0]
        func identity(_ change: (inout TLSHost) -> Void) -> String {
            var other = host
            change(&other)
            return ContextHandle.identity(other, settings)
        }
        let same = identity { _ in }
        expectEqual(identity { $0.pairs.reverse() }, same)
        expectEqual(identity { $0.names = [] }, same)
        #expect(identity { $0.pairs = [TestCertificates.ecdsa] } != same)
        #expect(identity { $0.servesIOS8 = true } != same)
        var alone = settings
        alone.hosts = []
        expectEqual(ContextHandle.identity(host, alone), same, "other hosts change nothing")
        let changes: [(inout TLSServerSettings) throws -> Void] = [
            { $0.protocols = [.http11] }, { $0.minimumVersion = .tls13 },
            { $0.maximumVersion = .tls12 }, { $0.tickets = try SessionTickets(now: 0) },
            { $0.prefersPostQuantum = true },
        ]
        for change in changes {
            var other = settings
            try change(&other)
            #expect(ContextHandle.identity(host, other) != same)
        }
    }

    // MARK: Pairs that cannot be served

    private static let weak = TestCertificates.leaf(["weak.test"], key: .rsa(bits: 1024))

    @Test func `A weak key is refused, with its files and a remedy`() throws {
        let settings = TLSServerSettings(hosts: [TLSHost(names: [], pairs: [Self.weak])])
        let error = #expect(throws: OpenSSLError.self) {
            try TLSContext(role: .server(settings), library: TLSLibrary())
        }
        expectEqual(error?.cause.hasPrefix("using weak.test with weak.test: "), true)
        expectEqual(error?.remedy?.contains("2048"), true)
    }

    @Test func `A pair is tried before a server takes it, one after the other`() throws {
        let trial = CertificateChecker()
        let good = [TestCertificates.ecdsa, TestCertificates.rsa, TestCertificates.other]
        for pair in good + [Self.weak] + good {
            expectEqual((trial.refusal(of: pair) == nil), (pair !== Self.weak))
        }
        let mixed = CertificatePair(
            chain: TestCertificates.ecdsa.chain, key: TestCertificates.rsa.key, chainName: "c.pem",
            keyName: "k.pem")
        expectEqual(trial.refusal(of: mixed)?.cause.hasPrefix("using c.pem with k.pem: "), true)
        // The weak one above a good leaf.
        var plan = CertificateTemplate(
            commonName: "weak ca", notBefore: 0, notAfter: TestCertificates.now * 2)
        plan.isAuthority = true
        plan.key = .rsa(bits: 1024)
        let issuer = try plan.make(issuer: TestCertificates.authority.pair)
        let above = TestCertificates.leaf(["a.test"], issuer: issuer)
        #expect(trial.refusal(of: above) != nil)
    }

    // MARK: How a client judges

    @Test func `Verification is demanded, reported, or left out`() throws {
        let demanded = try shake { $0.verification = .required }
        #expect(!demanded.client.isHandshakeDone)
        expectEqual(demanded.client.failure?.cause, .certificate)
        let reported = try shake { $0.verification = .reported }
        #expect(reported.client.isHandshakeDone && !reported.client.verification.isGood)
        #expect(reported.client.verification.code != nil)
        let skipped = try shake { $0.verification = .skipped }
        #expect(skipped.client.isHandshakeDone && skipped.client.verification == .notChecked)
    }

    @Test func `Trust in a file and in certificates is the same`() throws {
        let folder = try TemporaryFolder("trust")
        let root = TestCertificates.authority.pair.leaf
        let path = try folder.write("root.pem", root.pem)
        let trusts: [(TLSClientSettings.Trust, Bool)] = [
            (.file(path), true), (.systemAndFile(path), true), (.certificates([root]), true),
            (.system, false), (.certificates([TestCertificates.other.leaf]), false), (.none, false),
        ]
        for (trust, isGood) in trusts {
            let pair = try shake {
                $0.trust = trust
                $0.verification = .required
            }
            expectEqual(pair.client.isHandshakeDone, isGood, "\(trust)")
        }
    }

    /// In TLS 1.3 a server sends its ticket unasked.
    @Test func `A client that does not resume asks for no ticket`() throws {
        var server = TLSPairing.settings()
        server.tickets = try SessionTickets(now: 0)
        for resumes in [true, false] {
            let pair = try shake(server) {
                $0.resumes = resumes
                $0.offer.maximumVersion = .tls12
            }
            expectEqual((pair.client.resumption() != nil), resumes)
        }
    }

    @Test func `A validator offers its protocol alone`() throws {
        let pair = try shake { $0.actsAsValidator = true }
        // Without challenges the server has nothing in common with it.
        expectEqual(pair.server.failure?.cause, .handshake)
        let none = try shake { $0.offer.protocols = [] }
        #expect(none.server.isHandshakeDone)
        #expect(none.server.negotiated.applicationProtocol == nil)
    }
}
