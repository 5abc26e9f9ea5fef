// Covers: CertificatePair.swift, CertificatePlan.swift, CertificateProblem.swift
// Covers: CertificateSummary.swift, DateText.swift, MemoryBIO.swift, PrivateKey.swift

import OpenSSL
import TestSupport
import Testing

@Suite struct CertificateTests {
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
        return problems.map(\.kind).filter { $0 != .tooLong }
    }

    private func load(
        _ chain: [Certificate], _ key: PrivateKey
    ) throws(OpenSSLError) -> CertificatePair {
        try CertificatePair.load(
            chainPEM: chain.flatMap(\.pem), keyPEM: key.unencryptedPEM(), chainName: "chain.pem",
            keyName: "key.pem")
    }

    @Test func `A good pair has no problem and says what it is`() throws {
        let original = TestCertificates.leaf(
            ["example.com", "*.example.com", "192.0.2.1", "2001:db8::1"], to: now + 90 * 86_400)
        let pair = try load(original.chain, original.key)
        #expect(pair.problems(for: ["example.com", "www.example.com"], at: now).isEmpty)
        let summary = pair.leaf.summary
        #expect(summary.subject == "CN=example.com")
        #expect(summary.issuer == "CN=test intermediate")
        #expect(
            summary.names == ["example.com", "*.example.com", "192.0.2.1", "2001:db8:0:0:0:0:0:1"])
        #expect(summary.keyType == .ecdsa(curve: "prime256v1"))
        #expect(summary.notBefore == now - 3600)
        #expect(summary.notAfter == now + 90 * 86_400)
        #expect(summary.serial.utf8.count == 32)
        let file = try TemporaryFolder("cert")
        let path = try file.write("leaf.pem", pair.leaf.pem)
        let shown = try Tool.run(
            "openssl", ["x509", "-noout", "-fingerprint", "-sha256", "-in", path])
        let plain = shown.stdout.lowercased().filter { $0.isHexDigit || $0 == "=" }
        #expect(plain.split(separator: "=").last.map(String.init) == summary.fingerprint)
        #expect(pair.identity == original.identity)
        #expect(pair.identity != TestCertificates.other.identity)
    }

    @Test func `Each fault is a problem of its own`() throws {
        let day: Int64 = 86_400
        let year = TestCertificates.leaf(["example.com"], to: now + 90 * day)
        #expect(kinds(year, at: now + 91 * day) == [.expired])
        #expect(kinds(year, at: now - 3601).contains(.notYetValid))
        #expect(kinds(year, at: now + 70 * day) == [.endsSoon])
        #expect(kinds(year, ["www.example.com", "example.com"]) == [.nameNotCovered])
        #expect(
            kinds(TestCertificates.leaf(["example.com"], key: .rsa(bits: 1024)))
                == [.weakKey])
        #expect(
            kinds(TestCertificates.leaf(["example.com"], purpose: "clientAuth")) == [.wrongPurpose])
        let long = TestCertificates.ecdsa.problems(for: [], at: now)
        #expect(long.map(\.kind) == [.tooLong])
    }

    @Test func `Chains: incomplete, in the wrong order, with strangers`() throws {
        let good = TestCertificates.ecdsa
        let stranger = TestCertificates.other.leaf
        let root = TestCertificates.authority.pair.leaf
        let intermediate = TestCertificates.intermediate.leaf
        #expect(kinds(try load([good.leaf, intermediate, root], good.key)).isEmpty)
        #expect(kinds(try load([good.leaf, root, intermediate], good.key)) == [.wrongOrder])
        #expect(
            kinds(try load([good.leaf, intermediate, stranger], good.key))
                == [.unrelatedCertificate])
        #expect(
            kinds(try load([good.leaf, stranger, intermediate], good.key)).first == .wrongOrder)

        let known = TestCertificates.leaf(
            ["example.com"], issuerLocation: "http://ca.example/intermediate.der")
        #expect(kinds(try load([known.leaf], known.key)) == [.incompleteChain])
        #expect(kinds(try load([good.leaf], good.key)).isEmpty, "a private root may issue leafs")
        #expect(throws: OpenSSLError.self) { try self.load([intermediate, good.leaf], good.key) }
        do {
            _ = try load([intermediate, good.leaf], good.key)
        } catch {
            #expect(error.cause.contains("number 2"))
            #expect(error.remedy?.contains("first") == true)
        }
    }

    @Test func `A key of another certificate is refused with both named`() throws {
        do {
            _ = try load(TestCertificates.ecdsa.chain, TestCertificates.rsa.key)
            Issue.record("accepted")
        } catch {
            #expect(error.cause.contains("key.pem"))
            #expect(error.cause.contains("chain.pem"))
            #expect(error.remedy != nil)
        }
    }

    @Test func `Unreadable files say why`() throws {
        let pem = TestCertificates.ecdsa.leaf.pem
        func cause(_ bytes: [UInt8]) -> String? {
            do {
                _ = try Certificate.load(pem: bytes, name: "c.pem")
                return nil
            } catch { return error.description }
        }
        #expect(cause(Array("hello".utf8))?.contains("no certificate") == true)
        #expect(cause([])?.contains("no certificate") == true)
        #expect(cause(TestCertificates.ecdsa.leaf.der)?.contains("DER") == true)
        #expect(cause(Array(pem.dropLast(200)))?.contains("certificate 1") == true)
        var damaged = pem
        damaged[60] = UInt8(ascii: "!")
        #expect(cause(pem + damaged)?.contains("certificate 2") == true)
        #expect(cause(Array("Bag Attributes\n  x\n".utf8) + pem + Array("\n\n".utf8)) == nil)
    }

    @Test func `Encrypted and damaged keys are refused without asking for anything`() throws {
        let plain = TestCertificates.ecdsa.key.unencryptedPEM()
        let encrypted = try Tool.run(
            "openssl", ["pkcs8", "-topk8", "-passout", "pass:secret"], stdin: plain
        ).outputBytes
        func error(_ bytes: [UInt8]) -> OpenSSLError? {
            do {
                _ = try PrivateKey.load(pem: bytes, name: "k.pem")
                return nil
            } catch { return error }
        }
        #expect(error(encrypted)?.cause.contains("passphrase") == true)
        #expect(error(encrypted)?.remedy?.contains("openssl pkey") == true)
        #expect(error(Array("nothing".utf8)) != nil)
        #expect(error(Array(plain.dropLast(60))) != nil)
        #expect(error(TestCertificates.ecdsa.leaf.pem) != nil)
        #expect(error(plain) == nil)
        let traditional = try Tool.run(
            "openssl", ["pkey", "-traditional"], stdin: plain
        ).outputBytes
        #expect(error(traditional) == nil)
    }

    @Test func `Names with more in them than a name are not put into certificates`() throws {
        for name in ["a,DNS:evil.example", "a\nb", "", "a b", "a=b", "*.*.example", "é.example"] {
            var plan = CertificatePlan(commonName: "x", names: [name], notBefore: 0, notAfter: 1)
            plan.key = .ecdsaP256
            #expect(throws: OpenSSLError.self, "\(name)") { try plan.make(issuer: nil) }
        }
    }

    @Test func `Dates for people`() {
        #expect(DateText.moment(0) == "1970-01-01T00:00:00Z")
        #expect(DateText.moment(951_782_399) == "2000-02-28T23:59:59Z")
        #expect(DateText.day(951_782_400) == "2000-02-29")
        #expect(DateText.day(-1) == "1969-12-31")
        #expect(DateText.moment(1_795_280_700) == "2026-11-21T17:05:00Z")
        #expect(DateText.day(.max) == "9999-12-31")
        #expect(DateText.day(4_107_542_400) == "2100-03-01")
    }
}
