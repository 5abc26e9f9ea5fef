import TestSupport
import Testing

@testable import AASAServer

@Suite struct StatusTextTests {
    @Test func theVerdictComesFirstAndTheReasonsFollow() {
        var report = SampleReports.serving()
        let well = StatusText.lines(report, Health(report))
        #expect(well[0].hasPrefix("well: serving "))
        #expect(well.contains { $0.contains("812 bytes") })
        report.hosts[0].facts.problem = "teams/A.json:3:7: no comma"
        report.hosts[0].facts.fix = "add one"
        report.hosts[0].facts.keptSince = 1_795_219_200
        report.hosts[0].facts.removedTeams = [.init(team: "TEAM", apps: 2, since: 1_795_219_200)]
        let lines = StatusText.lines(report, Health(report))
        #expect(lines[0].hasPrefix("attention needed: "))
        #expect(
            lines[1].contains(
                "serving the last good version since 2026-11-21T00:00:00Z, because teams/A.json:3:7"
            ))
        expectEqual(lines[2], "    fix: add one")
        #expect(lines.contains { $0.contains("team TEAM was removed at 2026-11-21") })
    }

    @Test func spansAreShort() {
        expectEqual(StatusText.span(-5), "0 s")
        expectEqual(StatusText.span(119), "119 s")
        expectEqual(StatusText.span(7199), "119 min")
        expectEqual(StatusText.span(172_799), "47 h")
        expectEqual(StatusText.span(864_000), "10 days")
    }
}
