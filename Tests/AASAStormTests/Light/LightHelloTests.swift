import OpenSSL
import Reactor
import Testing

@testable import AASAStorm

@Suite struct LightHelloTests: LightSuite {
    @Test func saysWhatItCannotSpeak() throws {
        var (settings, check) = try settings()
        settings.maximumVersion = .tls12
        let old = try Pair(server: settings, check: check).handshake()
        // OpenSSL sends an alert: no version in common.
        #expect(old == .failed(.needsMore))
    }

    @Test func whatIsNoTLSFails() throws {
        let (settings, _) = try settings()
        let pair = try Pair(server: settings)
        #expect(
            pair.handshake { _ in Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8) }
                == .failed(.protocolViolation))
        let refused = try Pair(server: settings)
        #expect(refused.handshake { _ in [21, 3, 3, 0, 2, 2, 40] } == .failed(.needsMore))
        #expect(!Array("x".utf8).withUnsafeBytes { refused.session.write($0) })
    }
}
