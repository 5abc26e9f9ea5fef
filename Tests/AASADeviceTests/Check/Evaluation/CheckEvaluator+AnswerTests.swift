import AppSiteAssociation
import HTTP
import TestSupport
import Testing

@testable import AASAClient
@testable import AASADevice

@Suite struct CheckJudgeAnswerTests: EvaluatorSuite {
    // MARK: - How it ended

    @Test(arguments: [
        (ClientFailure.timeout(.head), "answer-timeout"), (.timeout(.body), "answer-timeout"),
        (.reset(.head), "answer-reset"), (.reset(.partialHead), "answer-reset"),
        (.reset(.body), "answer-cut"), (.closed(.body, missing: 3), "answer-cut"),
        (.closed(.body, missing: nil), "answer-cut"),
        (.closed(.partialHead, missing: nil), "answer-cut-head"),
        (.closed(.head, missing: nil), "answer-closed"), (.notHTTP("SSH"), "answer-not-http"),
        (.badFraming("x"), "answer-framing"), (.tooLarge(9), "answer-too-large"),
        (.certificate("x"), "tls-handshake"), (.http2("x"), "answer-http2-broken"),
    ])
    func namesTheFailure(failure: ClientFailure, code: String) {
        expectEqual(Self.codes(of: Self.failed(failure)), [code])
    }

    /// With TLS 1.3 the demand for a certificate comes behind the handshake, after the head even.
    @Test(arguments: [(UInt8(116), true), (41, true), (115, false), (42, false), (40, false)])
    func knowsADemandForACertificate(alert: UInt8, isDemand: Bool) {
        var exchange = Self.exchange(200)
        exchange.failure = Self.tls(.alertReceived(alert))
        expectEqual(
            Self.codes(of: exchange), [isDemand ? "tls-client-certificate" : "tls-handshake"])
    }

    // MARK: - Statuses

    @Test(arguments: [
        (100, "unusual"), (199, "unusual"), (201, "unusual"), (203, "unusual"),
        (204, "no-content"), (205, "no-content"), (206, "partial"), (207, "unusual"),
        (304, "not-modified"), (400, "client-error"), (401, "unauthorized"), (402, "client-error"),
        (403, "forbidden"), (404, "not-found"), (405, "method"), (406, "client-error"),
        (407, "unauthorized"), (410, "gone"), (418, "client-error"), (429, "too-many"),
        (499, "client-error"), (500, "server-error"), (501, "server-error"), (502, "gateway"),
        (503, "unavailable"), (504, "gateway"), (505, "server-error"), (599, "server-error"),
        // The refusal of some bot filters.
        (999, "unusual"),
    ])
    func namesTheStatus(status: Int, code: String) {
        let findings = Self.findings([
            (.base(.wellKnown, address: 0), Self.exchange(status, "no"))
        ])
        expectEqual(findings.map(\.code), ["status-" + code])
        expectEqual(findings.first?.message, "the answer is HTTP/1.1 \(status)")
    }

    /// What else was seen says which of a status's many causes it is.
    @Test(arguments: [
        (
            403, "<Error><Code>AccessDenied</Code></Error>", 404,
            "S3 also says AccessDenied for a missing object"
        ),
        (403, "Forbidden", 200, "begin with a dot (nginx: location ~ /\\.)"),
        (404, "<h2>HTTP Error 404.3 - Not Found</h2>", 404, "IIS serves no file whose type"),
    ])
    func namesTheFixOfAStatus(status: Int, body: String, root: Int, fix: String) throws {
        let findings = Self.findings([
            (.base(.wellKnown, address: 0), Self.exchange(status, body)),
            (.base(.root, address: 0), Self.exchange(root, "{}")),
        ])
        let code = status == 403 ? "status-forbidden" : "status-not-found"
        let finding = try #require(findings.first { $0.code == code })
        expectEqual(finding.remedy?.contains(fix), true, "\(finding.remedy ?? "")")
    }

    /// Without the evidence the cause is open.
    @Test func namesNoFixThatWasNotSeen() throws {
        for root in [403, 404] {
            let findings = Self.findings([
                (.base(.wellKnown, address: 0), Self.exchange(403, "no")),
                (.base(.root, address: 0), Self.exchange(root, "no")),
            ])
            let finding = try #require(findings.first { $0.code == "status-forbidden" })
            #expect(
                finding.remedy?.contains("dot") != true && finding.remedy?.contains("S3") != true)
        }
    }

    @Test(arguments: [
        ("https://localhost:3000/x", true), ("http://127.0.0.1/x", true),
        ("https://10.0.0.8/x", true), ("https://www.zoo.example.com/x", false),
    ])
    func namesTheFixOfARedirectToAMachineOfItsOwn(location: String, isOwn: Bool) throws {
        let findings = Self.findings([
            (
                .base(.wellKnown, address: 0),
                Self.exchange(302, "", [("Location", location)])
            )
        ])
        let finding = try #require(findings.first { $0.code.hasPrefix("redirect-") })
        expectEqual(finding.remedy?.contains("set its public address"), isOwn, "\(finding)")
    }

    @Test func saysWhoKeepsTheAskerOut() {
        expectEqual(Self.codes(of: Self.exchange(451, "no")), ["answer-geo-block"])
        expectEqual(Self.codes(of: Self.exchange(511, "no")), ["answer-login"])
        let captcha = Self.findings([
            (.base(.wellKnown, address: 0), Self.exchange(403, "<script>px-captcha</script>"))
        ])
        expectEqual(captcha.map(\.code), ["answer-challenge"])
        expectEqual(captcha.first?.message.contains("status 403"), true)
        expectEqual(captcha.first?.remedy?.contains("HUMAN"), true)
    }

    @Test func tellsTheWayOfARedirect() {
        let first = Self.exchange(301, "", [("Location", "https://a.example/x")])
        let hop = Self.exchange(302, "", [("Location", "/y")]) {
            $0 = Self.moved($0, to: ClientRequest(host: "a.example", target: "/x"))
        }
        var last = Self.moved(
            Self.failed(.refused), to: ClientRequest(host: "a.example", target: "/y"))
        func message(_ hops: Probes) -> String? {
            Self.findings([(.base(.wellKnown, address: 0), first)] + hops).first?.message
        }
        expectEqual(message([]), "301 to https://a.example/x")
        expectEqual(
            message([(.hop(0), hop), (.hop(1), last)]),
            "301 to https://a.example/x, then 302 to https://a.example/y, then "
                + "the connection was refused")
        last.failure = nil
        expectEqual(message([(.hop(0), hop), (.hop(1), last)])?.hasSuffix(", then 0"), true)
    }

    private static func moved(
        _ exchange: ClientExchange, to request: ClientRequest
    ) -> ClientExchange {
        var exchange = exchange
        exchange.request = request
        return exchange
    }

    @Test func saysThatARedirectLeadsNowhere() {
        let bare = Self.findings([(.base(.wellKnown, address: 0), Self.exchange(302, "", []))])
        expectEqual(bare.map(\.code), ["redirect-nowhere"])
        expectEqual(bare.first?.message, "status 302 with no Location")
        let odd = Self.exchange(302, "", [("Location", "ftp://x/")])
        expectEqual(
            Self.findings([(.base(.wellKnown, address: 0), odd)]).first?.message,
            "status 302 with Location: ftp://x/")
    }

    // MARK: - Speed

    /// From the end of the handshake to the first byte; a second is not yet too long.
    @Test(arguments: [
        (1000, nil, nil, false), (1001, nil, nil, true), (1500, 500, nil, false),
        (1501, 500, nil, true), (1501, 100, 501, false), (1502, 100, 501, true),
    ])
    func measuresTheServerAlone(firstByte: Int, connected: Int?, secured: Int?, isSlow: Bool) {
        let exchange = Self.exchange(200, Self.document) {
            $0.timing.connected = connected.map { .milliseconds($0) } ?? .zero
            $0.timing.secured = secured.map { .milliseconds($0) }
            $0.timing.firstByte = .milliseconds(firstByte)
        }
        expectEqual(Self.codes(of: exchange), (isSlow ? ["answer-slow"] : []))
    }

    @Test func writesSecondsWithATenth() {
        expectEqual(CheckEvaluator.seconds(.milliseconds(1999)), "1.9 s")
        expectEqual(CheckEvaluator.seconds(.milliseconds(60)), "0.0 s")
        expectEqual(CheckEvaluator.seconds(.seconds(30)), "30.0 s")
    }

    // MARK: - Content

    @Test func saysThatNothingOrTooMuchCame() {
        expectEqual(Self.codes(of: Self.exchange(200)), ["answer-empty"])
        let more = Self.exchange(200, Self.document) { $0.surplus = 1 }
        expectEqual(Self.codes(of: more), ["answer-surplus"])
        for (field, words) in [
            (("Content-Length", "9"), "1 byte follows the body, whose Content-Length is 9"),
            (("Transfer-Encoding", "chunked"), "1 byte follows the last chunk"),
        ] {
            let answer = Self.exchange(200, Self.document, Self.json + [field]) { $0.surplus = 1 }
            let finding = Self.findings([(.base(.wellKnown, address: 0), answer)]).first
            expectEqual(finding?.message, words)
            expectEqual(finding?.remedy?.contains("Content-Length"), (field.0 == "Content-Length"))
        }
        expectEqual(Self.codes(of: Self.exchange(200, "<html>x</html>")), ["answer-html"])
        expectEqual(
            Self.codes(of: Self.exchange(200, "<html><input type=\"password\"></html>")),
            ["answer-login"])
    }

    @Test func warnsOfHeadsThatCanBeReadInTwoWays() {
        func codes(_ fields: [(String, String)], hasNUL: Bool = false) -> Set<String> {
            var exchange = Self.good
            exchange.head = ResponseHead(
                lines: ["HTTP/1.1 200"], status: 200, reason: "",
                fields: (Self.json + fields).map { .init(name: $0.0, value: $0.1) },
                hasNUL: hasNUL)
            return Self.codes(of: exchange)
        }
        expectEqual(codes([("Content-Length", "1")]), [])
        expectEqual(codes([("Transfer-Encoding", "chunked")]), [])
        expectEqual(
            codes([("Content-Length", "1"), ("Transfer-Encoding", "chunked")]),
            ["answer-ambiguous"])
        expectEqual(codes([("Content-Type", "text/html")]), ["answer-ambiguous"])
        expectEqual(codes([], hasNUL: true), ["answer-ambiguous"])
    }

    @Test(arguments: [
        ("application/json", nil), ("Application/JSON ; charset=utf-8", nil),
        ("text/json", "answer-content-type"), ("application/json+x", "answer-content-type"),
        ("", "answer-no-content-type"),
    ])
    func wantsTheTypeOfJSON(type: String, code: String?) {
        let exchange = Self.exchange(200, Self.document, [("Content-Type", type)])
        expectEqual(Self.codes(of: exchange), Set([code].compactMap { $0 }))
    }

    @Test(arguments: [
        ("max-age=86400", false), ("max-age=86401", true), ("S-MaxAge = 90000", true),
        ("public, max-age=60, s-maxage=604800", true), ("max-age=x", false),
        ("max-stale=999999", false),
    ])
    func findsCachesThatKeepItLong(control: String, isLong: Bool) {
        let exchange = Self.exchange(
            200, Self.document, Self.json + [("Cache-Control", control)])
        expectEqual(Self.codes(of: exchange), (isLong ? ["answer-cached-long"] : []))
    }

    @Test(arguments: [("86400", false), (" 86401", true), ("-1", false), ("soon", false)])
    func findsCopiesThatAreOld(age: String, isOld: Bool) {
        let exchange = Self.exchange(200, Self.document, Self.json + [("Age", age)])
        expectEqual(Self.codes(of: exchange), (isOld ? ["answer-cached-long"] : []))
    }

    @Test func namesTheCookieAndNotItsValue() {
        let exchange = Self.exchange(
            200, Self.document, Self.json + [("Set-Cookie", "session=secret; Path=/")])
        let finding = Self.findings(Self.base(exchange)).first
        expectEqual(finding?.code, "answer-cookie")
        expectEqual(finding?.message, "Set-Cookie: session=…")
    }

    @Test func tellsACodingThatNobodyOfferedFromABrokenOne() {
        func finding(_ name: String, _ failure: ContentDecoder.Failure) -> Diagnostic? {
            let exchange = Self.exchange(200, "binary") { $0.coding = .failed([name], failure) }
            let findings = Self.findings(Self.base(exchange))
            return findings.first { $0.code == "answer-compressed-broken" }
        }
        let brotli = finding("br", .unknown("br"))
        let broken = finding("gzip", .damaged("crc"))
        expectEqual(brotli?.message.contains("Brotli"), true)
        expectEqual(brotli?.remedy?.contains("Accept-Encoding"), true)
        expectEqual(broken?.message.contains("gzip"), true)
        expectEqual(broken?.remedy, CheckCatalog.entry("answer-compressed-broken")?.remedy)
    }

    static let encodings: [(String, String?)] = [
        ("utf-8", "utf-8"), ("AWS-chunked,gzip", "aws-chunked"), ("gzip", nil), ("br", nil),
    ]

    @Test(arguments: encodings)
    func namesWhatIsNoCoding(value: String, name: String?) {
        let exchange = Self.exchange(
            200, Self.document, Self.json + [("Content-Encoding", value)])
        let findings = Self.findings(Self.base(exchange))
        expectEqual(findings.map(\.code), (name == nil ? [] : ["answer-unknown-coding"]))
        expectEqual(findings.first?.message, name.map { "Content-Encoding names \($0)" })
    }

    @Test func saysWhoGotACodingUnasked() {
        let coded = Self.exchange(200, Self.document) {
            $0.coding = .decoded(["gzip"], sentBytes: 1)
        }
        // Apple's crawler offers gzip.
        expectEqual(Self.codes(Self.base(coded)), [])
        expectEqual(
            Self.codes(Self.base(Self.good) + [(.agent(.none), coded), (.agent(.device), coded)]),
            ["answer-compressed"])
        var cut = coded
        cut.failure = .reset(.body)
        #expect(
            !Self.codes(Self.base(Self.good) + [(.agent(.none), cut)])
                .contains("answer-compressed"))
    }

    // MARK: - The document

    @Test func tellsTheFirstFindingsAndCountsTheRest() {
        let apps = (0..<30).map { "\"bad\($0)\"" }.joined(separator: ",")
        let text = "{\"webcredentials\":{\"apps\":[\(apps)]}}"
        let serious = Linter.lint(
            SourceText(name: "", text: text), as: .association, options: LintOptions(now: 0)
        ).filter { $0.severity > .note }
        let found = Self.findings([(.base(.wellKnown, address: 0), Self.exchange(200, text))])
        let more = found.filter { $0.code == "document-more" }
        #expect(serious.count > 20)
        expectEqual(found.count, 21)
        expectEqual(
            more.map(\.message),
            [
                "\(serious.count - 20) more findings about the document are not shown here"
            ])
        expectEqual(more.first?.severity, serious.map(\.severity).sorted().first)
    }

    @Test(arguments: [
        ("9QXW7P2LZT.com.example.app", "with the prefix D3KQX62K1A"),
        ("D3KQX62K1A.com.Example.app", "only in case"),
        ("D3KQX62K1A.com.examp1e.app", "looks similar"),
        ("D3KQX62K1A.org.other.thing", nil),
    ])
    func namesTheAppThatIsNearlyThere(app: String, hint: String?) throws {
        let findings = Self.findings(Self.base(Self.good), { $0.phone.app = app })
        let message = try #require(findings.first { $0.code == "document-app-not-listed" }).message
        #expect(
            hint.map { message.contains($0) } ?? message.hasSuffix("in any service"), "\(message)")
    }

    @Test func looksForTheApp() {
        for (app, codes) in [
            ("D3KQX62K1A.com.example.app", []),
            ("D3KQX62K1A.com.example.other", ["document-app-not-listed"]),
            ("d3kqx62k1a.com.example.app", ["document-app-not-listed"]),
        ] {
            expectEqual(Self.codes(Self.base(Self.good)) { $0.phone.app = app }, codes, "\(app)")
        }
        // A service that nobody documents counts as well.
        let own = "{\"myservice\":{\"apps\":[\"D3KQX62K1A.com.example.app\"]}}"
        let codes = Self.codes([(.base(.wellKnown, address: 0), Self.exchange(200, own))]) {
            $0.phone.app = "D3KQX62K1A.com.example.app"
        }
        #expect(!codes.contains("document-app-not-listed"))
    }
}
