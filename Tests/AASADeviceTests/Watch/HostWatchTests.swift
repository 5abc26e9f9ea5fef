import AppSiteAssociation
import TestSupport
import Testing

@testable import AASADevice

@Suite struct HostWatchTests {
    private static let document = WatchedDocument(
        digest: "one", apps: ["applinks T.a", "applinks T.b", "webcredentials T.a"])
    private static let day: Int64 = 86_400
    /// What a check does not see where TLS is all that it gets.
    private static let noAnswer: Set = ["answer", "document"]
    private static let noConnection = noAnswer.union(["connection", "tls"])

    private static func good(_ document: WatchedDocument = document) -> WatchObservation {
        let evidence = CheckEvidence(host: "example.com", port: 443, now: 0)
        let all = WatchObservation.parts(of: evidence, [], hasDocument: true).keys
        var observation = WatchObservation(parts: Set(all))
        observation.document = document
        observation.certificateEnds = 90 * day
        return observation
    }

    private static func with(
        _ code: String, severity: Severity? = nil, without parts: Set<String> = []
    ) -> WatchObservation {
        var observation = good()
        observation.parts.subtract(parts)
        if parts.contains("document") { observation.document = nil }
        observation.problems = [Diagnostic(code, "m", subject: "s", severity: severity)]
        return observation
    }

    /// What the looks, one a minute, are told as: `MINUTE change code`.
    private static func news(_ looks: [WatchObservation]) -> [String] {
        var watch = HostWatch(host: "example.com")
        return looks.enumerated().flatMap { minute, look in
            watch.take(look, now: Int64(minute) * 60).map {
                "\(minute) \($0.kind.rawValue) \($0.finding.code)"
            }
        }
    }

    @Test func reportsEachChangeOnce() {
        let missing = Self.with("status-not-found", without: Self.noAnswer)
        expectEqual(
            Self.news([
                Self.good(), missing, missing, missing, Self.good(), Self.good(), missing,
            ]),
            [
                "1 problem status-not-found", "4 resolved status-not-found",
                "6 problem status-not-found",
            ])
    }

    @Test func aFirstCheckReportsWhatIsWrong() {
        expectEqual(Self.news([Self.with("tls-ends-soon")]), ["0 problem tls-ends-soon"])
        expectEqual(Self.news([Self.good()]), [])
    }

    @Test func reportsThatAProblemGetsWorse() {
        expectEqual(
            Self.news([
                Self.with("answer-slow", severity: .warning),
                Self.with("answer-slow", severity: .error),
                Self.with("answer-slow", severity: .warning), Self.good(),
            ]),
            [
                "0 problem answer-slow", "1 problem answer-slow", "3 resolved answer-slow",
            ])
    }

    /// What lies behind the fault of the moment is unknown, not fixed.
    @Test func aCheckResolvesOnlyWhatItCouldSee() {
        expectEqual(
            Self.news([
                Self.with("answer-content-type"),
                Self.with("address-refused", without: Self.noConnection),
                Self.with("tls-expired", without: Self.noAnswer), Self.good(),
            ]),
            [
                "0 problem answer-content-type", "1 problem address-refused",
                "2 resolved address-refused", "2 problem tls-expired",
                "3 resolved answer-content-type", "3 resolved tls-expired",
            ])
    }

    @Test func reportsANewDocument() throws {
        var watch = HostWatch(host: "example.com")
        expectEqual(watch.take(Self.good(), now: 0), [])
        let fewer = WatchedDocument(digest: "two", apps: ["applinks T.a"])
        let loss = try #require(watch.take(Self.good(fewer), now: 60).first)
        #expect(loss.kind == .note && loss.finding.code == "document-changed")
        expectEqual(loss.finding.severity, .warning)
        #expect(loss.finding.message.contains("gone: applinks T.b, webcredentials T.a"))
        // An outage is no new document.
        expectEqual(
            watch.take(Self.with("status-not-found", without: Self.noAnswer), now: 120).count, 1)
        expectEqual(watch.take(Self.good(fewer), now: 180).map(\.kind), [.resolved])
        let more = try #require(watch.take(Self.good(), now: 240).first)
        expectEqual(more.finding.severity, .note)
    }

    /// Servers behind one name may have different certificates: the older one is no renewal.
    @Test func reportsARenewal() {
        var renewed = Self.good()
        renewed.certificateEnds = 180 * Self.day
        var watch = HostWatch(host: "example.com")
        expectEqual(watch.take(Self.good(), now: 0), [])
        expectEqual(watch.take(renewed, now: 60).map(\.finding.code), ["certificate-renewed"])
        expectEqual(watch.take(Self.good(), now: 120), [])
        expectEqual(watch.take(renewed, now: 180), [])
        expectEqual(watch.certificateEnds, 180 * Self.day)
    }

    @Test func knowsWhetherTheHostIsGoodAndSinceWhen() {
        var watch = HostWatch(host: "example.com")
        #expect(watch.lastLook == nil && watch.isGood)
        _ = watch.take(Self.with("tls-ends-soon"), now: 60)
        #expect(watch.isGood, "a warning takes nothing away")
        _ = watch.take(Self.with("tls-expired", without: Self.noAnswer), now: 120)
        #expect(!watch.isGood && watch.lastLook == 120)
        let missing = Self.with("tls-expired", without: Self.noAnswer)
        _ = watch.take(missing, now: 180)
        expectEqual(watch.problems["tls-expired"]?.since, 120)
        let end = watch.take(Self.good(), now: 300).first { $0.finding.code == "tls-expired" }
        #expect(end?.since == 120 && end?.time == 300)
    }
}
