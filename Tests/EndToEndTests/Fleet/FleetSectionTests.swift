import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAFleet
@testable import AASAServer
@testable import aasa

@Suite struct FleetSectionTests {
    private let now: Int64 = 1_800_000_000

    private func section(_ change: (inout AgentStatus) -> Void = { _ in }) -> FleetSection {
        var section = FleetSection(name: "web", channel: "stable", machine: "m1")
        section.status.serving = id(41)
        section.status.target = id(41)
        section.status.since = now - 1000
        section.status.contact = now
        change(&section.status)
        return section
    }

    private func id(_ number: Int64) -> RevisionID {
        RevisionID(number: number, hash: "hash of \(number)")
    }

    private func reasons(_ change: (inout AgentStatus) -> Void = { _ in }) -> [String] {
        let report = StatusReport(version: "1", now: now, started: now)
        let found = section(change).problems(in: report)
        #expect(found.allSatisfy { $0.level == .attention }, "it serves on")
        return found.map(\.text)
    }

    private func line(_ change: (inout AgentStatus) -> Void = { _ in }) -> String? {
        let lines = section(change).lines(now: now)
        return lines.count == 1 ? lines[0] : nil
    }

    private func metric(
        _ name: String, _ change: (inout AgentStatus) -> Void = { _ in }
    ) -> Double? {
        let families = section(change).metrics
        let samples = families.first { $0.name == "aasa_fleet_\(name)" }?.samples ?? []
        expectEqual(samples.first?.labels.map(\.value), ["web", "stable"])
        return samples.count == 1 ? samples[0].value : nil
    }

    private func refusal(_ number: Int64, _ reason: String) -> MachineRecord.Refusal {
        MachineRecord.Refusal(revision: id(number), reason: reason)
    }

    @Test func aMachineThatIsCurrentIsWell() {
        #expect(reasons().isEmpty)
        expectEqual(line(), "  fleet web, channel stable: serves revision 41")
    }

    @Test func aRefusalIsSaid() {
        expectEqual(
            reasons {
                $0.target = id(42)
                $0.refusal = refusal(42, "site/a/x: no")
            }, ["fleet: revision 42 is rejected, still serving 41: site/a/x: no"])
    }

    /// What should be served is damaged on the disk: the reason names all three, the line too.
    @Test func damageIsSaidWithWhatIsServedInstead() {
        func damage(_ status: inout AgentStatus) {
            status.serving = id(40)
            status.damage = RevisionDamage(
                revision: 41, reason: "site/a/x: it has 2 bytes instead of 3")
        }
        expectEqual(
            reasons(damage),
            [
                "fleet: revision 41 is damaged on this machine's disk (site/a/x: it has 2 bytes "
                    + "instead of 3); serving revision 40 instead"
            ])
        expectEqual(
            line(damage),
            "  fleet web, channel stable: serves revision 40 instead of 41, which is damaged "
                + "on this machine; the channel is at 41")
        expectEqual(metric("damaged", damage), 1)
        expectEqual(metric("damaged"), 0)
    }

    @Test func aChannelThatIsNotThereIsSaid() {
        func missing(_ status: inout AgentStatus) {
            status.target = nil
            status.isChannelMissing = true
        }
        expectEqual(
            reasons(missing),
            [
                "fleet: etcd has no channel stable of web, still serving 41"
            ])
        expectEqual(
            line(missing),
            "  fleet web, channel stable: serves revision 41; etcd has no such channel")
        expectEqual(metric("channel_missing", missing), 1)
        expectEqual(metric("current", missing), 0)
        expectEqual(metric("channel_missing"), 0)
        expectEqual(metric("current"), 1)
    }

    /// The worst first; none hides another.
    @Test func everyProblemIsSaid() {
        let all = reasons {
            $0.damage = RevisionDamage(revision: 41, reason: "site/a/x: gone")
            $0.refusal = refusal(42, "no")
            $0.isChannelMissing = true
            $0.contact = now - 600
            $0.trouble = "the connection was refused"
        }
        expectEqual(all.count, 4)
        #expect(all.first?.contains("damaged") == true && all.last?.contains("answered") == true)
    }

    /// A channel that cannot be read at all names no revision.
    @Test func aChannelThatCannotBeReadIsRefusedToo() {
        expectEqual(
            reasons { $0.refusal = refusal(0, "no such channel") },
            ["fleet: the channel is rejected, still serving 41: no such channel"])
        expectEqual(
            reasons {
                $0.refusal = refusal(1, "no")
                $0.serving = nil
            }, ["fleet: revision 1 is rejected, nothing is served: no"])
    }

    /// A machine that serves nothing does not wait before it says why.
    @Test func aMachineWithoutARevisionSaysWhatIsMissing() {
        expectEqual(
            reasons {
                $0.serving = nil
                $0.trouble = "etcd refused the connection"
            }, ["fleet: etcd does not answer: etcd refused the connection"])
    }

    /// An election is no news; a store that is away for good is.
    @Test func aSilentStoreIsSaidAfterAWhile() {
        func isSaid(
            _ seconds: Int64, _ change: (inout AgentStatus) -> Void = { _ in }
        ) -> Bool {
            let found = reasons {
                $0.contact = now - seconds
                $0.trouble = "the connection was refused"
                change(&$0)
            }
            return !found.isEmpty
        }
        let limit = FleetSection.silenceSeconds
        #expect(limit > 60, "a member that restarts takes a minute")
        #expect(!isSaid(60) && !isSaid(limit - 1))
        #expect(isSaid(limit))
        #expect(!isSaid(600) { $0.trouble = nil }, "it answers again")
        // Never reached: it counts from the time since which the revision is served.
        #expect(isSaid(0) { $0.contact = nil })
        #expect(
            !isSaid(0) {
                $0.contact = nil
                $0.since = now - 60
            })
    }

    @Test func theLineSaysWhatIsServedAndWhatIsWanted() {
        let start = "  fleet web, channel stable: serves revision 41"
        expectEqual(line { $0.target = id(42) }, start + "; the channel is at 42")
        // The same number with other hashes is another revision.
        expectEqual(
            line { $0.target = RevisionID(number: 41, hash: "other") },
            start + "; the channel is at 41")
        expectEqual(line { $0.trouble = "x" }, start + "; etcd does not answer")
        expectEqual(
            line {
                $0.serving = nil
                $0.target = nil
            }, "  fleet web, channel stable: serves nothing")
    }

    @Test func theMetricsSayWhatIsServedWantedAndRefused() {
        expectEqual(metric("revision"), 41)
        expectEqual(metric("revision") { $0.serving = nil }, 0)
        expectEqual(metric("target_revision") { $0.target = id(42) }, 42)
        expectEqual(metric("current"), 1)
        expectEqual(metric("current") { $0.target = id(42) }, 0)
        expectEqual(metric("refused"), 0)
        expectEqual(metric("refused") { $0.refusal = refusal(42, "no") }, 1)
        expectEqual(metric("store_reachable"), 1)
        expectEqual(metric("store_reachable") { $0.trouble = "x" }, 0)
        expectEqual(metric("store_contact_timestamp_seconds"), Double(now))
    }

    @Test func theJSONHasIt() {
        let fleet = section { $0.target = id(42) }.json
        #expect(fleet["channel"]?.string == "stable" && fleet["name"]?.string == "web")
        #expect(fleet["machine"]?.string == "m1" && fleet["isCurrent"]?.bool == false)
        func number(_ name: String) -> String? {
            guard case .number(let text)? = fleet[name]?.kind else { return nil }
            return text
        }
        #expect(number("serving") == "41" && number("target") == "42")
        #expect(number("contact") == "\(now)" && number("since") == "\(now - 1000)")
        #expect(number("refused") == nil)
        let refusing = section { $0.refusal = refusal(42, "no") }.json
        expectEqual(refusing["reason"]?.string, "no")
    }
}
