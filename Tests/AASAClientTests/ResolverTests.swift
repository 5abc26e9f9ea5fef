import AASAClient
import TestSupport
import Testing

@Suite struct ResolverTests {
    @Test(arguments: [
        ("example.com:443:127.0.0.1", "127.0.0.1:443"),
        ("Example.com:443:127.0.0.1:8443", "127.0.0.1:8443"),
        ("example.com:8443:[::1]", "[::1]:8443"), ("example.com:443:::1", "[::1]:443"),
    ])
    func readsOverridesAsCurlDoes(text: String, address: String) throws {
        let override = try #require(Resolver.Override(parsing: text))
        expectEqual(override.host, "example.com")
        expectEqual(override.address.description, address)
        let resolver = Resolver(overrides: [override])
        #expect(resolver.isOverridden("EXAMPLE.com", override.port))
        let found = try resolver.addresses(of: "example.com", port: override.port).get()
        expectEqual(found, [override.address])
    }

    @Test(arguments: ["", "example.com", "example.com:443", "example.com:x:127.0.0.1", ":443:::1"])
    func refusesWhatIsNone(text: String) {
        #expect(Resolver.Override(parsing: text) == nil)
    }

    @Test func takesAddressesAsTheyAre() throws {
        let found = try Resolver().addresses(of: "192.0.2.1", port: 443).get()
        expectEqual(found.map(\.description), ["192.0.2.1:443"])
    }
}
