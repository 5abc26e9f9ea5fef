import Testing

@testable import AASAServer

@Suite struct ConfigurationTests {
    @Test(arguments: [
        ("127.0.0.1:8443", ["127.0.0.1:8443"]), ("[::1]:443", ["[::1]:443"]),
        (":443", ["0.0.0.0:443", "[::]:443"]), ("*:0", ["0.0.0.0:0", "[::]:0"]),
        ("localhost:1", ["127.0.0.1:1"]), ("unix:/run/aasa/admin", ["unix:/run/aasa/admin"]),
    ])
    func listenAddressesAreRead(text: String, addresses: [String]) {
        #expect(ListenAddress.parse(text)?.map(\.description) == addresses)
    }

    @Test(arguments: [
        "", "443", "127.0.0.1", "127.0.0.1:", "127.0.0.1:+1", "127.0.0.1:65536", "::1:443",
        "[127.0.0.1]:443", "[::1]", "unix:", "127.0.0.1:-1",
    ])
    func otherTextsAreNot(text: String) {
        #expect(ListenAddress.parse(text) == nil)
    }
}
