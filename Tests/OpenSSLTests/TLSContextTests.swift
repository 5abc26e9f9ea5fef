import TestSupport
import Testing

@testable import OpenSSL

@Suite struct TLSContextTests {
    private func handshake(_ server: TLSContext, _ name: String?) throws -> String? {
        let wire = try TLSTransport()
        let other = try TLSTransport()
        let client = try TLSContext(role: .client(TLSPairing.reporting), library: try TLSLibrary())
        let a = try TLSSession(context: client, serverName: name)
        let b = try TLSSession(context: server)
        for _ in 0..<4 {
            _ = a.handshake(other)
            other.output.withUnsafeBytes { wire.receive($0) }
            _ = b.handshake(wire)
            b.keepUnread(wire)
            other.clearOutput()
            wire.output.withUnsafeBytes { other.receive($0) }
            _ = a.handshake(other)
            a.keepUnread(other)
            wire.clearOutput()
        }
        return a.peerChain.first?.summary.subject
    }

    @Test func `A reload takes unchanged certificates over, and running sessions keep theirs`()
        throws
    {
        let library = try TLSLibrary()
        let first = TLSHost(names: ["example.com"], pairs: [TestCertificates.ecdsa])
        let second = TLSHost(names: ["other.example"], pairs: [TestCertificates.other])
        let alias = TLSHost(names: ["alias.example"], pairs: [TestCertificates.other])
        let old = try TLSContext(
            role: .server(TLSServerSettings(hosts: [first, second])), library: library)
        let new = try TLSContext(
            role: .server(TLSServerSettings(hosts: [second, first, alias])), library: library,
            replacing: old)
        let before = try #require(old.callbacks)
        let after = try #require(new.callbacks)
        #expect(after.handles[0] === before.handles[1])
        #expect(after.handles[1] === before.handles[0])
        #expect(after.handles[2] === after.handles[0], "hosts with one certificate share it")
        #expect(new.entry !== old.entry)
        for _ in 0..<2 {
            try expectEqual(handshake(old, "alias.example"), "CN=example.com")
            try expectEqual(handshake(new, "alias.example"), "CN=other.example")
            try expectEqual(handshake(new, "example.com"), "CN=example.com")
            try expectEqual(handshake(new, nil), "CN=other.example")
        }
        let foreign = try TLSContext(
            role: .server(TLSServerSettings(hosts: [first])), library: TLSLibrary(),
            replacing: new)
        #expect(foreign.callbacks?.handles[0] !== after.handles[1], "libraries share nothing")
    }

    @Test func `Hosts without certificate, and none at all, are refused`() throws {
        let library = try TLSLibrary()
        #expect(throws: OpenSSLError.self) {
            try TLSContext(role: .server(TLSServerSettings(hosts: [])), library: library)
        }
        var settings = TLSPairing.settings()
        settings.defaultHost = 3
        #expect(throws: OpenSSLError.self) {
            try TLSContext(role: .server(settings), library: library)
        }
    }

    @Test func `Wrong client settings say what is wrong`() throws {
        func error(_ change: (inout TLSClientSettings) -> Void) -> OpenSSLError? {
            var settings = TLSClientSettings()
            change(&settings)
            do {
                _ = try TLSContext(role: .client(settings), library: TLSLibrary())
                return nil
            } catch { return error }
        }
        expectEqual(
            error { $0.trust = .file("/nonexistent.pem") }?.cause.contains("nonexistent"), true)
        expectEqual(error { $0.offer.cipherList = "NOPE" }?.cause.contains("NOPE"), true)
        expectEqual(error { $0.offer.signatureAlgorithms = "nope" }?.cause.contains("nope"), true)
        expectEqual(error { $0.offer.groups = "nope" }?.cause.contains("nope"), true)
        #expect(error { _ in } == nil)
    }

    @Test func `Trust decides, and the name counts`() throws {
        let root = TestCertificates.authority.pair.leaf
        for (trust, name, good) in [
            (TLSClientSettings.Trust.certificates([root]), "example.com", true),
            (.certificates([root]), "wrong.example", false), (.none, "example.com", false),
        ] {
            var client = TLSClientSettings()
            client.trust = trust
            let pair = try TLSPairing(
                server: TLSPairing.settings(), client: client, serverName: name)
            expectEqual(pair.handshake().client.isDone, good)
            expectEqual(pair.client.verification.isGood, good)
        }
    }
}
