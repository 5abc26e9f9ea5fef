import AASAClient
import TestSupport
import Testing

@Suite struct ServerURLTests {
    @Test(arguments: [
        ("https://example.com", true, "example.com", 443, "", "/"),
        ("HTTP://example.com:8080/a?b", false, "example.com", 8080, "/a?b", "/a?b"),
        ("https://[::1]:444?x", true, "::1", 444, "?x", "/?x"),
        ("http://[::1]/", false, "::1", 80, "/", "/"),
    ])
    func takesAURLApart(
        text: String, isTLS: Bool, host: String, port: UInt16, target: String, asked: String
    ) throws {
        let url = try ServerURL(parsing: text)
        expectEqual(url.isTLS, isTLS)
        expectEqual(url.host, host)
        expectEqual(url.port, port)
        expectEqual(url.target, target)
        expectEqual(url.requestTarget, asked)
    }

    @Test(arguments: [
        ("example.com", ServerURL.Problem.scheme), ("ftp://example.com", .scheme),
        ("https://", .host), ("https:///x", .host), ("https://a b/", .host),
        ("https://user@example.com", .host), ("https://[]", .host),
        ("https://[a", .host), ("https://[[::1]]", .host),
        ("https://::1", .host), ("https://[::1", .host), ("https://::1]", .host),
        ("https://[example.com]:1", .host), ("https://[::1]:0", .port), ("https://[::1]:", .port),
        ("https://example.com:0", .port), ("https://example.com:65536", .port),
        ("https://example.com:x", .port), ("https://example.com:", .port),
    ])
    func saysWhatIsWrong(text: String, problem: ServerURL.Problem) {
        #expect(throws: problem) { try ServerURL(parsing: text) }
    }
}
