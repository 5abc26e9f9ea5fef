import TestSupport
import Testing

@testable import OpenSSL

@Suite struct MinimalProviderTests {
    /// Every kind of certificate that a server may have, through TLS 1.3 and 1.2, checked.
    @Test(arguments: [TLSVersion.tls12, .tls13], [false, true])
    func readsWhatServersShow(_ version: TLSVersion, _ isRSA: Bool) throws {
        let pair = isRSA ? TestCertificates.rsa : TestCertificates.ecdsa
        var client = TLSClientSettings()
        client.trust = .certificates([TestCertificates.authority.pair.leaf])
        client.offer.maximumVersion = version
        let pairing = try TLSPairing(
            server: TLSServerSettings(hosts: [TLSHost(names: ["example.com"], pairs: [pair])]),
            clientContext: TLSContext(
                role: .client(client), library: TLSLibrary(for: .loadTests)))
        let ends = pairing.handshake()
        guard case .done = ends.client, case .done = ends.server else {
            Issue.record("\(ends)")
            return
        }
        expectEqual(pairing.client.negotiated.version, version)
    }
}
