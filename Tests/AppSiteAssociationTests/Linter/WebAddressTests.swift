import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct WebAddressTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let text: String
        var scheme = "https"
        var host = "example.com"
        var hasUserInfo = false
        var rest = ""
        var testDescription: String { text }
    }

    @Test(arguments: [
        Case(text: "https://example.com"),
        Case(text: "HTTP://Example.COM", scheme: "http"),
        Case(text: "https://example.com:8443"),
        Case(text: "https://a:b@example.com:1/x?y#z", hasUserInfo: true, rest: "/x?y#z"),
        Case(text: "https://example.com?a=/b", rest: "?a=/b"),
        Case(text: "https://example.com#a@b", rest: "#a@b"),
        Case(text: "https://[::1]", host: "[::1]"),
        Case(text: "https://[::1]:443/", host: "[::1]", rest: "/"),
        Case(text: "https://B\u{DC}cher.example", host: "b\u{FC}cher.example"),
        Case(text: "https://example.com/\u{E9}", rest: "/\u{E9}"),
    ]) func parts(_ example: Case) throws {
        let read = try #require(WebAddress(example.text))
        expectEqual(read.scheme, example.scheme)
        expectEqual(read.host, example.host)
        expectEqual(read.hasUserInfo, example.hasUserInfo)
        expectEqual(read.rest, example.rest)
    }

    @Test(arguments: [
        "", ":", "https", "https:", "https:/", "https://", "https:///x", "https:example.com",
        "ftp://example.com", "example.com", "//example.com", "https ://example.com",
        "https://exam ple.com", "https://example.com/\n", "https://example.com\u{7F}",
        "httpsx://example.com", "https://:443", "https://a@/x", "javascript://example.com",
    ]) func isNoAddress(_ text: String) {
        #expect(WebAddress(text) == nil)
    }

    /// A name of labels and a port; nothing else stands between the scheme and the path.
    @Test(arguments: [
        ("https://example.com:8443", true), ("https://a@B.example:1/", true),
        ("https://[::1]:443/", true), ("https://a_b-c.example", true),
        ("https://example.com:", false), ("https://example.com:0", false),
        ("https://example.com:65536", false), ("https://a:b:443", false),
        ("https://[::1]x", false), ("https://a..example", false), ("https://a!b.example", false),
    ]) func hostAndPortAreSound(_ text: String, _ isSound: Bool) {
        expectEqual(WebAddress(text)?.isSound, isSound)
    }

    /// A text of another's storage (a slice, a bridged one) is read alike.
    @Test func slicesAreRead() {
        let long = "see https://example.com/path for more"
        let slice = String(long.dropFirst(4).prefix(24))
        expectEqual(WebAddress(slice)?.rest, "/path")
    }
}
