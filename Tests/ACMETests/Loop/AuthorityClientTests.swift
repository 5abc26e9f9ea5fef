import AASAClient
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import ACME

@Suite struct AuthorityClientTests {
    private func send(
        _ request: (UInt16) -> ServerRequest, tls: TLSServerSettings? = nil,
        answer: @escaping @Sendable (FaultRequest) -> FaultAnswer
    ) throws -> (Result<AuthorityResponse, TransportFailure>, [FaultRequest]) {
        let seen = Lock<[FaultRequest]>([])
        let server = try FaultServer(tls: tls) { request in
            seen.withLock { $0.append(request) }
            return answer(request)
        }
        let client = AuthorityClient(
            client: try HTTPClient(), authorityFile: nil, agent: "aasa/test (+contact)")
        let result = client.send(request(server.port))
        return withExtendedLifetime(server) { (result, seen.withLock { $0 }) }
    }

    @Test func `A request goes as the state machine has it, with a name and no more`() throws {
        let (_, posts) = try send { port in
            ServerRequest(.post, "http://127.0.0.1:\(port)/order?x", body: Array("{}".utf8))
        } answer: { _ in
            .http("200 OK")
        }
        let post = try #require(posts.first)
        expectEqual(post.method, "POST")
        expectEqual(post.path, "/order?x")
        expectEqual(post.agent, "aasa/test (+contact)")
        expectEqual(post.field("Accept-Language"), "en")
        expectEqual(post.field("Content-Type"), "application/jose+json")
        expectEqual(post.body, Array("{}".utf8))
        for method in [ServerRequest.Method.get, .head] {
            let (_, reads) = try send { port in
                ServerRequest(method, "http://127.0.0.1:\(port)/directory")
            } answer: { _ in
                .http("200 OK")
            }
            let read = try #require(reads.first)
            expectEqual(String(read.method), method.rawValue)
            #expect(read.field("Content-Type") == nil)
            #expect(read.field("Content-Length") == nil)
        }
    }

    @Test func `An answer is given with all that matters of its head, whatever its status`() throws
    {
        let (result, _) = try send {
            ServerRequest(.get, "http://127.0.0.1:\($0)/")
        } answer: { _ in
            .http(
                "429 Too Many",
                [
                    "Replay-Nonce: n-1", "Location: https://ca.test/order/1", "Retry-After: 60",
                    "Date: Fri, 15 Jan 2027 08:00:00 GMT",
                ], "{}", type: "application/problem+json")
        }
        try expectEqual(
            result.get(),
            AuthorityResponse(
                status: 429, nonce: "n-1", location: "https://ca.test/order/1",
                retryAfter: "60", date: "Fri, 15 Jan 2027 08:00:00 GMT", body: Array("{}".utf8))
        )
    }

    @Test func `More than an authority ever says is not read`() throws {
        for (count, isRead) in [
            (AuthorityResponse.bytesMaximum, true), (AuthorityResponse.bytesMaximum + 1, false),
        ] {
            let text = String(repeating: "a", count: count)
            let (result, _) = try send {
                ServerRequest(.get, "http://127.0.0.1:\($0)/")
            } answer: {
                _ in
                .http("200 OK", [], text)
            }
            #expect((try? result.get()) != nil ? isRead : !isRead)
        }
    }

    @Test func `A certificate that is refused is told from a line that is dead`() throws {
        let authority = try LocalAuthority.make(now: WallClock.seconds)
        let pair = try authority.issue(
            names: ["127.0.0.1"], key: .ecdsaP256, now: WallClock.seconds)
        let tls = TLSServerSettings(hosts: [TLSHost(names: ["127.0.0.1"], pairs: [pair])])
        let (untrusted, asked) = try send(
            { ServerRequest(.get, "https://127.0.0.1:\($0)/") }, tls: tls,
            answer: { _ in .http("200 OK") })
        guard case .failure(let refused) = untrusted else {
            Issue.record("a stranger was believed")
            return
        }
        #expect(refused.isTrust)
        #expect(asked.isEmpty)
        for url in ["http://127.0.0.1:1/", "ftp://ca.test/", "ca.test"] {
            let (result, _) = try send { _ in
                ServerRequest(.get, url)
            } answer: { _ in
                .silence
            }
            guard case .failure(let failure) = result else {
                Issue.record("\(url) answered")
                continue
            }
            #expect(!failure.isTrust)
            #expect(url.hasPrefix("http") || failure.description == "\(url) is not a URL")
        }
    }
}
