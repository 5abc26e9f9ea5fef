import AASADevice
import OpenSSL
import TestSupport
import Testing

@testable import AASAStorm

@Suite struct StormSessionTests: StormSuite {
    /// The light client speaks TLS 1.3 alone: eras without it have OpenSSL's all the same.
    @Test func playsOldErasWithTheFullClient() throws {
        let versions = try storm(
            "ios9.3:1,ios13:1", devices: 12, settings: { $0.isLight = true },
            answer: { .http($0.tlsVersion == .tls13 ? "200 OK" : "503 Busy") })
        let new = versions.eras[.ios13]?.devices ?? 0
        #expect(new > 0 && new < 12)
        #expect(versions.handshakes == 12)
        #expect(versions.light.handshakes == new)
        #expect(versions.count(.associated) == new)
    }

    /// A server without TLS 1.3 is none for the light client.
    @Test(arguments: [false, true]) func saysThatTheServerIsTooOld(isLight: Bool) throws {
        var tls = try Self.tls()
        tls.maximumVersion = .tls12
        let report = try storm(
            tls: tls, settings: { $0.isLight = isLight }, answer: { _ in .http("200 OK") })
        #expect(report.count(isLight ? .failed(.tls) : .associated) == 6)
        #expect(report.resumed == 0)
    }

    /// Without an authority nobody looks at the certificate; with one it has to be right.
    @Test(arguments: [false, true]) func checksTheCertificateWhenTold(isLight: Bool) throws {
        let folder = try TemporaryFolder("storm")
        let stranger = try LocalAuthority.make(now: 1_800_000_000).pair
        let file = try folder.write("ca.pem", stranger.leaf.pem)
        let report = try storm(
            settings: {
                $0.isLight = isLight
                $0.target.authorityFile = file
            }, answer: { _ in .http("200 OK") })
        #expect(report.count(.failed(.tls)) == 6)
    }
}
