import OpenSSL
import TestSupport
import Testing

@Suite struct TLSPeerTests {
    @Test func `Required verification refuses an unknown authority and reports why`() throws {
        var client = TLSClientSettings()
        client.trust = .none
        let pair = try TLSPairing(server: TLSPairing.settings(), client: client)
        let result = pair.handshake()
        expectEqual(result.client.failure?.cause, .certificate)
        #expect(!pair.client.verification.isGood)
        #expect(pair.client.verification.remedy != nil)
        expectEqual(result.server.failure?.cause, .alertReceived(48))
    }

    @Test func `Skipped verification says that nothing was checked`() throws {
        var client = TLSClientSettings()
        client.verification = .skipped
        let pair = try TLSPairing.established(TLSPairing.settings(), client)
        expectEqual(pair.client.verification, .notChecked)
        #expect(!pair.client.verification.isGood)
    }

    /// 62 is X509_V_ERR_HOSTNAME_MISMATCH.
    @Test(arguments: [([String](), 62), (["example.com"], 0)])
    func `A common name alone names no host`(names: [String], code: Int) throws {
        let plan = CertificateTemplate(
            commonName: "example.com", names: names, notBefore: TestCertificates.now - 3600,
            notAfter: TestCertificates.now + TestCertificates.life)
        let authority = TestCertificates.authority.pair
        let host = TLSHost(
            names: ["example.com"], pairs: [TestCertificates.make(plan, issuer: authority)])
        var client = TLSPairing.reporting
        client.trust = .certificates([authority.leaf])
        let pair = try TLSPairing.established(TLSPairing.settings([host]), client)
        expectEqual(pair.client.verification.code, code)
    }
}
