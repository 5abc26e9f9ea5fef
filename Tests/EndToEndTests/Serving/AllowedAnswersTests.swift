import Foundation
import TestSupport
import Testing

/// The contract of the two association paths: 200 with the whole document or 503, and nothing else,
/// whatever is sent (overload.md section 9). Elsewhere what cannot be parsed gets 400 or 414.
@Suite(.serialized) struct AllowedAnswersTests {
    private struct Row {
        let name: String
        var method = "GET"
        var target = TestClient.associationPath
        var version = "HTTP/1.1"
        var host: String? = "example.com"
        var fields = ""
        var body = ""
        var status: Int? = 200
    }

    private static let future = "Fri, 01 Jan 2100 00:00:00 GMT"

    private var rows: [Row] {
        var rows = [
            Row(name: "plain"), Row(name: "query", target: TestClient.associationPath + "?x=1"),
            Row(name: "empty query", target: TestClient.associationPath + "?"),
            Row(name: "root path", target: "/apple-app-site-association"),
            Row(name: "root path, query", target: "/apple-app-site-association?a=b&c"),
            Row(name: "HTTP/1.0", version: "HTTP/1.0"),
            Row(name: "HTTP/1.0 without Host", version: "HTTP/1.0", host: nil),
            Row(name: "wrong Host", host: "wrong.example"), Row(name: "empty Host", host: ""),
            Row(name: "Host with port", host: "EXAMPLE.com:443"),
            Row(name: "Host is an address", host: "127.0.0.1"),
            Row(name: "absolute form", target: "https://example.com" + TestClient.associationPath),
            Row(
                name: "absolute form, wrong host",
                target: "https://x.example/apple-app-site-association"),
            Row(
                name: "40 KB of fields",
                fields: (0..<400).map { "X-\($0): " + String(repeating: "a", count: 92) + "\r\n" }
                    .joined()),
            Row(
                name: "one field of 40 KB",
                fields: "X: " + String(repeating: "a", count: 40_000) + "\r\n"),
            Row(name: "two lengths", fields: "Content-Length: 1\r\nContent-Length: 2\r\n"),
            Row(
                name: "length and coding",
                fields: "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"),
            Row(
                name: "POST with body", method: "POST", fields: "Content-Length: 5\r\n",
                body: "hello"),
            Row(
                name: "PUT chunked", method: "PUT", fields: "Transfer-Encoding: chunked\r\n",
                body: "5\r\nhello\r\n0\r\n\r\n"),
            Row(name: "GET with body", fields: "Content-Length: 5\r\n", body: "hello"),
        ]
        for count in [3000, 8100, 8200, 20_000, 64_000] {
            rows.append(
                Row(
                    name: "target of \(count) bytes",
                    target: TestClient.associationPath + "?" + String(repeating: "q", count: count)
                ))
        }
        for path in [
            "/.well-known/%61pple-app-site-association",
            "/%2ewell-known/apple%2Dapp%2dsite-association",
            "/./.well-known/x/../apple-app-site-association", "/%61pple-app-site-association?q",
            "https://example.com/%61pple-app-site-association",
        ] { rows.append(Row(name: path, target: path)) }
        for method in [String(repeating: "M", count: 33), String(repeating: "M", count: 9000)] {
            rows.append(Row(name: "method of \(method.count) letters", method: method))
        }
        for method in [
            "HEAD", "OPTIONS", "DELETE", "PATCH", "TRACE", "FOO", "PROPFIND", "POST", "PUT",
        ] {
            rows.append(Row(name: method, method: method))
        }
        for field in [
            "If-None-Match: *", "If-None-Match: \"x\"", "If-Match: \"x\"", "If-Match: *",
            "If-Modified-Since: \(Self.future)",
            "If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
            "If-Range: \"x\"", "Range: bytes=0-1", "Range: bytes=99999999-", "Range: lines=1-2",
            "Range: bytes=0-0,2-3", "Expect: 100-continue", "Expect: the-moon",
            "Accept: text/html", "Accept-Encoding: br;q=1, *;q=0", "TE: trailers", "Upgrade: h2c",
            "Connection: Upgrade, HTTP2-Settings", "Authorization: Basic eA==",
            "Transfer-Encoding: identity", "X-HTTP-Method-Override: DELETE", "Max-Forwards: 0",
        ] { rows.append(Row(name: field, fields: field + "\r\n")) }
        return rows
    }

    @Test func everyOddRequestGets200Or503() throws {
        let site = try SampleSite()
        let server = try ServerProcess(site)
        let document = try Tool.aasa(["build", site.folder.path("site/example.com")]).outputBytes
        #expect(!document.isEmpty)
        for row in rows {
            let client = try server.client()
            let host = row.host.map { "Host: \($0)\r\n" } ?? ""
            try client.send(
                "\(row.method) \(row.target) \(row.version)\r\n\(host)\(row.fields)\r\n\(row.body)")
            do {
                let answer = try client.response(toHead: row.method == "HEAD")
                expectEqual(answer.status, row.status, "\(row.name)")
                expectEqual(answer.body, (row.method == "HEAD" ? [] : document), "\(row.name)")
                let head = answer.head.lowercased()
                for field in ["etag", "last-modified", "accept-ranges", "set-cookie", "location"] {
                    #expect(!head.contains(field), "\(row.name): \(field)")
                }
            } catch {
                Issue.record("\(row.name): \(error)")
            }
        }
        expectEqual(server.stop(), 0)
    }

    @Test func whatCannotBeParsedGetsOneShortAnswer() throws {
        let server = try ServerProcess(try SampleSite())
        let associated = "GET \(TestClient.associationPath)"
        for (bytes, status) in [
            ("\0\0\0\0\r\n\r\n", 400), ("GET\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400),
            ("GET / HTTP/9.9\r\n\r\n", 400), ("GET / HTTP/1.1\nHost: x\n\n", 400),
            ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n", 400),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
            (String(repeating: "G", count: 70_000), 414),
            ("GET /" + String(repeating: "q", count: 70_000) + " HTTP/1.1\r\n\r\n", 414),
            (associated + "\r\n\r\n", 503), (associated + " HTTP/9.9\r\n\r\n", 503),
            (associated + " HTTP/1.1\r\nHost : example.com\r\n\r\n", 503),
            (associated + "?" + String(repeating: "q", count: 70_000) + " HTTP/1.1\r\n\r\n", 503),
        ] {
            let client = try server.client()
            try client.send(bytes)
            let text = String(decoding: try client.readToEnd(), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(bytes.prefix(80)): \(text)")
            #expect(text.contains("Connection: close\r\n") && text.utf8.count < 400)
            #expect(!text.dropFirst(9).contains("HTTP/1.1"))
            #expect(!client.wasReset, "\(bytes.prefix(40))")
        }
        try expectEqual(server.client().get().status, 200)
        expectEqual(server.stop(), 0)
    }

    /// RFC 9112 section 3.2: which host is asked is not clear.
    @Test(arguments: [
        "", "Host: a\r\nHost: b\r\n", "Host: a b\r\n", "Host: a/b\r\n", "Host: x:y\r\n",
        "Host: example.com\r\nhost: example.com\r\n", "Host: u@example.com\r\n",
    ])
    func aRequestWithoutOneValidHostIsAnError(fields: String) throws {
        let server = try ServerProcess(try SampleSite())
        for (path, status) in [("/", 400), (TestClient.associationPath, 503)] {
            let client = try server.client()
            // What follows is not read as a message.
            try client.send(
                "GET \(path) HTTP/1.1\r\n\(fields)\r\n"
                    + "GET /smuggled HTTP/1.1\r\nHost: example.com\r\n\r\n")
            let text = String(decoding: try client.readToEnd(), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
            #expect(text.contains("Connection: close"))
            #expect(!text.dropFirst(9).contains("HTTP/1.1"))
        }
        expectEqual(server.stop(), 0)
    }

    @Test func hostsAreKeptApart() throws {
        let server = try ServerProcess(try SampleSite())
        let client = try server.client("other.example")
        let other = String(decoding: try client.get(host: "other.example").body, as: UTF8.self)
        #expect(other.contains("com.example.other"))
        let first = String(decoding: try client.get(host: "example.com").body, as: UTF8.self)
        for team in SampleSite.teams { #expect(first.contains(team)) }
        try expectEqual(client.get("/.well-known/assetlinks.json").body, Array("[]\n".utf8))
        for path in ["/", "/apple-app-site-association/", "/.well-known/", "/x"] {
            try expectEqual(client.get(path).status, 404)
        }
    }
}
