import OpenSSL
import TestSupport
import Testing

/// Loops over everything that allocates in C. They say little by themselves; run with
/// `--sanitize=address` every leak and every use after the end is named.
@Suite struct EnduranceTests {
    @Test func `Signing, verifying and failing again and again`() throws {
        let signers = [TestCertificates.rsa, TestCertificates.ecdsa]
        for round in 0..<100 {
            let signed = try CMSSigner.sign(SigningFiles.document, with: signers[round % 2])
            #expect(SigningFiles.verify(signed).isGood)
            var broken = signed
            broken[(round * 37) % broken.count] ^= 0x55
            _ = SigningFiles.verify(broken)
            expectEqual(CMSVerifier.payload(of: signed), SigningFiles.document)
            _ = try? CertificatePair.load(
                chainPEM: TestCertificates.ecdsa.leaf.pem, keyPEM: [UInt8](broken.prefix(200)),
                chainName: "c", keyName: "k")
        }
    }

    @Test func `Reloading under sessions that go on`() throws {
        let library = try TLSLibrary()
        let client = try TLSContext(
            role: .client(TLSPairing.reporting), library: try TLSLibrary())
        let clientWire = try TLSTransport()
        let wire = try TLSTransport()
        let tickets = try SessionTickets(now: 0)
        var context: TLSContext?
        var running: [(TLSSession, TLSSession)] = []
        for round in 0..<60 {
            var settings = TLSPairing.settings([
                TLSHost(names: ["example.com"], pairs: [TestCertificates.ecdsa]),
                TLSHost(
                    names: ["other.example"],
                    pairs: [round % 3 == 0 ? TestCertificates.other : TestCertificates.rsa]),
            ])
            settings.tickets = round % 2 == 0 ? tickets : nil
            let next = try TLSContext(
                role: .server(settings), library: library, replacing: context)
            context = next
            let a = try TLSSession(
                context: client, serverName: round % 2 == 0 ? "example.com" : "other.example")
            let b = try TLSSession(context: next)
            for _ in 0..<3 {
                _ = a.handshake(clientWire)
                wire.receive(clientWire.output)
                _ = b.handshake(wire)
                b.keepUnread(wire)
                clientWire.clearOutput()
                clientWire.receive(wire.output)
                _ = a.handshake(clientWire)
                a.keepUnread(clientWire)
                wire.clearOutput()
            }
            #expect(b.isHandshakeDone)
            running.append((a, b))
            if running.count > 5 { running.removeFirst() }
            for (_, session) in running {
                let sent = SigningFiles.document.withUnsafeBytes { session.write($0, wire) }
                #expect(sent)
            }
            wire.clearOutput()
            tickets.rotate(now: Int64(round) * 40_000)
        }
    }
}
