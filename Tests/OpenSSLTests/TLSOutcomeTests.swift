import OpenSSL
import TestSupport
import Testing

@Suite struct TLSOutcomeTests {
    @Test func `What is not TLS is named so`() throws {
        let pair = try TLSPairing(server: TLSPairing.settings(), client: TLSPairing.reporting)
        pair.toServer = Array("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n".utf8)
        let step = pair.onServer { pair.server.handshake($0) }
        expectEqual(step.failure?.cause, .notTLS)
        expectEqual(pair.server.failure?.cause, .notTLS)
        let again = pair.onServer { pair.server.handshake($0) }
        expectEqual(again.failure?.cause, .notTLS)
    }

    @Test func `A changed record ends the session`() throws {
        let pair = try TLSPairing.established()
        _ = pair.onClient { wire in
            Array("hello".utf8).withUnsafeBytes { pair.client.write($0, wire) }
        }
        pair.toServer[pair.toServer.count - 1] ^= 1
        expectEqual(pair.readAtServer().end.failure?.cause, .record)
        #expect(!pair.toClient.isEmpty, "an alert is sent")
        expectEqual(pair.readAtClient().end.failure?.cause, .alertReceived(20))
        let write = pair.onServer { wire in
            Array("x".utf8).withUnsafeBytes { pair.server.write($0, wire) }
        }
        #expect(!write, "written after the end")
    }

    @Test(arguments: [
        (40, "handshake failure"), (86, "inappropriate fallback"), (109, "missing extension"),
        (116, "certificate required"), (120, "no application protocol"), (200, "number 200"),
    ]) func `Alerts have names`(number: UInt8, name: String) {
        let failure = TLSFailure.alertName(number)
        expectEqual(failure, name)
    }

    @Test func `An endless handshake is cut at its budget`() throws {
        let pair = try TLSPairing(server: TLSPairing.settings(), client: TLSPairing.reporting)
        // A ClientHello that says it is 130,000 bytes long, which OpenSSL would take, in records of
        // one byte.
        let record: [UInt8] = [22, 3, 1, 0, 1]
        let head: [UInt8] = [1, 0x01, 0xFB, 0xD0]
        pair.toServer = head.flatMap { record + [$0] }
        let zeros = Array((0..<1000).map { _ in record + [0] }.joined())
        var failure: TLSFailure?
        var sent = 0
        while failure == nil, sent < 400_000 {
            pair.toServer += zeros
            sent += zeros.count
            failure = pair.onServer { pair.server.handshake($0) }.failure
        }
        expectEqual(failure?.cause, .handshakeTooLong)
        #expect(sent <= TLSLimits.handshakeBytes + zeros.count)
        // Whoever is refused is told: a fatal alert, as nothing is encrypted yet.
        expectEqual(pair.toClient.suffix(7), [21, 3, 3, 0, 2, 2, 47])
    }
}
