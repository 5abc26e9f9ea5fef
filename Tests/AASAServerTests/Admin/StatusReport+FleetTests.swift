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

    /// A channel that cannot be read at all names no revision.
    @Test func aChannelThatCannotBeReadIsRefusedToo() {
        let refusing = report { $0.refused = (0, "no such channel") }
        #expect(
            Health(refusing, shedNow: 0).reasons
                == ["fleet: the channel is refused, 41 stays: no such channel"])
        let first = report {
            $0.refused = (1, "no")
            $0.serving = nil
        }
        #expect(
            Health(first, shedNow: 0).reasons == [
                "fleet: revision 1 is refused, nothing is served: no"
            ])
    }

    /// A machine that serves nothing does not wait before it says why.
    @Test func aMachineWithoutARevisionSaysWhatIsMissing() {
        var waiting = report {
            $0.serving = nil
            $0.trouble = "etcd refused the connection"
        }
        waiting.phase = .starting
        let health = Health(waiting, shedNow: 0)
        #expect(health.level == .failing && !health.isReady)
        #expect(
            health.reasons == [
                "starting: nothing is served yet",
                "fleet: the store does not answer: etcd refused the connection",
            ])
        waiting.reloads.problem = "certs: expired"
        #expect(
            Health(waiting, shedNow: 0).reasons.first
                == "starting: nothing is served yet: certs: expired")
    }

    /// An election is no news; a store that is away for good is.
    @Test func aSilentStoreIsSaidAfterAWhile() {
        func level(_ seconds: Int64, _ change: (inout StatusReport.Fleet) -> Void = { _ in })
            -> Health.Level
        {
            let silent = report {
                $0.contact = now - seconds
                $0.trouble = "the connection was refused"
                change(&$0)
            }
            return Health(silent, shedNow: 0).level
        }
        let limit = StatusReport.Fleet.silenceSeconds
        #expect(limit > 60, "a member that restarts takes a minute")
        #expect(level(60) == .well)
        #expect(level(limit - 1) == .well)
        #expect(level(limit) == .attention)
        #expect(level(600) { $0.trouble = nil } == .well, "it answers again")
        // Never reached: it counts from the time since which the revision is served.
        #expect(level(0) { $0.contact = nil } == .attention)
        #expect(
            level(0) {
                $0.contact = nil
                $0.since = now - 60
            } == .well)
    }

    @Test func theLineSaysWhatIsServedAndWhatIsWanted() {
        func line(_ change: (inout StatusReport.Fleet) -> Void) -> String? {
            report(change).fleet?.line
        }
        let start = "  fleet web, channel stable: serves revision 41"
        #expect(line { _ in } == start)
        #expect(
            line {
                $0.target = 42
                $0.isCurrent = false
            } == start + "; the channel is at 42")
        // The same number with other hashes is another revision.
        #expect(line { $0.isCurrent = false } == start + "; the channel is at 41")
        #expect(line { $0.trouble = "x" } == start + "; the store does not answer")
    }

    @Test func everyFactMakesADifference() throws {
        let fleet = try #require(report().fleet)
        let changes: [(inout StatusReport.Fleet) -> Void] = [
            { $0.name = "x" }, { $0.channel = "x" }, { $0.machine = "x" }, { $0.serving = 1 },
            { $0.target = 1 }, { $0.isCurrent = false }, { $0.since = 1 }, { $0.contact = 1 },
            { $0.trouble = "x" }, { $0.refused = (1, "x") },
        ]
        #expect(fleet == report().fleet)
        for (index, change) in changes.enumerated() {
            #expect(fleet != report(change).fleet, "\(index)")
        }
        #expect(report { $0.refused = (1, "x") }.fleet != report { $0.refused = (1, "y") }.fleet)
        #expect(report { $0.refused = (1, "x") }.fleet != report { $0.refused = (2, "x") }.fleet)
    }

    @Test func theMetricsSayWhatIsServedWantedAndRefused() {
        func value(
            _ name: String, _ change: (inout StatusReport.Fleet) -> Void = { _ in }
        ) -> Double? {
            let families = ServerMetrics.fleet(report(change))
            let samples = families.first { $0.name == "aasa_fleet_\(name)" }?.samples ?? []
            #expect(samples.first?.labels.map(\.value) == ["web", "stable"])
            return samples.count == 1 ? samples[0].value : nil
        }
        #expect(value("revision") == 41)
        #expect(value("revision") { $0.serving = nil } == 0)
        #expect(value("target_revision") { $0.target = 42 } == 42)
        #expect(value("current") == 1)
        #expect(value("current") { $0.isCurrent = false } == 0)
        #expect(value("refused") == 0)
        #expect(value("refused") { $0.refused = (42, "no") } == 1)
        #expect(value("store_reachable") == 1)
        #expect(value("store_reachable") { $0.trouble = "x" } == 0)
        #expect(value("store_contact_timestamp_seconds") == Double(now))
        #expect(ServerMetrics.fleet(SampleReports.serving()).isEmpty, "no fleet, no metrics")
    }

    @Test func theJSONHasIt() throws {
        let report = report { $0.target = 42 }
        let document = StatusJSON.document(
            report, health: Health(report, shedNow: 0), history: History(), load: LoadMonitor())
        let fleet = try #require(document["fleet"])
        #expect(fleet["channel"]?.string == "stable" && fleet["name"]?.string == "web")
        #expect(fleet["machine"]?.string == "m1")
        func number(_ name: String) -> String? {
            guard case .number(let text)? = fleet[name]?.kind else { return nil }
            return text
        }
        #expect(number("serving") == "41" && number("target") == "42")
        #expect(number("contact") == "\(now)" && number("since") == "\(now - 1000)")
        #expect(number("refused") == nil)
        var alone = report
        alone.fleet = nil
        let none = StatusJSON.document(
            alone, health: Health(alone, shedNow: 0), history: History(), load: LoadMonitor())
        guard case .null? = none["fleet"]?.kind else {
            Issue.record("a fleet without one")
            return
        }
    }
}
