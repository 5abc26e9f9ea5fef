import AppSiteAssociation
import TestSupport
import Testing

@testable import ACME

@Suite struct RenewalInfoRequestTests {
    private static func directory(_ renewalInfo: String?) -> AuthorityResponse {
        let more = renewalInfo.map { ",\"renewalInfo\":\"\($0)\"" } ?? ""
        let text = """
            {"newNonce":"https://ca.test/n","newAccount":"https://ca.test/a",
             "newOrder":"https://ca.test/o"\(more)}
            """
        return AuthorityResponse(status: 200, body: Array(text.utf8))
    }

    private static let window = AuthorityResponse(
        status: 200, retryAfter: "3600",
        body: Array(
            #"{"suggestedWindow":{"start":"2026-01-02T04:00:00Z","end":"2026-01-03T04:00:00Z"}}"#
                .utf8))

    private func question(_ session: AuthoritySession? = nil, now: Int64 = 0) -> RenewalInfoRequest
    {
        RenewalInfoRequest(
            id: LineageID(folder: "shop.test"),
            session: session ?? AuthoritySession(url: "https://ca.test/directory"),
            certificate: "aki.serial", now: now)
    }

    @Test func `The directory first, then the window, each once`() {
        var one = question()
        expectEqual(one.request, ServerRequest(.get, "https://ca.test/directory"))
        one.answered(Self.directory("https://ca.test/r"), now: 50)
        #expect(!one.isOver)
        expectEqual(one.session.directoryReadAt, 50)
        expectEqual(one.request, ServerRequest(.get, "https://ca.test/r/aki.serial"))
        one.answered(Self.window, now: 60)
        #expect(one.isOver)
        expectEqual(one.window.map { $0.end - $0.start }, 86_400)
        expectEqual(one.retryAfter, 3600)
    }

    @Test func `A slash more or less is the same address`() {
        var one = question()
        one.answered(Self.directory("https://ca.test/r/"), now: 0)
        expectEqual(one.request.url, "https://ca.test/r/aki.serial")
    }

    @Test func `A directory of today is not read again, one of yesterday is`() {
        var known = question()
        known.answered(Self.directory("https://ca.test/r"), now: 1000)
        let session = known.session
        #expect(question(session, now: 1000 + 86_399).request.url.hasSuffix("aki.serial"))
        expectEqual(question(session, now: 1000 + 86_400).request.url, session.url)
        expectEqual(question(session, now: 999).request.url, session.url)
    }

    @Test func `Where nothing is offered nothing is asked`() {
        var one = question()
        one.answered(Self.directory(nil), now: 0)
        #expect(one.isOver)
        #expect(one.window == nil && one.session.directory != nil)
    }

    @Test func `A refusal, nonsense and silence end it, without a window`() {
        var refused = question()
        refused.answered(AuthorityResponse(status: 503, retryAfter: "120"), now: 0)
        #expect(refused.isOver && refused.retryAfter == 120 && refused.window == nil)
        var nonsense = question()
        nonsense.answered(AuthorityResponse(status: 200, retryAfter: "120", body: [60]), now: 0)
        #expect(nonsense.isOver && nonsense.retryAfter == nil && nonsense.session.directory == nil)
        var odd = question()
        odd.answered(Self.directory("https://ca.test/r"), now: 0)
        odd.answered(AuthorityResponse(status: 200, body: Array("{}".utf8)), now: 0)
        #expect(odd.isOver && odd.window == nil)
        var silent = question()
        silent.failed()
        #expect(silent.isOver)
    }
}
