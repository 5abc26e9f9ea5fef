import TestSupport
import Testing

@testable import OpenSSL

@Suite struct TLSOfferTests {
    private func hello(_ change: (inout TLSOffer) -> Void) throws -> [UInt8] {
        var settings = TLSPairing.reporting
        change(&settings.offer)
        let pair = try TLSPairing(server: TLSPairing.settings(), client: settings)
        _ = pair.onClient { pair.client.handshake($0) }
        return pair.toServer
    }

    @Test func `What OpenSSL does not have is named`() {
        var offer = TLSOffer()
        expectEqual(offer.unavailable, [])
        offer.cipherList = "ECDHE-RSA-AES128-SHA:RC4-MD5:AES128-SHA:ECDH-RSA-AES128-SHA"
        expectEqual(offer.unavailable, ["RC4-MD5", "ECDH-RSA-AES128-SHA"])
        offer.cipherList = nil
        offer.isHybrid = true
        expectEqual(offer.unavailable, (TLSLibrary.hasHybridGroup ? [] : ["X25519MLKEM768"]))
    }

    /// 1,216 bytes of a share, and what stands around it.
    @Test func `The hybrid group makes the hello as long as it is on a phone`() throws {
        let short = try hello { $0.groups = "X25519:P-256" }
        let long = try hello {
            $0.groups = "X25519:P-256"
            $0.isHybrid = true
        }
        #expect((1222...1226).contains(long.count - short.count))
    }

    @Test func `Servers take such a hello`() throws {
        for version in [TLSVersion.tls12, .tls13] {
            var settings = TLSPairing.reporting
            settings.offer.groups = "X25519:P-256"
            settings.offer.isHybrid = true
            settings.offer.maximumVersion = version
            let pair = try TLSPairing(server: TLSPairing.settings(), client: settings)
            #expect(pair.handshake().client.isDone)
            expectEqual(pair.client.negotiated.version, version)
        }
    }
}
