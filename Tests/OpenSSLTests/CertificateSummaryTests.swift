import TestSupport
import Testing

@testable import OpenSSL

@Suite struct CertificateSummaryTests {
    /// A certificate of OpenSSL's own making, with what ours never have.
    private func made(_ arguments: [String]) throws -> Certificate {
        let result = try Tool.run(
            "openssl",
            ["req", "-x509", "-nodes", "-keyout", "/dev/null", "-days", "2"] + arguments)
        expectEqual(result.status, 0, "\(result)")
        return try #require(Certificate.load(pem: result.outputBytes, name: "made").first)
    }

    /// One whose encoding a test has changed.
    private func parsed(_ der: [UInt8]) throws -> Certificate {
        var rest = Base64.encode(der)[...]
        var pem = "-----BEGIN CERTIFICATE-----\n"
        while !rest.isEmpty {
            pem += rest.prefix(64) + "\n"
            rest = rest.dropFirst(64)
        }
        pem += "-----END CERTIFICATE-----\n"
        return try #require(Certificate.load(pem: Array(pem.utf8), name: "changed").first)
    }

    private func key(_ curve: String) -> [String] {
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:\(curve)"]
    }

    @Test func `Names of hosts and addresses are listed, and others left out`() throws {
        let leaf = try made(
            key("P-256") + [
                "-subj", "/CN=x", "-addext",
                "subjectAltName=email:a@b.test,DNS:c.test,URI:https://d.test,IP:192.0.2.255,"
                    + "IP:2001:db8::a,DNS:*.c.test,RID:1.2.3",
            ])
        expectEqual(
            leaf.summary.names, ["c.test", "192.0.2.255", "2001:db8:0:0:0:0:0:a", "*.c.test"])
    }

    @Test func `The subject is written from the country down`() throws {
        let leaf = try made(
            key("P-384") + ["-subj", "/C=DE/O=Exämple/CN=c.test", "-utf8"])
        expectEqual(leaf.summary.subject, "C=DE, O=Exämple, CN=c.test")
        expectEqual(leaf.summary.issuer, leaf.summary.subject)
        expectEqual(leaf.summary.keyType.description, "ECDSA P-384")
        #expect(leaf.summary.names.isEmpty)
    }

    @Test func `Kinds of keys are told apart`() throws {
        expectEqual(TestCertificates.ecdsa.leaf.summary.keyType, .ecdsa(curve: "prime256v1"))
        expectEqual(TestCertificates.rsa.leaf.summary.keyType, .rsa(bits: 2048))
        let edwards = try made(["-newkey", "ED25519", "-subj", "/CN=x"])
        expectEqual(edwards.summary.keyType, .other("ED25519"))
        let pss = try made(["-newkey", "rsa-pss", "-subj", "/CN=x"])
        expectEqual(pss.summary.keyType, .other("RSA-PSS"))
        expectEqual(KeyType(nil), .other("unknown"))
        let words: [(KeyType, String)] = [
            (.rsa(bits: 3072), "RSA-3072"), (.ecdsa(curve: "prime256v1"), "ECDSA P-256"),
            (.ecdsa(curve: "secp384r1"), "ECDSA P-384"),
            (.ecdsa(curve: "secp521r1"), "ECDSA P-521"),
            (.ecdsa(curve: "secp256k1"), "ECDSA secp256k1"), (.other("ED25519"), "ED25519"),
        ]
        for (type, word) in words { expectEqual("\(type)", word) }
    }

    /// A certificate is a stranger's, and goes to terminals and logs.
    @Test func `Control characters are shown and not sent`() throws {
        let plan = CertificateTemplate(
            commonName: "a\u{1B}[31m\nb", names: ["bell.test"], notBefore: 0, notAfter: 1)
        let leaf = try plan.make(issuer: nil).leaf
        #expect(!leaf.summary.subject.unicodeScalars.contains { $0.value < 0x20 })
        #expect(leaf.summary.subject.hasPrefix("CN=a") && leaf.summary.subject.hasSuffix("b"))
        var der = leaf.der
        let place = try #require(
            der.indices.first { der[$0...].starts(with: "bell.test".utf8) })
        der.replaceSubrange(place..<(place + 4), with: [7, 0x20, 0x7F, 0xFF])
        try expectEqual(parsed(der).summary.names, ["????.test"])
    }

    @Test(arguments: [
        (Int64(-86_401), Int64(0)), (0, 59), (1_800_000_000, 253_402_300_799),
        (2_524_607_999, 2_524_608_000),
    ])
    func `Dates are seconds, before 1970 and behind 2050 as well`(from: Int64, to: Int64) throws {
        let plan = CertificateTemplate(commonName: "x", notBefore: from, notAfter: to)
        let summary = try plan.make(issuer: nil, for: TestCertificates.ecdsa.key).leaf.summary
        #expect(summary.notBefore == from && summary.notAfter == to)
    }

    /// It may never seem good.
    @Test func `A date that cannot be read is never reached, or long past`() throws {
        let plan = CertificateTemplate(commonName: "x", notBefore: 0, notAfter: 59)
        var der = try plan.make(issuer: nil).leaf.der
        let dates = Array("700101000000Z".utf8)
        let place = try #require(der.indices.first { der[$0...].starts(with: dates) })
        der[place + 2] = UInt8(ascii: "x")
        der[place + dates.count + 2 + 2] = UInt8(ascii: "x")
        let summary = try parsed(der).summary
        expectEqual(summary.notBefore, DateText.latest)
        expectEqual(summary.notAfter, DateText.earliest)
    }

    @Test func `The fingerprint is SHA-256 of the encoded certificate`() {
        // FIPS 180-4's example.
        expectEqual(
            hexadecimal(sha256(Array("abc".utf8))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        expectEqual(hexadecimal([0, 0x0F, 0xA0, 0xFF]), "000fa0ff")
        let leaf = TestCertificates.ecdsa.leaf
        expectEqual(leaf.summary.fingerprint, hexadecimal(sha256(leaf.der)))
    }
}
