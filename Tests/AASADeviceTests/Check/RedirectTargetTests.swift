import AASAClient
import TestSupport
import Testing

@testable import AASADevice

@Suite struct RedirectTargetTests {
    private static func url(
        _ location: String?, host: String = "example.com", port: UInt16 = 443,
        target: String = "/a/b?c/d", isTLS: Bool = true
    ) -> String? {
        var request = ClientRequest(host: host, port: port, target: target)
        request.security.isTLS = isTLS
        return request.redirected(to: location)?.url
    }

    @Test(arguments: [
        ("https://other.com/x", "https://other.com/x"), ("HTTP://Other.com", "http://other.com/"),
        ("https://other.com:8443/x?y", "https://other.com:8443/x?y"),
        ("https://other.com:443/x", "https://other.com/x"),
        ("http://other.com:443/x", "http://other.com:443/x"),
        ("//other.com/x", "https://other.com/x"), ("/x", "https://example.com/x"),
        ("x", "https://example.com/a/x"), ("https://other.com/x#y", "https://other.com/x"),
        ("/login?next=https://example.com/", "https://example.com/login?next=https://example.com/"),
        (
            "login?next=https://example.com/",
            "https://example.com/a/login?next=https://example.com/"
        ),
        ("https://[2A00::1]/x", "https://[2a00::1]/x"),
    ])
    func resolvesALocation(location: String, url: String) {
        expectEqual(Self.url(location), url)
    }

    /// What the request had stays where the Location does not say otherwise.
    @Test func keepsSchemeHostAndPort() {
        expectEqual(Self.url("/x", port: 8080, isTLS: false), "http://example.com:8080/x")
        expectEqual(Self.url("/x", port: 80, isTLS: false), "http://example.com/x")
        expectEqual(Self.url("//other.com/", isTLS: false), "http://other.com/")
        expectEqual(Self.url("x", target: "/"), "https://example.com/x")
        // As the request writes itself, or a circle is not seen.
        expectEqual(Self.url("/x", host: "::1"), ClientRequest(host: "::1", target: "/x").url)
    }

    @Test(arguments: [
        nil, "", "ftp://other.com/x", "https://", "https://user@other.com/", "https://other.com:0/",
    ])
    func knowsALocationThatLeadsNowhere(location: String?) {
        #expect(Self.url(location) == nil)
    }
}
