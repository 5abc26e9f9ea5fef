import OpenSSL
import TestSupport
import Testing

@Suite struct CertificateProblemTests {
    private let now = TestCertificates.now

    private func kinds(
        _ pair: CertificatePair, _ hosts: [String] = ["example.com"], at: Int64? = nil
    )
        -> [CertificateProblem.Kind]
    {
        let problems = pair.problems(for: hosts, at: at ?? now)
        for problem in problems {
            #expect(!problem.message.isEmpty && !problem.remedy.isEmpty)
        }
        return problems.map(\.kind).filter { $0 != .refusedLife }
    }

    private func load(
        _ chain: [Certificate], _ key: PrivateKey
    ) throws(OpenSSLError) -> CertificatePair {
        try CertificatePair.load(
            chainPEM: chain.flatMap(\.pem), keyPEM: key.unencryptedPEM(), chainName: "chain.pem",
            keyName: "key.pem")
    }

    @Test func `Each fault is a problem of its own`() throws {
        let day: Int64 = 86_400
        let year = TestCertificates.leaf(["example.com"], to: now + 90 * day)
        expectEqual(kinds(year, at: now + 91 * day), [.expired])
        #expect(kinds(year, at: now - 3601).contains(.notYetValid))
        expectEqual(kinds(year, at: now + 70 * day), [.endsSoon])
        expectEqual(kinds(year, ["www.example.com", "example.com"]), [.nameNotCovered])
        expectEqual(
            kinds(TestCertificates.leaf(["example.com"], key: .rsa(bits: 1024))),
            [.weakKey])
        expectEqual(
            kinds(TestCertificates.leaf(["example.com"], purpose: "clientAuth")), [.wrongPurpose])
        let long = TestCertificates.ecdsa.problems(for: [], at: now)
        expectEqual(long.map(\.kind), [.refusedLife])
    }

    /// What `aasa check` reports as an error of the host is an error of the file.
    @Test func `What devices refuse is an error`() throws {
        let day: Int64 = 86_400
        func lives(_ seconds: Int64) -> [CertificateProblem.Kind] {
            TestCertificates.leaf(["example.com"], from: now, to: now + seconds)
                .problems(for: [], at: now).map(\.kind)
        }
        #expect(lives(399 * day) == [] && lives(399 * day + 1) == [.tooLong])
        #expect(lives(825 * day) == [.tooLong] && lives(825 * day + 1) == [.refusedLife])
        for purpose in [nil, "anyExtendedKeyUsage", "clientAuth"] {
            let pair = TestCertificates.leaf(["example.com"], to: now + 90 * day, purpose: purpose)
            expectEqual(kinds(pair), [.wrongPurpose])
        }
        expectEqual(CertificateProblem.Kind.refusedLife.severity, .error)
        expectEqual(CertificateProblem.Kind.tooLong.severity, .warning)
    }

    @Test func `A pair shows what another lacks that would replace it`() throws {
        func kinds(
            _ pair: CertificatePair, replacing old: CertificatePair
        ) -> [CertificateProblem.Kind] {
            pair.problems(for: [], at: now, replacing: old).map(\.kind).filter {
                $0 != .refusedLife
            }
        }
        let good = TestCertificates.ecdsa
        let root = TestCertificates.authority.pair
        let full = try load([good.leaf, TestCertificates.intermediate.leaf], good.key)
        let bare = try load([good.leaf], good.key)
        expectEqual(kinds(bare, replacing: full), [.incompleteChain])
        #expect(kinds(bare, replacing: bare).isEmpty && kinds(full, replacing: bare).isEmpty)
        // Clients have the root.
        let direct = TestCertificates.leaf(["example.com"], issuer: root)
        let withRoot = try load([direct.leaf, root.leaf], direct.key)
        #expect(kinds(try load([direct.leaf], direct.key), replacing: withRoot).isEmpty)
        let own = try CertificateTemplate(
            commonName: "example.com", names: ["example.com"], notBefore: now - 10,
            notAfter: now + 1_000_000
        ).make(issuer: nil)
        expectEqual(kinds(own, replacing: full), [.incompleteChain])
        #expect(kinds(own, replacing: own).isEmpty)
    }

    @Test func `Chains: incomplete, in the wrong order, with strangers`() throws {
        let good = TestCertificates.ecdsa
        let stranger = TestCertificates.other.leaf
        let root = TestCertificates.authority.pair.leaf
        let intermediate = TestCertificates.intermediate.leaf
        #expect(kinds(try load([good.leaf, intermediate, root], good.key)).isEmpty)
        expectEqual(kinds(try load([good.leaf, root, intermediate], good.key)), [.wrongOrder])
        expectEqual(
            kinds(try load([good.leaf, intermediate, stranger], good.key)),
            [.unrelatedCertificate])
        expectEqual(
            kinds(try load([good.leaf, stranger, intermediate], good.key)).first, .wrongOrder)

        let twice = try load([good.leaf, good.leaf, intermediate, intermediate], good.key)
        expectEqual(kinds(twice), [.unrelatedCertificate, .unrelatedCertificate])
        #expect(kinds(twice).allSatisfy { $0.severity == .warning })

        let known = TestCertificates.leaf(
            ["example.com"], issuerLocation: "http://ca.example/intermediate.der")
        expectEqual(kinds(try load([known.leaf], known.key)), [.incompleteChain])
        // An authority has changed its intermediate, and the old chain was kept.
        let old = try load([known.leaf, stranger], known.key)
        expectEqual(kinds(old), [.incompleteChain, .unrelatedCertificate])
        #expect(old.problems(for: [], at: now).contains { $0.message.contains("lacks") })
        expectEqual(kinds(try load([known.leaf, root], known.key)).first, .incompleteChain)
        #expect(kinds(try load([good.leaf], good.key)).isEmpty, "a private root may issue leafs")
        #expect(throws: OpenSSLError.self) { try self.load([intermediate, good.leaf], good.key) }
        do {
            _ = try load([intermediate, good.leaf], good.key)
        } catch {
            #expect(error.cause.contains("number 2"))
            expectEqual(error.remedy?.contains("first"), true)
        }
    }

    /// As with Let's Encrypt's long chain after September 2024.
    @Test func `A root's certificate of an older root may have ended`() throws {
        let good = TestCertificates.ecdsa
        var plan = CertificateTemplate(
            commonName: "old root", notBefore: now - 20, notAfter: now - 10)
        plan.isAuthority = true
        let old = TestCertificates.make(plan)
        plan.commonName = "test root"
        let crossed = try plan.make(issuer: old, for: TestCertificates.authority.pair.key).leaf
        let long = try load([good.leaf, TestCertificates.intermediate.leaf, crossed], good.key)
        let problems = long.problems(for: ["example.com"], at: now).filter {
            $0.kind != .refusedLife
        }
        expectEqual(problems.map(\.kind), [.expiredCrossSign])
        expectEqual(problems.map(\.severity), [.warning])
        // The root that clients would have to have.
        let root = try plan.make(issuer: nil, for: TestCertificates.authority.pair.key).leaf
        let ended = try load([good.leaf, TestCertificates.intermediate.leaf, root], good.key)
        #expect(ended.problems(for: ["example.com"], at: now).contains { $0.kind == .expired })
    }
}
