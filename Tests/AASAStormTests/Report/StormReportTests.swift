import TestSupport
import Testing

@testable import AASAStorm

// Covers: StormReport+Text.swift
// Covers: StormReport+HTML.swift
// Covers: StormReport+JSON.swift
@Suite struct StormReportTests {
    static func sample() -> StormReport {
        var report = StormReport()
        report.host = "example.com"
        report.address = "127.0.0.1:8443"
        report.path = "/.well-known/apple-app-site-association"
        report.shape = "spike"
        report.devices = 1000
        report.surgeSeconds = 10
        report.patience = [10, 30]
        report.protocolName = "HTTP/1.1"
        report.seconds = 12
        report.outcomes = [
            .associated: 900, .willRetry: 60, .failed(.timedOut): 30, .failed(.reset): 10,
        ]
        report.eraText = "ios9.3:1,ios13:9"
        report.eras = [.ios93: DeviceCount(), .ios13: DeviceCount()]
        for _ in 0..<100 { report.eras[.ios93]?.ended(.associated) }
        report.eras[.ios93]?.devices = 100
        report.eras[.ios13]?.devices = 900
        report.tries = 1000
        report.handshakes = 960
        report.statuses = [200: 900, 503: 60]
        for second in 0..<10 { report.timeline.arrived(atSecond: second) }
        report.timeline.ended(.associated, atSecond: 4)
        report.associatedLatency.record(nanoseconds: 4_000_000)
        report.unavailableLatency.record(nanoseconds: 9_000_000)
        report.lag.record(nanoseconds: 100_000)
        report.generatorCPU = 1.5
        return report
    }

    @Test func countsAndVerdict() {
        let report = Self.sample()
        expectEqual(report.failed, 40)
        expectEqual(report.ended, 1000)
        expectEqual(report.failures.map(\.reason), [.timedOut, .reset])
        #expect(!report.everyDeviceWasAnswered)
        expectEqual(report.verdict, "40 of 1,000 devices (4.00 %) failed; 90.00 % were associated.")
    }

    /// What of the certificate was checked stands in text and page, and survives a merge.
    @Test func saysWhatWasChecked() throws {
        var report = Self.sample()
        report.checksCertificate = true
        #expect(report.text.contains("checked in every handshake"))
        #expect(report.html.contains("checked in every handshake"))
        let read = try StormReport(partJSON: Array(report.json.utf8), name: "part")
        #expect(StormReport.merged([read, read]).checksCertificate)
        report.checksCertificate = false
        #expect(report.checkText.contains("not checked"))
    }

    /// A name is broken at its dots, not within a label.
    @Test func namesBreakAtTheirDots() {
        expectEqual(
            HTMLText.breakable("a<b.example.com:8443, 1,000 in 0.5 s."),
            "a&lt;b.<wbr>example.<wbr>com:8443, 1,000 in 0.5 s.")
        let page = Self.sample().html
        #expect(page.contains("example.<wbr>com"))
        // A column per kind of answer, a row per percentile.
        #expect(page.contains("<tr><th>longest</th><td>"), "\(page)")
    }

    @Test func verdictNeverRoundsUp() {
        var report = StormReport()
        report.devices = 200_000
        report.outcomes = [.associated: 199_999, .failed(.cut): 1]
        expectEqual(
            report.verdict, "1 of 200,000 devices (0.00 %) failed; 99.99 % were associated.")
        report.outcomes = [.associated: 200_000]
        expectEqual(report.verdict, "All 200,000 devices were associated.")
        report.outcomes = [.associated: 150_000, .willRetry: 50_000]
        #expect(report.everyDeviceWasAnswered)
        report.outcomes = [.associated: 199_999, .denied(.refused): 1]
        expectEqual(
            report.verdict,
            "1 devices (0.00 %) were denied: 300–499 on the association path: "
                + "no retry before an update.")
    }

    /// One no must not hide those who got no answer.
    @Test func verdictNamesDenialsAndFailures() {
        var report = StormReport()
        report.devices = 1000
        report.outcomes = [.associated: 99, .failed(.timedOut): 900, .denied(.refused): 1]
        expectEqual(
            report.verdict,
            "900 of 1,000 devices (90.00 %) failed; 1 were denied: 300–499 on "
                + "the association path: no retry before an update; 9.90 % were associated.")
        report.outcomes = [.associated: 99, .failed(.timedOut): 1, .denied(.refused): 900]
        #expect(report.verdict.hasPrefix("900 devices (90.00 %) were denied: "))
        #expect(report.verdict.hasSuffix("; 1 failed."))
    }

    /// Each no is told for what it was: an unsigned document is no status, and who asks again is
    /// not told never to.
    @Test func saysWhatKindOfNo() {
        var report = StormReport()
        report.devices = 30
        report.outcomes = [.denied(.unsigned): 20, .denied(.asksAgain): 10]
        expectEqual(
            report.verdict,
            "30 devices (100.00 %) were denied: 200 with an unsigned document; "
                + "iOS 8 requires a signed one (20 of them).")
        let lines = report.text.split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.contains("unsigned") && $0.contains("20") })
        #expect(lines.contains { $0.contains("asks-again") && $0.contains("retry in") })
        #expect(!report.text.contains("never"))
        #expect(report.json.contains("\"denials\":{\"unsigned\":20,\"asks-again\":10}"))
        report.outcomes = [.failed(.triesUsedUp): 30]
        #expect(report.text.contains("no retry before an update"))
        expectEqual(report.mood, .bad)
    }

    @Test func saysWhenTheGeneratorWasTheLimit() {
        var report = Self.sample()
        #expect(!report.generatorWasTheLimit)
        for _ in 0..<100 { report.lag.record(nanoseconds: 300_000_000) }
        #expect(report.generatorWasTheLimit)
        #expect(report.text.contains("The generator was the limit"))
        #expect(report.html.contains("class=\"warning\""))
    }

    @Test func moodFollowsTheDevices() {
        var report = Self.sample()
        expectEqual(report.mood, .bad)
        report.outcomes = [.associated: 900, .willRetry: 100]
        expectEqual(report.mood, .mixed)
        report.outcomes = [.associated: 1000]
        expectEqual(report.mood, .good)
        #expect(report.html.contains("<header class=\"good\">"))
    }

    @Test func mergeAddsEverything() {
        var report = Self.sample()
        report.merge(Self.sample())
        expectEqual(report.associated, 1800)
        expectEqual(report.statuses[503], 120)
        expectEqual(report.timeline.seconds[4].count.associated, 2)
        expectEqual(report.generatorCPU, 3)
        expectEqual(report.eras[.ios93]?.associated, 200)
        expectEqual(report.eras[.ios13]?.devices, 1800)
    }

    @Test func textNamesEveryOutcome() {
        let text = Self.sample().text
        for word in [
            "ios9.3", "associated", "will retry", "denied", "timed-out", "reset", "p99", "lag",
        ] {
            #expect(text.contains(word), "\(word)")
        }
    }

    @Test func pageIsSelfContainedAndEscaped() {
        var report = Self.sample()
        report.host = "<script>alert(1)</script>"
        let html = report.html
        #expect(!html.contains("<script"))
        #expect(html.contains("&lt;script&gt;"))
        #expect(!html.contains("src="))
        #expect(!html.contains("url("))
        #expect(html.contains("<polyline"))
        #expect(html.contains("iOS 9.3 to 12") && html.contains("iOS 13"))
        #expect(html.contains("default-src 'none'"))
    }

    @Test func jsonHoldsTheFigures() throws {
        let json = Self.sample().json
        for part in [
            "\"associated\":900", "\"willRetry\":60", "\"failed\":40", "\"timed-out\":30",
            "\"devices\":1000", "\"200\":900", "\"ios9.3\":{\"devices\":100,\"associated\":100",
        ] {
            #expect(json.contains(part), "\(part) in \(json)")
        }
    }
}
