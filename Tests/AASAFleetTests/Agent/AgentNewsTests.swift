import TestSupport
import Testing

@testable import AASAFleet

@Suite struct AgentNewsTests {
    private func news() -> AgentNews {
        AgentNews(keys: FleetKeys(fleet: "web"), channel: "stable")
    }

    private func id(_ number: Int64) -> RevisionID {
        RevisionID(number: number, hash: String(repeating: "a", count: 64))
    }

    private func status(_ change: (inout AgentStatus) -> Void = { _ in }) -> AgentStatus {
        var status = AgentStatus()
        status.serving = id(1)
        status.target = id(1)
        change(&status)
        return status
    }

    @Test func aMachineThatIsWellSaysNothing() {
        var news = news()
        #expect(news.events(status(), remedy: nil).isEmpty)
        #expect(news.events(status { $0.contact = 5 }, remedy: nil).isEmpty)
    }

    /// Once, loudly, with what is served and what to do; what is over is said where it is news.
    @Test func damageIsSaidOnce() throws {
        let damage = RevisionDamage(revision: 2, reason: "site/a/x: it is gone")
        var news = news()
        let damaged = status { $0.damage = damage }
        let event = try #require(news.events(damaged, remedy: nil).first)
        #expect(event.needsAttention && event.remedy?.isEmpty == false)
        expectEqual(
            event.text,
            "fleet: revision 2 is damaged on this machine's disk (site/a/x: it is gone); "
                + "serving revision 1 instead")
        #expect(news.events(damaged, remedy: nil).isEmpty)
        #expect(news.events(status(), remedy: nil).isEmpty)
        expectEqual(news.events(damaged, remedy: nil).count, 1)
        let nothing = status {
            $0.damage = damage
            $0.serving = nil
        }
        var other = self.news()
        #expect(
            other.events(nothing, remedy: nil)[0].text.hasSuffix(
                "no other revision there is complete"))
    }

    @Test func aRefusalIsSaidOnce() {
        var news = news()
        let refused = status { $0.refusal = .init(revision: id(2), reason: "no") }
        expectEqual(
            news.events(refused, remedy: nil),
            [
                AgentEvent(
                    text: "fleet: revision 2 is rejected, still serving 1: no",
                    remedy: "run aasa fleet rollback, or publish a corrected site",
                    needsAttention: true)
            ])
        #expect(news.events(refused, remedy: nil).isEmpty)
        let pointer = status {
            $0.refusal = .init(revision: RevisionID(number: 0, hash: ""), reason: "no JSON")
        }
        expectEqual(
            news.events(pointer, remedy: nil).first?.text,
            "fleet: the channel is rejected, still serving 1: no JSON")
        #expect(news.events(status(), remedy: nil).isEmpty)
    }

    @Test func aChannelThatIsNotThereIsSaid() {
        var news = news()
        let missing = status { $0.isChannelMissing = true }
        expectEqual(
            news.events(missing, remedy: nil),
            [
                AgentEvent(
                    text: "fleet: etcd has no channel stable of web, still serving 1",
                    remedy:
                        "run aasa fleet publish SITE --channel stable, or correct this machine's "
                        + "--channel or --fleet", needsAttention: true)
            ])
        #expect(news.events(missing, remedy: nil).isEmpty)
        expectEqual(
            news.events(status(), remedy: nil),
            [AgentEvent(text: "fleet: channel stable exists again")])
    }

    @Test func aStoreThatIsAwayAndBackIsSaid() {
        var news = news()
        let away = status { $0.trouble = "the connection was refused" }
        expectEqual(
            news.events(away, remedy: "look"),
            [
                AgentEvent(
                    text: "fleet: the connection was refused; "
                        + "this machine keeps serving its revision",
                    remedy: "look",
                    needsAttention: true)
            ])
        #expect(news.events(away, remedy: "look").isEmpty)
        var first = self.news()
        let nothing = status {
            $0.trouble = "the connection was refused"
            $0.serving = nil
        }
        expectEqual(
            first.events(nothing, remedy: "look").map(\.text),
            [
                "fleet: the connection was refused; nothing is served until it answers"
            ])
        expectEqual(
            news.events(status(), remedy: nil), [AgentEvent(text: "fleet: etcd answers again")])
    }

    @Test func everythingThatIsNewIsSaid() {
        var news = news()
        let all = status {
            $0.damage = RevisionDamage(revision: 2, reason: "r")
            $0.refusal = .init(revision: id(3), reason: "no")
            $0.isChannelMissing = true
            $0.trouble = "away"
        }
        expectEqual(news.events(all, remedy: nil).count, 4)
    }

    // MARK: Why there is nothing

    @Test func theReasonForNothingIsTheFirstThatHolds() {
        let news = news()
        var status = AgentStatus()
        let nothing = news.whyNothing(status, trouble: nil).problem
        expectEqual(
            nothing.cause,
            "this machine's disk has no complete revision, and nothing was published to "
                + "channel stable of web")
        #expect(nothing.remedy.contains("--channel stable"))
        let away = news.whyNothing(status, trouble: .denied("no")).problem
        #expect(
            away.cause.hasSuffix(
                "and etcd cannot provide one: etcd denies this user the request: no"))
        expectEqual(away.remedy, EtcdFailure.denied("").remedy)
        status.refusal = .init(revision: id(3), reason: "no such team")
        expectEqual(news.whyNothing(status, trouble: nil).problem.cause, "no such team")
    }
}
