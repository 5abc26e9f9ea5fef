import OpenSSL
import TestSupport
import Testing

@Suite struct TLSSessionTests {
    @Test(arguments: [TLSVersion.tls12, .tls13])
    func `Both versions carry data both ways and end cleanly`(version: TLSVersion) throws {
        var client = TLSPairing.reporting
        client.offer.minimumVersion = version
        client.offer.maximumVersion = version
        let pair = try TLSPairing.established(TLSPairing.settings(), client)
        expectEqual(pair.server.negotiated.version, version)
        expectEqual(pair.server.negotiated.applicationProtocol, .http2)
        #expect(!pair.server.negotiated.isResumed)
        expectEqual(pair.server.serverName, "example.com")
        expectEqual(pair.client.cipherName, pair.server.cipherName)
        #expect(pair.client.cipherName.hasPrefix("TLS_"))

        let question = Array("GET / HTTP/1.1\r\n\r\n".utf8)
        let sent = pair.onClient { wire in
            question.withUnsafeBytes { pair.client.write($0, wire) }
        }
        #expect(sent)
        expectEqual(pair.readAtServer().bytes, question)

        let answer = (0..<131_072).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        _ = pair.onServer { wire in answer.withUnsafeBytes { pair.server.write($0, wire) } }
        pair.onServer { pair.server.closeNotify($0) }
        let got = pair.readAtClient()
        expectEqual(got.bytes, answer)
        #expect(got.end.isClosed)
    }

    @Test func `A handshake delivered byte by byte succeeds`() throws {
        let pair = try TLSPairing(server: TLSPairing.settings(), client: TLSPairing.reporting)
        _ = pair.onClient { pair.client.handshake($0) }
        let hello = pair.toServer
        for byte in hello.dropLast() {
            pair.toServer = [byte]
            let step = pair.onServer { pair.server.handshake($0) }
            guard case .wantsInput = step else {
                Issue.record("\(step)")
                return
            }
        }
        pair.toServer = [hello[hello.count - 1]]
        _ = pair.onServer { pair.server.handshake($0) }
        #expect(pair.handshake().server.isDone)
    }

    @Test func `Ciphertext that came with the handshake is kept and read later`() throws {
        let pair = try TLSPairing(server: TLSPairing.settings(), client: TLSPairing.reporting)
        _ = pair.onClient { pair.client.handshake($0) }
        _ = pair.onServer { pair.server.handshake($0) }
        // The client's Finished and two requests arrive together, and the receive buffer is
        // used for something else before anyone reads them.
        _ = pair.onClient { pair.client.handshake($0) }
        for _ in 0..<2 {
            _ = pair.onClient { wire in
                Array("request".utf8).withUnsafeBytes { pair.client.write($0, wire) }
            }
        }
        #expect(pair.onServer { pair.server.handshake($0) }.isDone)
        #expect(pair.server.hasUnread)
        // Another piece arrives before the kept one was read: order is kept.
        _ = pair.onClient { wire in
            Array("-third".utf8).withUnsafeBytes { pair.client.write($0, wire) }
        }
        pair.onServer { _ in }
        let got = pair.readAtServer(buffer: 3)
        expectEqual(String(decoding: got.bytes, as: UTF8.self), "requestrequest-third")
        #expect(got.end.wantsInput)
        #expect(!pair.server.hasUnread)
    }

    @Test(arguments: [
        (TLSOffer.onlyRSA, "RSA-2048"), (TLSOffer.onlyECDSA, "ECDSA P-256"),
    ])
    func `The client's signature algorithms choose between RSA and ECDSA`(
        algorithms: String, key: String
    ) throws {
        for version in [TLSVersion.tls12, .tls13] {
            var client = TLSPairing.reporting
            client.offer.signatureAlgorithms = algorithms
            client.offer.minimumVersion = version
            client.offer.maximumVersion = version
            let pair = try TLSPairing.established(TLSPairing.settings(), client)
            expectEqual(pair.client.peerChain.first?.summary.keyType.description, key)
            expectEqual(pair.client.peerChain.count, 2)
        }
    }

    @Test func `Old versions are refused`() throws {
        var client = TLSPairing.reporting
        client.offer.minimumVersion = .tls10
        client.offer.maximumVersion = .tls11
        client.securityLevel = 0
        client.offer.cipherList = "ALL:@SECLEVEL=0"
        let pair = try TLSPairing(server: TLSPairing.settings(), client: client)
        let result = pair.handshake()
        expectEqual(result.server.failure?.cause, .handshake)
        #expect(!pair.client.isHandshakeDone)
    }

    @Test func `A flood of key updates ends the session, a few do not`() throws {
        for together in [true, false] {
            let pair = try TLSPairing.established()
            for _ in 0..<8 { pair.onClient { pair.client.updateKeys($0) } }
            _ = pair.onClient { wire in
                Array("still here".utf8).withUnsafeBytes { pair.client.write($0, wire) }
            }
            let got = pair.readAtServer()
            expectEqual(got.bytes, Array("still here".utf8))
            #expect(got.end.wantsInput)

            var failure: TLSFailure?
            var updates = 0
            while failure == nil, updates < 200 {
                pair.onClient { pair.client.updateKeys($0) }
                updates += 1
                if !together || updates % 50 == 0 { failure = pair.readAtServer().end.failure }
            }
            expectEqual(failure?.cause, .controlFlood)
            #expect(updates <= (together ? 50 : TLSLimits.controlRecords))
        }
    }

    @Test func `Clear refusals of wrong use`() throws {
        let pair = try TLSPairing(server: TLSPairing.settings(), client: TLSPairing.reporting)
        let early = pair.onServer { wire in
            Array("x".utf8).withUnsafeBytes { pair.server.write($0, wire) }
        }
        // Before the handshake a write first does the handshake, which has no input.
        #expect(!early)
        expectEqual(pair.server.failure?.cause, .unusable)
    }
}
