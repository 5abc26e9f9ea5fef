import AppSiteAssociation
import TestSupport
import Testing

@testable import ACME

@Suite struct AuthorityResponseTests {
    private func answer(_ status: Int, _ body: String = "") -> AuthorityResponse {
        AuthorityResponse(status: status, body: Array(body.utf8))
    }

    @Test(arguments: [(199, false), (200, true), (299, true), (300, false), (404, false)])
    func `Success has a range`(status: Int, isSuccess: Bool) {
        expectEqual(answer(status).isSuccess, isSuccess)
    }

    @Test func `A body is read, and one that is none is named`() throws {
        try expectEqual(answer(200, "{\"a\":\"b\"}").json("the order")["a"]?.string, "b")
        let error = #expect(throws: InvalidResponse.self) {
            try answer(200, "<html>").json("the order")
        }
        expectEqual(error?.what.hasPrefix("the order cannot be read: "), true)
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try answer(200, nested(32)).json("it") }
        #expect(throws: InvalidResponse.self) { try answer(200, nested(33)).json("it") }
    }

    @Test func `What the authority says is wrong is taken from it`() {
        let own = answer(
            403, "{\"type\":\"urn:ietf:params:acme:error:caa\",\"detail\":\"CAA forbids\"}"
        ).problem
        #expect(own.kind == .caa && own.detail == "CAA forbids")
        expectEqual(answer(400, "{\"detail\":\"words alone\"}").problem.detail, "words alone")
    }

    /// Where it says nothing, its status does.
    @Test(arguments: [
        (429, ProblemDocument.Kind.rateLimited), (428, .other), (430, .other), (499, .other),
        (500, .serverInternal), (503, .serverInternal), (404, .other),
    ])
    func `A status without words is a problem as well`(status: Int, kind: ProblemDocument.Kind) {
        for body in ["", "<html>", "{}", "[]"] {
            let problem = answer(status, body).problem
            expectEqual(problem.kind, kind)
            expectEqual(problem.detail, "HTTP status \(status)")
        }
    }

    @Test func `The wait is in seconds from now`() {
        let date = AuthorityResponse(status: 503, retryAfter: "Fri, 15 Jan 2027 08:00:00 GMT")
        expectEqual(date.seconds(toWait: 1_800_000_000 - 60), 60)
        expectEqual(AuthorityResponse(status: 503, retryAfter: "7").seconds(toWait: 0), 7)
        #expect(answer(503).seconds(toWait: 0) == nil)
    }
}
