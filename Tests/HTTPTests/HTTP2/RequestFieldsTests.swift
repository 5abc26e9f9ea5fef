import TestSupport
import Testing

@testable import HTTP

/// Through a session: the buffers of names and values are nghttp2's to make.
@Suite struct RequestFieldsTests {
    private func requests(_ lists: [(String, String)]...) throws -> [ParsedRequest] {
        let server = try ServerHarness()
        server.open()
        for (index, fields) in lists.enumerated() {
            server.receive(.request(UInt32(2 * index + 1), fields))
        }
        return server.requests.map(\.request)
    }

    private func request(_ fields: [(String, String)]) throws -> ParsedRequest {
        try #require(try requests(fields).first)
    }

    @Test(arguments: [
        ("GET", RequestMethod.get), ("HEAD", .head), ("POST", .other), ("get", .other),
        ("GETS", .other),
    ])
    func `The method is told apart to the letter`(name: String, method: RequestMethod) throws {
        let fields = RawFrame.get.map { $0.0 == ":method" ? ($0.0, name) : $0 }
        let request = try request(fields)
        #expect(request.method == method && request.methodName == name)
        #expect(request.version == .http2 && !request.wantsClose && !request.hasBody)
    }

    @Test func `The path ends before the query, the target does not`() throws {
        let request = try request(RawFrame.get("/a/b?c=/d"))
        #expect(request.path == "/a/b" && request.target == "/a/b?c=/d")
    }

    @Test func `The authority goes before the host, which stands in for it`() throws {
        let both = try request(RawFrame.get + [("host", "example.com")])
        expectEqual(both.authority, "example.com")
        let other = try request(RawFrame.get + [("host", "other.test")])
        expectEqual(other.authority, "example.com")
        let alone = RawFrame.get.filter { $0.0 != ":authority" } + [("host", "other.test")]
        try expectEqual(request(alone).authority, "other.test")
    }

    @Test func `Of the other fields one is kept`() throws {
        let request = try request(
            RawFrame.get + [("accept", "a"), ("user-agent", "swcd/1"), ("x", "y")])
        expectEqual(request.userAgent, "swcd/1")
        #expect(try self.request(RawFrame.get).userAgent == nil)
    }

    /// One list per session serves all of its requests.
    @Test func `Nothing of a request is left for the next`() throws {
        let full = RawFrame.get + [("user-agent", "swcd/1")]
        let tooMany = full + (0..<64).map { ("x\($0)", "v") }
        let told = try requests(full, tooMany, RawFrame.get("/b"))
        expectEqual(told.map(\.path), ["/a", "/a", "/b"])
        expectEqual(told.map(\.fault), [nil, .overLimit, nil])
        expectEqual(told.map(\.userAgent), ["swcd/1", "swcd/1", nil])
    }

    @Test func tooManyFieldsAndTooLongTarget() throws {
        let target = "/a?" + String(repeating: "q", count: 2046)
        let told = try requests(
            RawFrame.get + (0..<65).map { ("x\($0)", "v") },
            RawFrame.get + (0..<64).map { ("x\($0)", "v") }, RawFrame.get(target),
            RawFrame.get(String(target.dropLast())))
        expectEqual(told.map(\.fault), [.overLimit, nil, .overLimit, nil])
        expectEqual(told.map(\.path), ["/a", "/a", "/a", "/a"])
    }

    /// As over HTTP/1.1 (RFC 9110 section 7.2), as far as nghttp2 has not refused it already.
    @Test(arguments: [
        ("example.com:443", false), ("[::1]:1", false), ("u@example.com", true),
        ("x:443x", true), ("x%zz", true),
    ])
    func `The authority is judged like Host`(authority: String, isInvalid: Bool) throws {
        let others = RawFrame.get.filter { $0.0 != ":authority" }
        let told = try requests(
            others + [(":authority", authority)], others + [("host", authority)],
            RawFrame.get + [("host", authority)],
            others + [(":authority", authority)] + (0..<65).map { ("x\($0)", "v") })
        let expected: [RejectReason?] =
            isInvalid ? Array(repeating: .invalidHost, count: 4) : [nil, nil, nil, .overLimit]
        expectEqual(told.map(\.fault), expected)
    }

    /// Fields beyond the bytes that are looked at: the request is answered all the same.
    @Test func `A head that is too large is said to be`() throws {
        let server = try ServerHarness()
        server.open()
        let fields = (0..<6).map { ("x\($0)", String(repeating: "v", count: 14_000)) }
        let block = RawFrame.block(RawFrame.get)
        server.receive(RawFrame(type: RawFrame.headers, flags: 1, stream: 1, payload: block))
        for (index, field) in fields.enumerated() {
            server.receive(
                RawFrame(
                    type: RawFrame.continuation, flags: index == 5 ? RawFrame.endHeaders : 0,
                    stream: 1, payload: RawFrame.block([field])))
        }
        expectEqual(server.requests.map(\.request.fault), [.headTooLarge])
        expectEqual(server.requests.first?.request.path, "/a")
    }
}
