import COpenSSL
import TestSupport
import Testing

@testable import OpenSSL

@Suite struct TLSSettingsTests {
    @Test func `Versions have the numbers of the wire, and their order`() {
        let versions: [(TLSVersion, Int32)] = [
            (.tls10, TLS1_VERSION), (.tls11, TLS1_1_VERSION), (.tls12, TLS1_2_VERSION),
            (.tls13, TLS1_3_VERSION),
        ]
        for (version, number) in versions { expectEqual(Int32(version.rawValue), number) }
        expectEqual(versions.map(\.0).sorted(), versions.map(\.0))
        #expect(!(TLSVersion.tls13 < .tls12) && !(TLSVersion.tls12 < .tls12))
    }

    @Test func `Versions are named as OpenSSL names them`() {
        let names = [TLSVersion.tls10, .tls11, .tls12, .tls13].map(\.description)
        expectEqual(names, ["TLSv1.0", "TLSv1.1", "TLSv1.2", "TLSv1.3"])
        expectEqual(TLSVersion(rawValue: 0x0300).description, "TLS 0x300")
    }

    /// Mozilla's "intermediate", version 6; a phone asks once, and needs no ticket.
    @Test func `A server offers both versions and no tickets unless it is told to`() throws {
        for version in [TLSVersion.tls12, .tls13] {
            var client = TLSPairing.reporting
            client.offer.minimumVersion = version
            client.offer.maximumVersion = version
            client.resumes = true
            let pair = try TLSPairing(server: TLSPairing.settings(), client: client)
            #expect(pair.handshake().server.isDone)
            _ = pair.readAtClient()
            #expect(pair.client.resumption() == nil)
        }
    }

    /// A client that is asked for nothing checks everything.
    @Test func `A client demands a good certificate of the name unless it is told otherwise`()
        throws
    {
        let root = TestCertificates.authority.pair.leaf
        for (trusts, name, isDone) in [
            (true, "example.com", true), (true, "other.example", false),
            (false, "example.com", false),
        ] {
            var client = TLSClientSettings()
            if trusts { client.trust = .certificates([root]) }
            let pair = try TLSPairing(
                server: TLSPairing.settings(), client: client, serverName: name)
            expectEqual(pair.handshake().client.isDone, isDone)
        }
        let plain = TLSClientSettings()
        expectEqual(plain.offer.protocols, [.http2, .http11])
        #expect(!plain.resumes && !plain.actsAsValidator)
    }

    @Test func `A host of one kind of key serves clients of that kind alone`() throws {
        for (pair, fits, other) in [
            (TestCertificates.rsa, TLSOffer.onlyRSA, TLSOffer.onlyECDSA),
            (TestCertificates.ecdsa, TLSOffer.onlyECDSA, TLSOffer.onlyRSA),
        ] {
            let server = TLSPairing.settings([TLSHost(names: ["example.com"], pairs: [pair])])
            for (algorithms, isDone) in [(fits, true), (other, false)] {
                var client = TLSPairing.reporting
                client.verification = .skipped
                client.offer.signatureAlgorithms = algorithms
                let pairing = try TLSPairing(server: server, client: client)
                expectEqual(pairing.handshake().server.isDone, isDone)
            }
        }
    }
}
