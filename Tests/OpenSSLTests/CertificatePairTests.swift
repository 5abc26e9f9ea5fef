import TestSupport
import Testing

@testable import OpenSSL

@Suite struct CertificatePairTests {
    private func load(
        _ chain: [Certificate], _ key: PrivateKey
    ) throws(OpenSSLError) -> CertificatePair {
        try CertificatePair.load(
            chainPEM: chain.flatMap(\.pem), keyPEM: key.unencryptedPEM(), chainName: "chain.pem",
            keyName: "key.pem")
    }

    private func refusal(_ chain: [Certificate], _ key: PrivateKey) -> OpenSSLError? {
        do throws(OpenSSLError) {
            _ = try load(chain, key)
            return nil
        } catch { return error }
    }

    @Test func `A pair is what its files hold`() throws {
        let original = TestCertificates.ecdsa
        let pair = try load(original.chain, original.key)
        expectEqual(pair.chain.map(\.der), original.chain.map(\.der))
        #expect(pair.leaf === pair.chain[0])
        #expect(pair.key.matches(pair.leaf))
        #expect(pair.chainName == "chain.pem" && pair.keyName == "key.pem")
    }

    @Test func `A key of another certificate is refused with both named`() throws {
        let error = try #require(refusal(TestCertificates.ecdsa.chain, TestCertificates.rsa.key))
        expectEqual(
            error.cause,
            "key.pem (RSA-2048) is not the key of chain.pem "
                + "(CN=example.com, ECDSA P-256)")
        expectEqual(error.remedy?.contains("same renewal"), true)
    }

    /// The usual mistake: `cat chain.pem cert.pem`.
    @Test func `A chain in the wrong order says which certificate is the host's`() throws {
        let pair = TestCertificates.ecdsa
        let error = try #require(refusal(Array(pair.chain.reversed()), pair.key))
        expectEqual(
            error.cause, "the certificate for key.pem is number 2 in chain.pem, not the first")
        expectEqual(error.remedy?.contains("first"), true)
    }

    @Test func `Each file that cannot be read is the one that is named`() throws {
        let pair = TestCertificates.ecdsa
        let noise = Array("noise".utf8)
        for (chain, key, name) in [
            (noise, pair.key.unencryptedPEM(), "chain.pem"), (pair.leaf.pem, noise, "key.pem"),
        ] {
            let error = #expect(throws: OpenSSLError.self) {
                try CertificatePair.load(
                    chainPEM: chain, keyPEM: key, chainName: "chain.pem", keyName: "key.pem")
            }
            expectEqual(error?.cause.contains(name), true)
        }
    }

    /// What tells whether a reload changed anything: a new intermediate is a change as well.
    @Test func `Its identity is that of the whole chain`() throws {
        let pair = TestCertificates.ecdsa
        let again = try load(pair.chain, pair.key)
        expectEqual(again.identity, pair.identity)
        #expect(try load([pair.leaf], pair.key).identity != pair.identity)
        #expect(TestCertificates.other.identity != pair.identity)
        expectEqual(pair.identity, hexadecimal(sha256(pair.chain.flatMap(\.der))))
    }
}
