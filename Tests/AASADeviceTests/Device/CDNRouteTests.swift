import AASAClient
import AASADevice
import AppSiteAssociation
import TestSupport
import Testing

@Suite struct CDNRouteTests: DeviceSuite {
    @Test func playsTheCDNWhenOnlyThisMachineKnowsTheHost() throws {
        let override = try #require(Resolver.Override(parsing: "example.com:443:127.0.0.1"))
        for (origin, verdict) in [
            (Self.answer(200, Self.document), "associated"), (Self.answer(403), "will-retry"),
            (Self.answer(200, "<html>"), "will-retry"),
        ] {
            let network = Network([origin])
            var settings = Self.settings(Self.app, .ios14)
            settings.resolver = Resolver(overrides: [override])
            var device = Device(settings, chance: { 0 }, ask: { network.ask($0) })
            let transcript = device.install([EntitlementEntry("applinks:example.com")]).first
            expectEqual(transcript?.verdict.name, verdict)
            expectEqual(network.requests.first?.host, "example.com")
            let agent = network.requests.first?.fields.first { $0.name == "User-Agent" }
            expectEqual(agent?.value, "AASA-Bot/1.0.0")
        }
    }

    @Test func readsURLs() {
        expectEqual(
            CDNRoute(parsing: "http://127.0.0.1:8080/x/"),
            .server(host: "127.0.0.1", port: 8080, isTLS: false, base: "/x"))
        expectEqual(
            CDNRoute(parsing: "https://[::1]:444"),
            .server(host: "::1", port: 444, isTLS: true, base: ""))
        expectEqual(
            CDNRoute(parsing: "https://cdn.example"),
            .server(host: "cdn.example", port: 443, isTLS: true, base: ""))
        #expect(CDNRoute(parsing: "cdn.example") == nil)
        #expect(CDNRoute(parsing: "ftp://cdn.example") == nil)
        #expect(CDNRoute(parsing: "https://cdn.example:x") == nil)
    }
}
