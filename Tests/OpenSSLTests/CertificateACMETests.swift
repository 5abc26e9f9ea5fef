// Covers: Certificate+ACME.swift, PrivateKey+Making.swift

import TestSupport
import Testing

@testable import OpenSSL

@Suite struct CertificateACMETests {
    @Test func `HMAC as RFC 4231 has it`() {
        expectEqual(
            hexadecimal(
                hmacSHA256(key: Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test func `The certificate of a challenge has one name and the digest, critical`() throws {
        let digest = sha256(Array("token.thumbprint".utf8))
        let pair = try CertificatePair.tlsALPNChallenge(
            name: "shop.test", digest: digest, now: 1_800_000_000)
        expectEqual(pair.leaf.summary.names, ["shop.test"])
        #expect(pair.leaf.isSelfSigned)
        expectEqual(pair.leaf.acmeIdentifier, digest)
        #expect(TestCertificates.ecdsa.leaf.acmeIdentifier == nil)
        // OID, critical, OCTET STRING of OCTET STRING (RFC 8737 section 3).
        let encoded =
            [
                0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x1F, 0x01, 0x01, 0xFF, 0x04,
                0x22,
                0x04, 0x20,
            ] + digest
        #expect(pair.leaf.der.indices.contains { pair.leaf.der[$0...].starts(with: encoded) })
    }

    @Test func `Only P-256 signs ES256`() throws {
        try expectEqual(PrivateKey.make(.ecdsaP256).es256([1, 2, 3]).count, 64)
        #expect(throws: OpenSSLError.self) {
            try PrivateKey.make(.rsa(bits: 2048)).es256([1, 2, 3])
        }
    }

    @Test func `A serial number keeps its leading zero`() throws {
        let authority = try LocalAuthority.make(now: 1_800_000_000)
        let leaf = try authority.issue(names: ["a.test"], key: .ecdsaP256, now: 1_800_000_000).leaf
        expectEqual(leaf.serialBytes.count, 16)
        expectEqual(leaf.authorityKeyIdentifier?.count, 20)
        #expect(!leaf.requiresStapling)
    }

    @Test func `A certificate that must be stapled is told from others, and refused`() throws {
        var plan = CertificateTemplate(
            commonName: "a.test", names: ["a.test"], notBefore: 1_799_000_000,
            notAfter: 1_801_000_000)
        let plain = try plan.make(issuer: nil)
        plan.mustStaple = true
        let stapled = try plan.make(issuer: nil)
        #expect(!plain.leaf.requiresStapling)
        #expect(stapled.leaf.requiresStapling)
        let kinds = stapled.problems(for: ["a.test"], at: 1_800_000_000)
            .filter { $0.severity == .error }.map(\.kind)
        expectEqual(kinds, [.mustStaple])
        #expect(plain.problems(for: ["a.test"], at: 1_800_000_000).isEmpty)
    }
}
