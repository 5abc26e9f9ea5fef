// Covers: HTTP01Challenges.swift

import TestSupport
import Testing

@testable import AASAServer
@testable import HTTP

@Suite struct PlainHTTPResponderTests {
    private func responder(redirects: Bool) -> PlainHTTPResponder {
        let challenges = HTTP01Challenges()
        challenges.replace(["token-1": "token-1.thumb"])
        return PlainHTTPResponder(
            challenges: challenges, redirects: redirects, isServed: { $0 == "shop.test" })
    }

    private func ask(
        _ path: String, redirects: Bool = true, host: String? = "shop.test", method: String = "GET"
    ) -> AuxiliaryResponse {
        responder(redirects: redirects).response(
            to: AuxiliaryRequest(
                method: method, target: path, path: String(path.prefix { $0 != "?" }),
                authority: host, authorization: nil, accept: nil))
    }

    @Test func `Challenges are answered, and nothing else of their folder`() {
        let answer = ask("/.well-known/acme-challenge/token-1")
        expectEqual(answer.status, 200)
        expectEqual(answer.body, Array("token-1.thumb".utf8))
        for path in ["", "token-2", "../../etc/passwd", "token-1/"] {
            expectEqual(ask("/.well-known/acme-challenge/\(path)").status, 404)
        }
    }

    @Test func `A token that is not known waits for a look that begins behind it`() throws {
        let challenges = HTTP01Challenges()
        let questions = challenges.questions
        var responder = PlainHTTPResponder(
            challenges: challenges, redirects: false, isServed: { _ in false })
        func answer(_ token: String) -> AuxiliaryAnswer {
            let path = Array("/.well-known/acme-challenge/\(token)".utf8)
            return path.withUnsafeBytes { path in
                Array("GET".utf8).withUnsafeBytes { method in
                    let request = RequestView(
                        method: .get, version: .http11, methodName: method, target: path,
                        path: path, authority: path, userAgent: nil, hasBody: false,
                        wantsClose: true, fault: nil)
                    return responder.answer(request)
                }
            }
        }
        func waiting(_ token: String) -> (() -> AuxiliaryAnswer?)? {
            if case .later(isPatient: false, let answer) = answer(token) { answer } else { nil }
        }
        #expect(text(answer("t")).hasPrefix("HTTP/1.1 404 "), "nobody looks")
        questions.attend {}
        let one = try #require(waiting("t"))
        #expect(one() == nil)
        let look = try #require(questions.beginLook())
        #expect(one() == nil)
        challenges.replace(["t": "t.thumb"])
        questions.endLook(look)
        #expect(text(one()).hasSuffix("\r\n\r\nt.thumb"))
        let other = try #require(waiting("u"))
        #expect(other() == nil)
        questions.endLook(try #require(questions.beginLook()))
        #expect(text(other()).hasPrefix("HTTP/1.1 404 "))
    }

    private func text(_ answer: AuxiliaryAnswer?) -> String {
        guard case .message(let message, _) = answer else { return "" }
        return String(decoding: message, as: UTF8.self)
    }

    @Test func `The association paths are never redirected`() {
        for path in [
            "/.well-known/apple-app-site-association", "/apple-app-site-association",
            "/%2ewell-known/%61pple-app-site-association", "/x/../apple-app-site-association",
            "/.well-known/./apple-app-site-association",
        ] {
            for query in ["", "?x=1"] {
                let answer = ask(path + query)
                expectEqual(answer.status, 503)
                #expect(answer.value(of: "Location") == nil)
            }
        }
    }

    /// Whatever a client on port 80 sends besides: it hears 503 or nothing, and no final "no".
    @Test func `No fault makes the answer of an association path another one`() throws {
        var responder = responder(redirects: true)
        for fault in RejectReason.allCases {
            let path = Array("/apple-app-site-association".utf8)
            let message = path.withUnsafeBytes { path in
                Array("GET".utf8).withUnsafeBytes { method in
                    let request = RequestView(
                        method: .get, version: .http11, methodName: method, target: path,
                        path: path, authority: nil, userAgent: nil, hasBody: false,
                        wantsClose: true, fault: fault)
                    return text(responder.answer(request))
                }
            }
            #expect(message.hasPrefix("HTTP/1.1 503 "), "\(fault)")
        }
    }

    @Test func `Everything else goes to HTTPS where that is wanted, for our hosts alone`() {
        expectEqual(ask("/a?b=c").value(of: "Location"), "https://shop.test/a?b=c")
        expectEqual(ask("/a", host: "SHOP.test:80").value(of: "Location"), "https://shop.test/a")
        expectEqual(ask("/a", method: "POST").status, 308)
        expectEqual(ask("/a", redirects: false).status, 404)
        for host in [nil, "evil.test", "evil.test/shop.test"] {
            expectEqual(ask("/a", host: host).status, 404)
        }
        expectEqual(ask("http://evil.test/").status, 404)
    }
}
