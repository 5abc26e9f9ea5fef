import AASAClient
import TestSupport
import Testing

@testable import AASADevice

@Suite struct CheckJudgeVariantsTests: EvaluatorSuite {
    private static let captcha = exchange(200, "<html>g-recaptcha</html>")

    private static func found(_ more: Probes, main: ClientExchange = good) -> [String] {
        codes(base(main) + more)
    }

    // MARK: - Agents

    @Test(arguments: [
        (ProbeAgent.device, "agent-device"), (.unknown, "agent-unknown"), (.none, "agent-none"),
    ])
    func saysWhoIsTurnedAway(agent: ProbeAgent, code: String) {
        for answer in [
            Self.exchange(403), Self.exchange(200), Self.captcha,
            Self.exchange(200, "<!DOCTYPE html>x"), Self.failed(.reset(.head)),
        ] {
            expectEqual(Self.found([(.agent(agent), answer)]), [code])
        }
        expectEqual(Self.found([(.agent(agent), Self.good)]), [])
        let other = Self.exchange(200, Self.otherDocument)
        expectEqual(Self.found([(.agent(agent), other)]), ["agent-differs"])
    }

    /// iOS 8 asks at the root path, which has a judge of its own.
    @Test func doesNotMistakeTheOldDeviceForOthers() {
        expectEqual(Self.found([(.agent(.oldDevice), Self.exchange(403))]), [])
    }

    @Test func saysThatTheCrawlerAloneIsTurnedAway() {
        let blocked = Self.exchange(403, "no")
        let findings = Self.findings(Self.base(blocked) + [(.agent(.device), Self.good)])
        expectEqual(findings.map(\.code), ["agent-crawler"])
        expectEqual(findings.first?.message.contains("swcd of current devices"), true)
        // The remedy of whoever stands in the way.
        let challenged = Self.findings(
            Self.base(Self.captcha) + [(.agent(.device), Self.good)])
        expectEqual(challenged.map(\.code), ["agent-crawler"])
        expectEqual(challenged.first?.remedy, "Exempt both paths from the captcha.")
        // What the others get is judged in its place.
        let typed = Self.exchange(200, Self.document, [("Content-Type", "text/plain")])
        expectEqual(
            Self.found([(.agent(.device), typed)], main: blocked),
            ["agent-crawler", "answer-content-type"])
        // Where nobody is served, the crawler is nobody special.
        expectEqual(
            Self.found([(.agent(.device), Self.exchange(403))], main: blocked),
            ["status-forbidden"])
    }

    // MARK: - Answers that come now and then

    /// A rate limiter hits any request: which one it was says nothing.
    @Test(arguments: [
        ProbePurpose.agent(.none), .agent(.unknown), .agent(.device), .head, .http2, .range,
        .device(.ios14), .tls13,
    ])
    func namesARateLimiter(purpose: ProbePurpose) {
        expectEqual(Self.found([(purpose, Self.exchange(429))]), ["status-too-many"])
        let limited = Self.found([(purpose, Self.good)], main: Self.exchange(429))
        expectEqual(limited, ["status-too-many"])
    }

    /// A request that gets the document when it is sent again was not rejected for what it is.
    @Test(arguments: [
        (502, "status-gateway"), (503, "status-unavailable"), (500, "status-server-error"),
    ])
    func namesAServerThatFailsNowAndThen(status: Int, code: String) {
        let failed = Self.exchange(status)
        for purpose in [ProbePurpose.agent(.none), .head, .http2, .device(.developer)] {
            expectEqual(
                Self.found([(purpose, failed), (.again(purpose), Self.good)]), [code])
            // Another request's success shows it as well.
            expectEqual(
                Self.found([
                    (purpose, failed), (.agent(.device), failed),
                    (.again(.agent(.device)), Self.good), (.again(purpose), failed),
                ]), [code])
        }
        let first = ProbePurpose.base(.wellKnown, address: 0)
        expectEqual(
            Self.found([(.agent(.device), Self.good), (.again(first), Self.good)], main: failed),
            [code])
    }

    @Test func aRequestThatFailsAgainIsRejectedForWhatItIs() {
        let failed = Self.exchange(503)
        expectEqual(
            Self.found([(.agent(.none), failed), (.again(.agent(.none)), failed)]),
            ["agent-none"])
        let method = Self.exchange(501)
        expectEqual(Self.found([(.head, method), (.again(.head), method)]), ["answer-head"])
        // A challenge has its own name.
        let findings = Self.findings(Self.base(Self.good) + [(.agent(.none), Self.exchange(429))])
        #expect(findings[0].message.contains("sometimes") && findings[0].remedy != nil)
    }

    // MARK: - The root path

    @Test func comparesThePaths() {
        func codes(_ main: ClientExchange, _ root: ClientExchange) -> [String] {
            Self.codes(Self.base(main, root: root))
        }
        expectEqual(codes(Self.good, Self.exchange(200, Self.document + " ")), [])
        expectEqual(
            codes(Self.good, Self.exchange(200, Self.otherDocument)), ["answer-paths-differ"])
        expectEqual(codes(Self.good, Self.exchange(404)), ["answer-root-missing"])
        // The root path alone: said as such, and not as a document that is missing.
        expectEqual(codes(Self.exchange(404), Self.good), ["answer-root-only"])
        expectEqual(codes(Self.exchange(403), Self.good), ["status-forbidden"])
        expectEqual(codes(Self.exchange(404), Self.exchange(404)), ["status-not-found"])
        let untyped = Self.exchange(200, Self.document, [])
        expectEqual(
            Set(codes(Self.exchange(404), untyped)),
            ["answer-root-only", "answer-no-content-type"])
    }

    // MARK: - Versions and conditions

    @Test func comparesTheVersions() {
        // A handshake that takes too long says nothing about h2.
        for failure in [
            ClientFailure.refused, .unreachable("x"), .local("x"), .stopped, .timeout(.handshake),
        ] {
            expectEqual(Self.found([(.http2, Self.failed(failure))]), [], "\(failure)")
        }
        for failure in [ClientFailure.http2("x"), .timeout(.head), .closed(.head, missing: nil)] {
            expectEqual(Self.found([(.http2, Self.failed(failure))]), ["answer-http2-broken"])
        }
        expectEqual(Self.found([(.http2, Self.good)]), [])
        expectEqual(Self.found([(.http2, Self.exchange(404))]), ["answer-http2-differs"])
        expectEqual(
            Self.found([(.http2, Self.exchange(200, Self.otherDocument))]),
            ["answer-http2-differs"])
    }

    @Test(arguments: [
        (ProbePurpose.head, 200, nil), (.head, 405, "answer-head"), (.head, 204, "answer-head"),
        (.conditional, 200, nil), (.conditional, 304, "answer-conditional-304"),
        (.conditional, 412, "answer-conditional-412"), (.conditional, 303, nil),
        (.range, 200, nil), (.range, 206, "answer-range-206"), (.range, 416, "answer-range-416"),
        (.range, 304, nil),
    ])
    func judgesConditions(purpose: ProbePurpose, status: Int, code: String?) {
        expectEqual(
            Self.found([(purpose, Self.exchange(status))]), [code].compactMap { $0 })
        // Where no document comes, nothing is said about them.
        let codes = Self.found(
            [(purpose, Self.exchange(status))], main: Self.exchange(200, "<html>"))
        #expect(!codes.contains(code ?? ""))
    }

    /// RFC 9112 section 6.3: a client on a kept connection takes them for the next answer.
    @Test func noticesABodyBehindTheAnswerToHEAD() {
        var exchange = Self.exchange(200)
        exchange.surplus = 20
        expectEqual(Self.found([(.head, exchange)]), ["answer-head"])
    }

    // MARK: - Documents

    @Test func comparesByWhatIsSaid() {
        func same(_ a: String, _ b: String) -> Bool {
            DocumentComparison.same(Array(a.utf8), Array(b.utf8))
        }
        #expect(same("no JSON", "no JSON"))
        // What nobody can read has its own findings, and is no other document.
        #expect(same("no JSON", "no JSON either"))
        #expect(!same("no JSON", "{}"))
        #expect(same("{\"a\":1,\"b\":[]}", " {\"a\": 1, \"b\": [ ]}"))
        #expect(!same("{\"a\":1}", "{\"a\":2}"))
        #expect(!same("{\"a\":1}", "{"))
        // What looks signed and is not stays as it is.
        expectEqual(DocumentComparison.plain([0x30, 1, 2]), [0x30, 1, 2])
    }
}
