import AASADevice
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAStorm

@Suite struct EraProfileTests {
    private func profile(
        _ era: Era, path: String = "", agents: [String] = []
    ) throws -> EraProfile {
        let address = try #require(SocketAddress(host: "127.0.0.1", port: 8443))
        var configuration = StormConfiguration(
            target: StormTarget(host: "example.com", address: address, path: path),
            schedule: ArrivalSchedule(shape: .constant, devices: 1, seconds: 1), patience: [1])
        configuration.http2 = true
        configuration.userAgents = agents
        return try EraProfile(era, configuration, TLSLibrary())
    }

    @Test func eachEraAsksWhereItLooks() throws {
        let old = try profile(.ios93)
        expectEqual(old.request(.wellKnown, userAgent: 0).path, AssociationPath.wellKnownTarget)
        expectEqual(old.request(.root, userAgent: 0).path, AssociationPath.rootTarget)
        let everywhere = try profile(.ios93, path: "/x?y")
        expectEqual(everywhere.request(.wellKnown, userAgent: 0).path, "/x?y")
        expectEqual(everywhere.request(.root, userAgent: 0).path, "/x?y")
    }

    @Test func eachEraSpeaksAsItDid() throws {
        #expect(try !profile(.ios8).usesHTTP2)
        #expect(try profile(.ios93).usesHTTP2)
    }

    @Test func eachEraHasItsName() throws {
        let head = try profile(.ios8).request(.root, userAgent: 0).head
        let text = String(decoding: head, as: UTF8.self)
        #expect(
            text.hasPrefix("GET /apple-app-site-association HTTP/1.1\r\nHost: example.com:8443\r\n")
        )
        #expect(text.contains("User-Agent: swcd (unknown version) CFNetwork/711.1.16"))
        #expect(text.hasSuffix("\r\n\r\n"))
        // Since iOS 14 the site sees Apple's crawler.
        try expectEqual(profile(.ios14).request(.cdn, userAgent: 0).userAgent, "AASA-Bot/1.0.0")
        let given = try profile(.ios13, agents: ["a", "b"])
        expectEqual(given.request(.wellKnown, userAgent: 1).userAgent, "b")
    }
}
