// Covers: DateText.swift, MemoryBIO.swift

import OpenSSL
import TestSupport
import Testing

@Suite struct CertificateTests {
    private let now = TestCertificates.now

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
        expectEqual(summary.subject, "CN=example.com")
        expectEqual(summary.issuer, "CN=test intermediate")
        expectEqual(
            summary.names, ["example.com", "*.example.com", "192.0.2.1", "2001:db8:0:0:0:0:0:1"])
        expectEqual(summary.keyType, .ecdsa(curve: "prime256v1"))
        expectEqual(summary.notBefore, now - 3600)
        expectEqual(summary.notAfter, now + 90 * 86_400)
        let file = try TemporaryFolder("cert")
        let path = try file.write("leaf.pem", pair.leaf.pem)
        let shown = try Tool.run(
            "openssl", ["x509", "-noout", "-fingerprint", "-sha256", "-in", path])
        let plain = shown.stdout.lowercased().filter { $0.isHexDigit || $0 == "=" }
        expectEqual(plain.split(separator: "=").last.map(String.init), summary.fingerprint)
        expectEqual(pair.identity, original.identity)
        #expect(pair.identity != TestCertificates.other.identity)
    }

    @Test func `Unreadable files say why`() throws {
        let pem = TestCertificates.ecdsa.leaf.pem
        func cause(_ bytes: [UInt8]) -> String? {
            do {
                _ = try Certificate.load(pem: bytes, name: "c.pem")
                return nil
            } catch { return error.description }
        }
        expectEqual(cause(Array("hello".utf8))?.contains("no certificate"), true)
        expectEqual(cause([])?.contains("no certificate"), true)
        expectEqual(cause(TestCertificates.ecdsa.leaf.der)?.contains("DER"), true)
        expectEqual(cause(Array(pem.dropLast(200)))?.contains("certificate 1"), true)
        var damaged = pem
        damaged[60] = UInt8(ascii: "!")
        expectEqual(cause(pem + damaged)?.contains("certificate 2"), true)
        #expect(cause(Array("Bag Attributes\n  x\n".utf8) + pem + Array("\n\n".utf8)) == nil)
    }

    @Test func `Dates for people`() {
        expectEqual(DateText.moment(0), "1970-01-01T00:00:00Z")
        expectEqual(DateText.moment(951_782_399), "2000-02-28T23:59:59Z")
        expectEqual(DateText.day(951_782_400), "2000-02-29")
        expectEqual(DateText.day(-1), "1969-12-31")
        expectEqual(DateText.moment(1_795_280_700), "2026-11-21T17:05:00Z")
        expectEqual(DateText.day(.max), "9999-12-31")
        expectEqual(DateText.day(4_107_542_400), "2100-03-01")
    }
}
