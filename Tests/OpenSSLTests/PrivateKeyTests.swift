import OpenSSL
import TestSupport
import Testing

@Suite struct PrivateKeyTests {
    private func load(
        _ chain: [Certificate], _ key: PrivateKey
    ) throws(OpenSSLError) -> CertificatePair {
        try CertificatePair.load(
            chainPEM: chain.flatMap(\.pem), keyPEM: key.unencryptedPEM(), chainName: "chain.pem",
            keyName: "key.pem")
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
}
