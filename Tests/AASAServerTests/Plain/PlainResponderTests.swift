// Covers: PlainChallenges.swift, EndpointCompanion.swift
// Covers: StatusReport+Renewals.swift

import Testing

@testable import AASAServer

@Suite struct PlainResponderTests {
    private func responder(redirects: Bool) -> PlainResponder {
        let challenges = PlainChallenges()
        challenges.replace(["token-1": "token-1.thumb"])
        return PlainResponder(
            challenge: { challenges.answer(to: $0) }, redirects: redirects,
            isServed: { $0 == "shop.test" })
    }

    private func ask(
        _ path: String, redirects: Bool = true, host: String? = "shop.test", method: String = "GET"
    ) -> AdminResponder.Response {
        responder(redirects: redirects).response(
            method: method, target: path, path: String(path.prefix { $0 != "?" }), authority: host)
    }

    @Test func `Challenges are answered, and nothing else of their folder`() {
        let answer = ask("/.well-known/acme-challenge/token-1")
        #expect(answer.status == 200)
        #expect(answer.body == Array("token-1.thumb".utf8))
        for path in ["", "token-2", "../../etc/passwd", "token-1/"] {
            #expect(ask("/.well-known/acme-challenge/\(path)").status == 404)
        }
    }

    @Test func `The association paths are never redirected`() {
        for path in ["/.well-known/apple-app-site-association", "/apple-app-site-association"] {
            for query in ["", "?x=1"] {
                let answer = ask(path + query)
                #expect(answer.status == 503)
                #expect(answer.value(of: "Location") == nil)
            }
        }
    }

    @Test func `Everything else goes to HTTPS where that is wanted, for our hosts alone`() {
        #expect(ask("/a?b=c").value(of: "Location") == "https://shop.test/a?b=c")
        #expect(ask("/a", host: "SHOP.test:80").value(of: "Location") == "https://shop.test/a")
        #expect(ask("/a", method: "POST").status == 308)
        #expect(ask("/a", redirects: false).status == 404)
        for host in [nil, "evil.test", "evil.test/shop.test"] {
            #expect(ask("/a", host: host).status == 404)
        }
        #expect(ask("http://evil.test/").status == 404)
    }
}
