import TestSupport
// Covers: HTTP1Limits.swift, HTTP1FieldValue.swift
import Testing

@testable import HTTP

/// What is refused, what is answered with a fault, what is plainly answered: each row is parsed
/// whole and in single bytes.
struct HTTP1StrictnessTests {
    static let line = "GET /a HTTP/1.1\r\n"
    static let host = "Host: x\r\n"

    func outcome(_ text: String, limits: HTTP1Limits = HTTP1Limits()) -> ParseOutcome {
        let whole = parseOnce(text, limits: limits)
        expectEqual(parseByByte(Array(text.utf8), limits: limits), whole)
        return whole
    }

    static let refusedStarts = [
        " GET /a HTTP/1.1\r\n",
        "GE\u{0}T /a HTTP/1.1\r\n",
        "G(T /a HTTP/1.1\r\n",
        "GET\t/a HTTP/1.1\r\n",
        "GET\r\n",
        "\u{16}\u{3}\u{1}\u{2}\r\n",
        "GET  /a HTTP/1.1\r\n",
        "GET a HTTP/1.1\r\n",
        "GET a/b HTTP/1.1\r\n",
        "GET ftp://x/a HTTP/1.1\r\n",
        "GET http:///a HTTP/1.1\r\n",
        "GET https:// HTTP/1.1\r\n",
        "GET https://u@x/a HTTP/1.1\r\n",
        "GET /a\tb HTTP/1.1\r\n",
        "GET /a\u{0}b HTTP/1.1\r\n",
        "GET /a\u{7F} HTTP/1.1\r\n",
        "GET /a\u{1B}[31m HTTP/1.1\r\n",
        "GET /a\rb HTTP/1.1\r\n",
        "GET /a\r\n",
        "GET /a \r\n",
        "GET /a  HTTP/1.1\r\n",
        "GET /a HTTP/1.1 \r\n",
        "GET /a b HTTP/1.1\r\n",
        "GET /a http/1.1\r\n",
        "GET /a HTTP/1\r\n",
        "GET /a HTTP/1.10\r\n",
        "GET /a HTTP/1,1\r\n",
        "GET /a HTTP/x.1\r\n",
        "GET /a HTTP/1.1\r\r\n",
        "GET /a HTTP/0.9\r\n",
        "GET /a HTTP/2.0\r\n",
        "PRI * HTTP/2.0\r\n",
        "GET /a HTTP/1.1\n",
        "\n",
        "\r\n\r\n\r\n",
    ]

    /// Behind a good request line.
    static let refusedFields = [
        "A: b\n",
        "A: b\r\n\n",
        " A: b\r\n",
        "A: b\r\n c\r\n",
        "A: b\r\n\tc\r\n",
        "A : b\r\n",
        "Host\t: x\r\n",
        ": b\r\n",
        "A\r\n",
        "A(: b\r\n",
        "Tränsfer-Encoding: chunked\r\n",
        "A\u{0}: b\r\n",
        "A\u{B}: b\r\n",
        "A: \u{0}\r\n",
        "A: b\u{7F}c\r\n",
        "A: 12345678\u{1}\r\n",
        "A: \t1234567812345678\u{1F}1234567812345678\r\n",
        "A: b\rc\r\n",
        "A: b\r\r\n",
        "A\r: b\r\n",
        "A: b\rHost: y\r\n",
    ]

    /// Answered with an error and closed (RFC 9112 §3.2).
    static let withoutAHost =
        [
            "GET /a HTTP/1.1\r\n",
            "GET https://y/a HTTP/1.1\r\n",
            "GET /a HTTP/1.9\r\nA: b\r\n",
            "GET /a HTTP/1.1\r\nHost: x\r\nHost: x\r\n",
            "GET /a HTTP/1.1\r\nHost: x\r\nHOST: y\r\n",
            "GET /a HTTP/1.0\r\nHost: x\r\nHost: x\r\n",
            "GET https://y/a HTTP/1.1\r\nHost: x\r\nHost: x\r\n",
            "POST /a HTTP/1.1\r\nHost: a b\r\nTransfer-Encoding: chunked\r\n",
            "GET /a HTTP/1.0\r\nHost: a/b\r\n",
        ]
        + [
            "a b", "a/b", "a?b", "u@x", "x:443x", "x:-1", "[::1", "[]", "[::1]x", "[::1]:x", "::1",
            "x\\y", "\"x\"", "<x>", "x%zz", "x%4", "\u{E4}.example", "x:443:443", "a#b", "a|b",
        ].map { "GET /a HTTP/1.1\r\nHost: \($0)\r\n" }
        + ["GET https://a|b/a HTTP/1.1\r\nHost: x\r\n"]

    @Test(arguments: withoutAHost)
    func malformed(head: String) throws {
        let request = try #require(outcome(head + "\r\n").request)
        expectEqual(request.fault, .invalidHost)
        #expect(request.wantsClose)
    }

    @Test(arguments: [
        "", "x", "x:", "x:443", "EXAMPLE.com.", "127.0.0.1:8443", "[::1]", "[::1]:1", "[v1.x]",
        "a_b", "x%41", "a,b", "xn--bcher-kva.example",
    ])
    func validHost(host: String) throws {
        let request = try #require(outcome("GET /a HTTP/1.1\r\nHost: \(host)\r\n\r\n").request)
        #expect(request.fault == nil && request.authority == host)
    }

    @Test func aMethodOfAnyLength() throws {
        let name = String(repeating: "A", count: 8300)
        let request = try #require(parseOnce("\(name) /a HTTP/1.1\r\nHost: x\r\n\r\n").request)
        #expect(request.method == .other && request.methodName == name && request.fault == nil)
    }

    /// A head is 64 KiB at most; up to there everything is answered.
    @Test(arguments: [8080, 8192, 16_384, 60_000, 65_450])
    func aTargetUpToTheHeadsLimit(count: Int) throws {
        let target = "/a?" + String(repeating: "q", count: count)
        let request = try #require(
            parseOnce("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n").request)
        #expect(request.path == "/a" && request.authority == "x" && request.target == target)
        #expect(request.fault == .overLimit && request.wantsClose)
    }

    @Test(arguments: refusedStarts + refusedFields.map { line + $0 })
    func refused(text: String) {
        expectEqual(outcome(text + "\r\n"), .reject(.unreadable))
    }

    static let faults = [
        "Content-Length: 1\r\n",
        "content-length:999999999999999999\r\n",
        "Content-Length: 0\r\nContent-Length: 0\r\n",
        "Content-Length: 0\r\nContent-Length: 5\r\n",
        "Content-Length: 5, 5\r\n",
        "Content-Length: +5\r\n",
        "Content-Length: -1\r\n",
        "Content-Length: 0x5\r\n",
        "Content-Length: 5 5\r\n",
        "Content-Length:\r\n",
        "Content-Length: 18446744073709551616\r\n",
        "Transfer-Encoding: chunked\r\n",
        "transfer-encoding: \tchunked\t\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding:\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Content-Length: 0\r\nTransfer-Encoding: gzip\r\n",
    ]

    @Test(arguments: faults)
    func answeredAndClosed(fields: String) throws {
        let text = "POST /a HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n"
        let request = try #require(outcome(text).request)
        #expect(request.fault == .content && request.wantsClose)
        #expect(request.path == "/a" && request.authority == "x")
        #expect(request.method == .other && request.methodName == "POST")
    }

    @Test(arguments: [
        "If-None-Match: \"x\"", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", "If-Match: *",
        "Range: bytes=0-1", "Range: bytes=9-1", "Range: x", "Content-Length: 0",
        "Upgrade: h2c", "TE: trailers", "Accept: text/html", "A:", "A:b", "A: \t b \t ",
        "A: caf\u{E9}", "X-Content-Length: 5", "Connection: keep-alive", "Cookie: a=b; c=d",
        "A!#$%&'*+-.^_`|~9: b",
    ])
    func answered(field: String) throws {
        let request = try #require(outcome(Self.line + Self.host + field + "\r\n\r\n").request)
        #expect(request.fault == nil && !request.wantsClose && !request.hasBody)
    }

    @Test(arguments: [
        ("close", true), ("Close", true), ("x, close", true), (",close,", true),
        ("keep-alive", false), ("closed", false), ("", false), ("clo se", false),
    ])
    func connectionOption(value: String, closes: Bool) throws {
        let request = try #require(
            outcome(Self.line + Self.host + "Connection: \(value)\r\n\r\n").request)
        expectEqual(request.wantsClose, closes)
        #expect(request.fault == nil)
    }

    @Test(arguments: [
        ("/a?x=1", "/a", "x"), ("/a?", "/a", "x"), ("/?a?b", "/", "x"), ("//a", "//a", "x"),
        ("/%2e%2e/a", "/%2e%2e/a", "x"), ("/a#b", "/a", "x"), ("/\u{E4}", "/\u{E4}", "x"),
        ("*", "*", "x"), ("https://y/a?z", "/a", "y"), ("HTTP://y:8443/", "/", "y:8443"),
        ("https://y", "", "y"), ("https://y?z", "", "y"), ("https://[::1]:1/a", "/a", "[::1]:1"),
    ])
    func target(target: String, path: String, authority: String) throws {
        let text = "OPTIONS \(target) HTTP/1.1\r\nHost: x\r\n\r\n"
        let request = try #require(outcome(text).request)
        #expect(request.path == path && request.authority == authority)
        expectEqual(request.target, target)
    }

    @Test func connect() throws {
        let request = try #require(outcome("CONNECT y:443 HTTP/1.1\r\nHost: x\r\n\r\n").request)
        #expect(request.path == "" && request.authority == "y:443")
        // A path in its place is no host, but decides the error.
        let path = try #require(outcome("CONNECT /a?q HTTP/1.1\r\nHost: x\r\n\r\n").request)
        #expect(path.path == "/a" && path.fault == .invalidHost)
    }

    @Test func versions() throws {
        let old = try #require(outcome("GET /a HTTP/1.0\r\n\r\n").request)
        #expect(old.version == .http10 && old.wantsClose && old.authority == nil)
        let kept = try #require(
            outcome("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").request)
        #expect(kept.wantsClose)
        let newer = try #require(outcome("GET /a HTTP/1.9\r\nHost:\r\n\r\n").request)
        #expect(newer.version == .http11 && newer.authority == "")
    }

    @Test func emptyLinesBeforeTheRequest() {
        expectEqual(outcome("\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n").request?.path, "/a")
    }

    @Test func rejectionIsForGood() {
        var parser = HTTP1RequestParser()
        let octets = Array("G T\r\n".utf8)
        for _ in 0..<2 {
            let outcome = octets.withUnsafeBytes { ParseOutcome(parser.parse($0)) }
            expectEqual(outcome, .reject(.unreadable))
        }
    }

    /// The answer depends on the path, so it is told as far as it was read.
    @Test(arguments: [
        ("G(T /a HTTP/1.1\r\n", "", "/a"), ("\n", "", "/b"), ("nonsense\r\n", "", ""),
        ("GET  /a HTTP/1.1\r\n", "GET", "/a"), ("GET\t/a\tHTTP/1.1\r\n", "", "/a"),
        ("GET /a#b?q HTTP/1.1\n", "", "/a"),
        ("\r\n\r\n\r\nGET /a?q HTTP/1.1\r\n", "", "/a"), ("G(T //a//\r\n", "", ""),
        ("GET https://me@x/a HTTP/1.1\r\n", "GET", "/a"),
        ("\0GET /a HTTP/1.1\r\n", "", "/a"), ("G\0ET /a\0 HTTP/1.1\r\n", "", "/a"),
        ("GET /a?q\r\n", "GET", "/a"), ("HEAD /a HTTP/9.9\r\n", "HEAD", "/a"),
        (line + "Host : x\r\n", "GET", "/a"), (line + " b\r\n", "GET", "/a"),
    ])
    func whatIsReadable(text: String, method: String, path: String) throws {
        var parser = HTTP1RequestParser()
        try Array((text + "\r\nGET /b HTTP/1.1\r\n").utf8).withUnsafeBytes { bytes in
            #expect(parser.unreadable(in: bytes) == nil)
            let reason = try #require(ParseOutcome(parser.parse(bytes)).rejection)
            let request = ParsedRequest(try #require(parser.unreadable(in: bytes)))
            #expect(request.methodName == method && request.path == path)
            #expect(request.fault == reason && request.wantsClose)
        }
    }

    @Test func emptyInput() {
        var parser = HTTP1RequestParser()
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        expectEqual(ParseOutcome(parser.parse(empty)), .needMore)
    }
}

/// The limits, at the limit and one beyond.
struct HTTP1LimitsTests {
    static let limits: HTTP1Limits = {
        var limits = HTTP1Limits()
        limits.headBytes = 100
        limits.targetBytes = 20
        limits.fieldCount = 3
        return limits
    }()

    func head(bytes: Int) -> String {
        let start = "GET /a HTTP/1.1\r\nHost: x\r\nA: "
        return start + String(repeating: "b", count: bytes - start.utf8.count - 4) + "\r\n\r\n"
    }

    @Test func headBytes() throws {
        let fitting = head(bytes: 100)
        expectEqual(fitting.utf8.count, 100)
        #expect(parseOnce(fitting, limits: Self.limits).request?.fault == nil)
        let outcome = parseOnce(head(bytes: 101), limits: Self.limits)
        let request = try #require(outcome.request)
        #expect(request.fault == .headTooLarge && request.wantsClose)
        #expect(request.path == "/a" && request.authority == "x")
        expectEqual(outcome, .request(request, consumed: 101))
    }

    @Test func headThatNeverEnds() throws {
        let text = head(bytes: 200)
        let outcome = parseByByte(Array(text.utf8), limits: Self.limits)
        expectEqual(outcome, .request(try #require(outcome.request), consumed: 100))
    }

    @Test func fortyKilobytesOfFields() throws {
        let fields = (0..<40).map { "X-\($0): \(String(repeating: "v", count: 1000))\r\n" }
        let text = "GET /a HTTP/1.1\r\nHost: x\r\n" + fields.joined() + "\r\n"
        let request = try #require(parseOnce(text).request)
        #expect(request.fault == nil && request.authority == "x")
        let long = fields.joined().replacing("vvvv", with: "vvvvvvvv")
        let larger = try #require(
            parseOnce("GET /a HTTP/1.1\r\nHost: x\r\n" + long + "\r\n").request)
        #expect(larger.fault == .headTooLarge && larger.authority == "x")
    }

    @Test func requestLineThatNeverEnds() {
        let text = "GET /" + String(repeating: "a", count: 200)
        expectEqual(parseOnce(text, limits: Self.limits), .reject(.requestLineTooLong))
    }

    @Test(arguments: [("GET /a?", "/a"), ("GET /a", "/a" + String(repeating: "q", count: 14))])
    func pathOfARequestLineThatNeverEnds(start: String, path: String) throws {
        var parser = HTTP1RequestParser(limits: Self.limits)
        let text = start + String(repeating: "q", count: 200)
        try Array(text.utf8).withUnsafeBytes { bytes in
            expectEqual(ParseOutcome(parser.parse(bytes)), .reject(.requestLineTooLong))
            let request = ParsedRequest(try #require(parser.unreadable(in: bytes)))
            #expect(request.path == path && request.fault == .requestLineTooLong)
        }
    }

    @Test func targetBytes() throws {
        for (count, fault) in [(20, nil), (21, RejectReason.overLimit)] {
            let target = "/a?" + String(repeating: "q", count: count - 3)
            let text = "GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n"
            let request = try #require(parseOnce(text, limits: Self.limits).request)
            #expect(request.fault == fault && request.path == "/a")
            expectEqual(request.wantsClose, (fault != nil))
        }
    }

    @Test func fieldCount() throws {
        let three = "GET /a HTTP/1.1\r\nA: 1\r\nB: 2\r\nHost: x\r\n"
        #expect(parseOnce(three + "\r\n", limits: Self.limits).request?.fault == nil)
        let request = try #require(
            parseOnce(three + "C: 3\r\n\r\n", limits: Self.limits).request)
        #expect(request.fault == .overLimit && request.authority == "x")
        // The host is found wherever it stands.
        let last = String(repeating: "A: 1\r\n", count: 10) + "Host: x\r\n\r\n"
        let late = try #require(parseOnce("GET /a HTTP/1.1\r\n" + last).request)
        #expect(late.fault == nil && late.authority == "x")
    }

    /// Each octet is looked at a bounded number of times, however it arrives: 8 KiB in single
    /// bytes would take a quadratic parser 33 million steps.
    @Test func singleBytesAreNotReadAgain() {
        let text = "GET /a HTTP/1.1\r\nHost: x\r\nA: " + String(repeating: "b", count: 8100)
        let octets = Array(text.utf8)
        var parser = HTTP1RequestParser()
        octets.withUnsafeBytes { bytes in
            for count in 1...bytes.count {
                let part = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                expectEqual(ParseOutcome(parser.parse(part)), .needMore)
            }
        }
    }
}
