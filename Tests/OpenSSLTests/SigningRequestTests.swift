import TestSupport
import Testing

@testable import OpenSSL

@Suite struct SigningRequestTests {
    /// What OpenSSL reads in it, its signature checked.
    private func text(_ names: [String], _ key: PrivateKey) throws -> String {
        let request = try SigningRequest.make(names: names, key: key)
        let result = try Tool.run(
            "openssl", ["req", "-inform", "DER", "-verify", "-noout", "-text"], stdin: request)
        expectEqual(result.status, 0, "\(result)")
        #expect((result.stdout + result.stderr).contains("verify OK"))
        return result.stdout
    }

    @Test func `A signing request holds the names, and nothing else`() throws {
        let text = try text(
            ["a.test", "*.a.test", "192.0.2.1", "2001:db8::1"], TestCertificates.ecdsa.key)
        #expect(
            text.contains(
                "DNS:a.test, DNS:*.a.test, IP Address:192.0.2.1, "
                    + "IP Address:2001:DB8:0:0:0:0:0:1"))
        #expect(text.contains("Version: 1 (0x0)"))
        #expect(text.contains("Subject: \n") || text.contains("Subject:\n"))
        #expect(text.contains("prime256v1") && text.contains("ecdsa-with-SHA256"))
    }

    @Test func `A key of RSA signs as well`() throws {
        let text = try text(["a.test"], TestCertificates.rsa.key)
        #expect(text.contains("2048 bit") && text.contains("sha256WithRSAEncryption"))
    }

    @Test(arguments: [[], ["a.test,DNS:b.test"], ["a.test", ""], ["a b"]])
    func `No names, and names that are none, are refused`(names: [String]) {
        let error = #expect(throws: OpenSSLError.self) {
            try SigningRequest.make(names: names, key: TestCertificates.ecdsa.key)
        }
        expectEqual(error?.remedy?.contains("hyphens"), true)
    }
}
