import HTTP
import TestSupport
import Testing

@testable import AASAServer

@Suite struct AdminServiceTests {
    /// A service that says what it was asked.
    private func echo(
        isOnNetwork: Bool = false, tokenFile: AdminTokenFile? = nil
    ) -> AdminService {
        AdminService(
            answers: { request in
                func text(_ bytes: [UInt8]?) -> String {
                    bytes.map { String(decoding: $0, as: UTF8.self) } ?? "-"
                }
                let words = [
                    request.method, request.target, request.path, request.authority ?? "-",
                    text(request.authorization), text(request.accept),
                ]
                return AuxiliaryResponse(200, text: words.joined(separator: "|"))
            }, isOnNetwork: isOnNetwork, tokenFile: tokenFile)
    }

    @Test func `The request reaches the pages as it was sent`() throws {
        var service = echo()
        let (text, isLast) = try ask(
            &service,
            "GET /metrics?x=1 HTTP/1.1\r\nHost: localhost:9\r\nAuthorization: Bearer t\r\n"
                + "Accept: text/plain\r\n\r\n")
        #expect(
            text.hasSuffix("\r\n\r\nGET|/metrics?x=1|/metrics|localhost:9|Bearer t|text/plain"))
        #expect(isLast, "one request per connection")
        let (bare, _) = try ask(&service, "GET / HTTP/1.0\r\n\r\n")
        #expect(bare.hasSuffix("\r\n\r\nGET|/|/|-|-|-"))
    }

    @Test func `What is refused reaches no page`() throws {
        var service = echo(isOnNetwork: true)
        let (text, _) = try ask(&service, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 403 "))
    }

    @Test func `HEAD gets the length of the answer and no content`() throws {
        var service = echo()
        let (text, _) = try ask(&service, "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let length = "HEAD|/|/|localhost|-|-".utf8.count
        #expect(text.contains("\r\nContent-Length: \(length)\r\n"))
        #expect(text.hasSuffix("\r\n\r\n"))
    }

    /// Which name was asked is what protects the pages from other sites: it has to be clear.
    @Test func `A request whose host is not clear is refused before any page`() throws {
        var service = echo()
        for fields in ["", "Host: a\r\nHost: b\r\n", "Host: a b\r\n"] {
            let (text, isLast) = try ask(&service, "GET / HTTP/1.1\r\n\(fields)\r\n")
            #expect(text.hasPrefix("HTTP/1.1 400 "), "\(fields)")
            #expect(isLast)
        }
        // Behind the limit, a second Host or the token may stand.
        for head in [
            "GET / HTTP/1.1\r\nHost: a\r\nA: \(String(repeating: "a", count: 70_000))\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", "nonsense\r\n",
            "GET /apple-app-site-association HTTP/3.0\r\n",
        ] {
            let (text, isLast) = try ask(&service, head)
            #expect(text.hasPrefix("HTTP/1.1 400 ") && isLast, "\(head.prefix(60))")
        }
        // Content is no such fault: the method decides.
        let (post, _) = try ask(
            &service, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\n")
        #expect(post.hasPrefix("HTTP/1.1 405 "))
    }

    @Test func `The token is that of the file at this moment`() throws {
        let folder = try TemporaryFolder("token")
        let path = try folder.write("token", "first-token-of-the-day\n")
        var service = echo(isOnNetwork: true, tokenFile: try AdminTokenFile(path: path))
        func opens(_ token: String) throws -> Bool {
            let head = "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n\r\n"
            return try ask(&service, head).text.hasPrefix("HTTP/1.1 200 ")
        }
        #expect(try opens("first-token-of-the-day"))
        try folder.write("token", "other-token-of-the-day\n")
        #expect(try opens("other-token-of-the-day"))
        #expect(try !opens("first-token-of-the-day"))
        // The last good one has to survive from request to request.
        try folder.write("token", "")
        #expect(try opens("other-token-of-the-day"))
    }
}
