import AASAClient
import AppSiteAssociation
import HTTP
import TestSupport
import Testing

@testable import AASADevice

@Suite struct CheckJudgeCDNTests: EvaluatorSuite {
    private static func found(
        _ copy: ClientExchange, origin: ClientExchange = good
    ) -> [Diagnostic] {
        findings(base(origin, root: origin.status == 200 ? nil : origin) + [(.cdn, copy)]).filter {
            $0.code.hasPrefix("cdn-")
        }
    }

    private static func head(_ fields: [(String, String)]) -> ResponseHead {
        ResponseHead(
            lines: [], status: 404, reason: "",
            fields: fields.map { HTTPField(name: $0.0, value: $0.1) })
    }

    @Test func judgesNoCopyThatItCouldNotGet() {
        expectEqual(Self.found(Self.failed(.timeout(.head))).map(\.code), ["cdn-unreachable"])
        expectEqual(Self.found(Self.failed(nil)).map(\.code), ["cdn-unreachable"])
        // Somebody else answers in its place.
        var forged = Self.exchange(200, Self.otherDocument)
        forged.tls = Self.facts(code: 20)
        expectEqual(Self.found(forged).map(\.code), ["cdn-unreachable"])
    }

    @Test func comparesTheCopyWithTheOrigin() {
        expectEqual(Self.found(Self.good), [])
        expectEqual(Self.found(Self.exchange(200, Self.document + "\n")), [])
        let fields = Self.json + [("Cache-Control", "max-age=3600"), ("Age", "60")]
        let stale = Self.found(Self.exchange(200, Self.otherDocument, fields))
        expectEqual(stale.map(\.code), ["cdn-stale"])
        expectEqual(stale.first?.message.hasSuffix("; the copy expires in 59 min"), true)
        expectEqual(stale.first?.message.contains("more changes"), false)
        let far = Self.found(
            Self.exchange(200, "{\"webcredentials\":{\"apps\":[\"D3KQX62K1A.com.example.b\"]}}"))
        expectEqual(far.first?.message.contains("more changes"), true)
        expectEqual(far.first?.message.contains("expires"), false)
        // Without a document of the origin nothing can be compared.
        expectEqual(
            Self.found(Self.exchange(200, Self.otherDocument), origin: Self.exchange(503)), [])
    }

    @Test(arguments: [
        ("SWCERR00101 Bad HTTP Response: 403", "cdn-bad-status"),
        ("SWCERR00202 Private address", "cdn-private-address"),
        ("SWCERR00301 Timeout", "cdn-timeout"), ("SWCERR00401 Bad JSON", "cdn-bad-json"),
        ("SWCERR00102 New", "cdn-unknown-failure"), ("SWCERR0010", "cdn-unknown-failure"),
        ("SWCERR0010x", "cdn-unknown-failure"), ("other words", "cdn-unknown-failure"),
        ("", "cdn-not-found"),
    ])
    func namesTheReason(reason: String, code: String) {
        let fields = reason.isEmpty ? [] : [("Apple-Failure-Reason", reason)]
        let findings = Self.found(
            Self.exchange(404, "", fields), origin: Self.exchange(404))
        expectEqual(findings.map(\.code), [code])
        expectEqual(
            findings.first?.message,
            (reason.isEmpty ? "status 404 without a reason" : reason))
    }

    /// A code that nobody has described yet still tells its group.
    @Test func guessesFromTheGroup() {
        func remedy(_ number: String) -> String? {
            let failure = CDNFailure(Self.head([("Apple-Failure-Reason", "SWCERR\(number) x")]))
            return failure.group.flatMap { CheckCatalog.entry(failure.code)?.remedies[$0] }
        }
        let groups = ["00199", "00299", "00399", "00499"].map { remedy($0) }
        expectEqual(Set(groups.compactMap { $0 }).count, 4)
        #expect(remedy("00599") == nil)
        // A known code has its own remedy in the catalogue.
        #expect(remedy("00101") == nil)
    }

    @Test func saysThatTheOriginIsGoodAgain() {
        let failed = Self.exchange(
            404, "",
            [("Apple-Failure-Reason", "SWCERR00301 Timeout"), ("Cache-Control", "max-age=7200")])
        let findings = Self.found(failed)
        expectEqual(findings.map(\.code), ["cdn-timeout", "cdn-negative-cached"])
        expectEqual(
            findings.last?.message, "the origin answers 200 now; this copy expires in 2 h")
        let bare = Self.found(Self.exchange(404, "", []))
        expectEqual(bare.last?.message, "the origin answers 200 now")
    }

    /// Whether the origin turns away the CDN alone cannot be seen from here.
    @Test(arguments: [
        ("403 Forbidden", true), ("301 Moved Permanently", true), ("404 Not Found", false),
    ])
    func doesNotAdviseToWaitForAFirewall(_ status: String, _ isBlocked: Bool) {
        let findings = Self.found(
            Self.exchange(
                404, "",
                [
                    ("Apple-Failure-Reason", "SWCERR00101 Bad HTTP Response: \(status)"),
                    ("Apple-Failure-Details", "{\"status\":\"\(status)\"}"),
                ]))
        expectEqual(findings.last?.code, "cdn-negative-cached")
        expectEqual(findings.last?.remedy?.contains("firewall"), isBlocked)
    }

    @Test func knowsThatTheTimeOfACopyIsPast() {
        let fields = Self.json + [("Cache-Control", "max-age=3600"), ("Age", "1036800")]
        let stale = Self.found(Self.exchange(200, Self.otherDocument, fields))
        expectEqual(stale.first?.remedy?.contains("12 d old"), true)
    }

    @Test func tellsAllThatTheCDNSays() {
        let head = Self.head([
            ("Apple-Failure-Reason", "SWCERR00101 Bad"),
            ("Apple-Failure-Details", "{\"status\":\"403 Forbidden\",\"tries\":2}"),
            ("Apple-From", "https://example.com/x"),
        ])
        expectEqual(
            CDNFailure(head).message(head),
            "SWCERR00101 Bad; status: 403 Forbidden, tries: 2; asked at https://example.com/x")
        expectEqual(CDNFailure.decode("no JSON"), "no JSON")
        expectEqual(CDNFailure.decode("[1]"), "[1]")
    }

    @Test(arguments: [
        ("max-age=3600", "600", 3000), ("max-age=3600", "3600", 0), ("max-age=3600", "9999", 0),
        ("public, Max-Age = 60", nil, 60), ("max-age=60", "x", 60), ("no-cache", "1", nil),
        ("s-maxage=60", nil, nil), ("max-age=x", nil, nil),
        ("max-age=1", "-9223372036854775808", 1), ("max-age=-9223372036854775808", "1", 0),
        ("max-age=9223372036854775807", "-1", 1 << 31),
    ])
    func countsTheSecondsLeft(control: String, age: String?, left: Int?) {
        let fields = [("Cache-Control", control)] + (age.map { [("Age", $0)] } ?? [])
        expectEqual(CDNFailure.secondsLeft(Self.head(fields)), left)
    }
}
