// Covers: StatusReport+Fleet.swift, FleetCompanion.swift

import AASAServer
import AppSiteAssociation
import Testing

@Suite struct StatusReportFleetTests {
    private let now = SampleReports.now

    private func report(
        _ change: (inout StatusReport.Fleet) -> Void = { _ in }
    ) -> StatusReport {
        var fleet = StatusReport.Fleet(name: "web", channel: "stable", machine: "m1")
        fleet.serving = 41
        fleet.target = 41
        fleet.isCurrent = true
        fleet.since = now - 1000
        fleet.contact = now
        change(&fleet)
        var report = SampleReports.serving()
        report.fleet = fleet
        return report
    }

    @Test func aMachineThatIsCurrentIsWell() {
        #expect(Health(report(), shedNow: 0).level == .well)
        let lines = StatusText.lines(
            report(), health: Health(report(), shedNow: 0), history: History())
        #expect(lines.contains("  fleet web, channel stable: serves revision 41"))
    }

    @Test func aRefusalIsSaidAndChangesNothingElse() {
        let refusing = report {
            $0.target = 42
            $0.isCurrent = false
            $0.refused = (42, "site/a/x: no")
        }
        let health = Health(refusing, shedNow: 0)
        #expect(health.level == .attention && health.isReady)
        #expect(health.reasons == ["fleet: revision 42 is refused, 41 stays: site/a/x: no"])
    }

    /// An election is no news; a store that is away for good is.
    @Test func aSilentStoreIsSaidAfterAWhile() {
        let short = report {
            $0.contact = now - 60
            $0.trouble = "the connection was refused"
        }
        #expect(Health(short, shedNow: 0).level == .well)
        let long = report {
            $0.contact = now - 600
            $0.trouble = "the connection was refused"
        }
        #expect(Health(long, shedNow: 0).level == .attention)
    }

    @Test func metricsAndJSONHaveIt() throws {
        let report = report { $0.target = 42 }
        let document = StatusJSON.document(
            report, health: Health(report, shedNow: 0), history: History(), load: LoadWatch())
        #expect(document["fleet"]?["channel"]?.string == "stable")
        var alone = report
        alone.fleet = nil
        let none = StatusJSON.document(
            alone, health: Health(alone, shedNow: 0), history: History(), load: LoadWatch())
        guard case .null? = none["fleet"]?.kind else {
            Issue.record("a fleet without one")
            return
        }
    }
}
