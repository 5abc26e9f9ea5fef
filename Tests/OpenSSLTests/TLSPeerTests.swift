import OpenSSL
import Testing

@Suite struct TLSPeerTests {
    private func established(
        _ settings: TLSServerSettings = TLSPairing.settings(),
        _ client: TLSClientSettings = TLSPairing.reporting, serverName: String? = "example.com"
    ) throws -> TLSPairing {
        let pair = try TLSPairing(server: settings, client: client, serverName: serverName)
        let result = pair.handshake()
        #expect(result.client.isDone, "\(result)")
        #expect(result.server.isDone, "\(result)")
        return pair
    }

    @Test func `Required verification refuses an unknown authority and reports why`() throws {
        var client = TLSClientSettings()
        client.trust = .none
        let pair = try TLSPairing(server: TLSPairing.settings(), client: client)
        let result = pair.handshake()
        #expect(result.client.failure?.cause == .certificate)
        #expect(!pair.client.verification.isGood)
        #expect(pair.client.verification.remedy != nil)
        #expect(result.server.failure?.cause == .alertReceived(48))
    }

    @Test func `Skipped verification says that nothing was checked`() throws {
        var client = TLSClientSettings()
        client.verification = .skipped
        let pair = try established(TLSPairing.settings(), client)
        #expect(pair.client.verification == .notChecked)
        #expect(!pair.client.verification.isGood)
    }
}
