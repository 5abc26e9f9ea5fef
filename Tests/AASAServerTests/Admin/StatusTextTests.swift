import Testing

@testable import AASAServer

@Suite struct StatusTextTests {
    @Test func theVerdictComesFirstAndTheReasonsFollow() {
        var report = SampleReports.serving()
        let well = StatusText.lines(
            report, health: Health(report, shedNow: 0), history: History())
        #expect(well[0].hasPrefix("well: serving "))
        #expect(well.contains { $0.contains("812 bytes") })
        report.hosts[0].facts.problem = "teams/A.json:3:7: no comma"
        report.hosts[0].facts.keptSince = 1_795_219_200
        report.hosts[0].facts.removedTeams = [.init(team: "TEAM", apps: 2, since: 1_795_219_200)]
        let lines = StatusText.lines(
            report, health: Health(report, shedNow: 0), history: History())
        #expect(lines[0].hasPrefix("somebody should look: "))
        #expect(lines[1].contains("kept since 2026-11-21T00:00:00Z because teams/A.json:3:7"))
        #expect(lines.contains { $0.contains("team TEAM is gone since 2026-11-21") })
    }

    @Test func whatHasNoCertificateComesWithCauseAndRemedy() {
        var report = SampleReports.serving()
        var renewals = StatusReport.Renewals()
        var bad = StatusReport.Renewals.Entry(
            host: "shop.test", key: "ecdsa", state: "waiting", note: "there is none yet")
        bad.next = report.now + 600
        bad.tries = 3
        bad.lastError = "ca.test could not validate www.shop.test"
        bad.remedy = "See the AAAA record."
        var good = StatusReport.Renewals.Entry(
            host: "blog.test", key: "rsa", state: "good", note: "renewed in time")
        good.next = report.now + 864_000
        renewals.entries = [good, bad]
        renewals.budgets = [.init(authority: "ca.test", ordersLeft: 7, orders: 240)]
        report.renewals = renewals
        let lines = StatusText.lines(
            report, health: Health(report, shedNow: 0), history: History())
        #expect(lines[0].hasPrefix("somebody should look"))
        #expect(
            lines.contains(
                "  certificate of shop.test (ecdsa): there is none yet; tried in 10 min, "
                    + "3 failed tries"))
        #expect(lines.contains("    ca.test could not validate www.shop.test"))
        #expect(lines.contains("    See the AAAA record."))
        #expect(
            lines.contains("  1 certificate by ACME good, the next is renewed in 10 days"))
        #expect(lines.contains("  ca.test: 7 of 240 orders left"))
    }

    @Test func spansAreShort() {
        #expect(StatusText.span(-5) == "0 s")
        #expect(StatusText.span(119) == "119 s")
        #expect(StatusText.span(7199) == "119 min")
        #expect(StatusText.span(172_799) == "47 h")
        #expect(StatusText.span(864_000) == "10 days")
    }
}
