// Covers: StatusReport+Fleet.swift, FleetCompanion.swift

import AppSiteAssociation
import Testing

@testable import AASAServer

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

    /// What should be served is damaged on the disk: the reason names all three, the line too.
    @Test func damageIsSaidWithWhatIsServedInstead() {
        let damaged = report {
            $0.serving = 40
            $0.isCurrent = false
            $0.damaged = (41, "site/a/x: it has 2 bytes instead of 3")
        }
        let health = Health(damaged, shedNow: 0)
        #expect(health.level == .attention && health.isReady)
        #expect(
            health.reasons == [
                "fleet: revision 41 is damaged on this machine's disk (site/a/x: it has 2 bytes "
                    + "instead of 3), 40 is served instead; it is fetched anew when the store answers"
            ])
        let lines = StatusText.lines(damaged, health: health, history: History())
        #expect(
            lines.contains(
                "  fleet web, channel stable: serves revision 40 instead of 41, which is damaged "
                    + "here; the channel is at 41"))
        #expect(metric("aasa_fleet_damaged", damaged) == 1)
        #expect(metric("aasa_fleet_damaged", report()) == 0)
    }

    @Test func aChannelThatIsNotThereIsSaid() {
        let missing = report {
            $0.target = nil
            $0.isCurrent = false
            $0.isChannelMissing = true
        }
        let health = Health(missing, shedNow: 0)
        #expect(health.level == .attention && health.isReady)
        #expect(
            health.reasons == [
                "fleet: the store has no channel stable of web, 41 stays: aasa fleet publish SITE "
                    + "--channel stable, or correct this machine's --channel or --fleet"
            ])
        let lines = StatusText.lines(missing, health: health, history: History())
        #expect(
            lines.contains(
                "  fleet web, channel stable: serves revision 41; the store has no such channel"))
        #expect(metric("aasa_fleet_channel_missing", missing) == 1)
        #expect(metric("aasa_fleet_current", missing) == 0)
        #expect(metric("aasa_fleet_channel_missing", report()) == 0)
        #expect(metric("aasa_fleet_current", report()) == 1)
    }

    /// The worst first; none hides another.
    @Test func everyProblemIsSaid() {
        let all = report {
            $0.damaged = (41, "site/a/x: gone")
            $0.refused = (42, "no")
            $0.isChannelMissing = true
            $0.contact = now - 600
            $0.trouble = "the connection was refused"
        }
        #expect(Health(all, shedNow: 0).reasons.count == 4)
    }

    private func metric(_ name: String, _ report: StatusReport) -> Double? {
        ServerMetrics.fleet(report).first { $0.name == name }?.samples.first?.value
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
