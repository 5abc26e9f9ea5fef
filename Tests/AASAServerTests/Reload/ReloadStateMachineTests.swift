import Reactor
import Testing

@testable import AASAServer

@Suite struct ReloadStateMachineTests {
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(seconds * 1e9))
    }

    @Test func aChangeIsWaitedOut() {
        var machine = ReloadStateMachine()
        #expect(machine.deadline == nil)
        #expect(machine.changeNoticed(now: at(0)) == .wait)
        #expect(machine.deadline == at(0.25))
        #expect(machine.changeNoticed(now: at(0.2)) == .wait)
        #expect(machine.deadlinePassed(now: at(0.25)) == .wait)
        #expect(machine.deadlinePassed(now: at(0.45)) == .load(.change))
        #expect(machine.loadFinished(hasErrors: false, now: at(0.5)) == .final)
        #expect(machine.deadline == nil)
    }

    @Test func aFolderThatIsNeverQuietIsReadAllTheSame() {
        var machine = ReloadStateMachine()
        var now = 0.0
        while now < 5 {
            _ = machine.changeNoticed(now: at(now))
            #expect(machine.deadlinePassed(now: at(now)) == .wait)
            now += 0.1
        }
        #expect(machine.deadlinePassed(now: at(5.0)) == .load(.change))
    }

    @Test func anOrderIsObeyedAndAnsweredAtOnce() {
        var machine = ReloadStateMachine()
        #expect(machine.loadAsked(for: [.order], now: at(0)) == .load(.order))
        #expect(machine.loadFinished(hasErrors: true, now: at(0)) == .final)
        _ = machine.changeNoticed(now: at(1))
        #expect(machine.loadAsked(for: [.order], now: at(1)) == .load(.order))
        #expect(machine.deadline == nil)
    }

    @Test func whatMayBeHalfWrittenIsLookedAtAgainThreeTimes() {
        var machine = ReloadStateMachine()
        _ = machine.changeNoticed(now: at(0))
        #expect(machine.deadlinePassed(now: at(1)) == .load(.change))
        var now = 1.0
        for delay in [0.5, 1.0, 2.0] {
            #expect(machine.loadFinished(hasErrors: true, now: at(now)) == .preliminary)
            #expect(machine.deadline == at(now + delay))
            now += delay
            #expect(machine.deadlinePassed(now: at(now)) == .load(.retry))
        }
        #expect(machine.loadFinished(hasErrors: true, now: at(now)) == .final)
        #expect(machine.deadline == nil)
    }

    @Test func theSecondLookCanFindItWhole() {
        var machine = ReloadStateMachine()
        #expect(machine.due(.poll, now: at(0)) == .load(.poll))
        #expect(machine.loadFinished(hasErrors: true, now: at(0)) == .preliminary)
        #expect(machine.deadlinePassed(now: at(0.5)) == .load(.retry))
        #expect(machine.loadFinished(hasErrors: false, now: at(0.5)) == .final)
        #expect(machine.deadline == nil)
    }

    @Test func aChangeWhileReadingLeadsToAnotherRead() {
        var machine = ReloadStateMachine()
        _ = machine.loadAsked(for: [.order], now: at(0))
        #expect(machine.changeNoticed(now: at(0.1)) == .wait)
        #expect(machine.loadFinished(hasErrors: false, now: at(0.2)) == .final)
        #expect(machine.deadlinePassed(now: at(0.45)) == .load(.change))
    }

    @Test func anOrderWhileReadingLeadsToAnotherRead() {
        var machine = ReloadStateMachine()
        _ = machine.loadAsked(for: [.order], now: at(0))
        #expect(machine.loadAsked(for: [.order], now: at(0.1)) == .wait)
        _ = machine.loadFinished(hasErrors: false, now: at(0.2))
        #expect(machine.deadlinePassed(now: at(0.45)) == .load(.change))
    }

    /// Only an order takes away what was lost: nothing else may pass for one, nor hide one.
    @Test func anOrderOutranksWhatOthersAskFor() {
        for (causes, load): (Set<ReloadStateMachine.Cause>, ReloadStateMachine.Action) in [
            ([.certificates], .load(.certificates)), ([.revision], .load(.revision)),
            ([.revision, .certificates], .load(.revision)),
            ([.order, .certificates], .load(.order)), ([.order, .revision], .load(.order)),
            ([], .wait),
        ] {
            var machine = ReloadStateMachine()
            #expect(machine.loadAsked(for: causes, now: at(0)) == load, "\(causes)")
        }
    }

    /// Who waits for an outcome gets that of its own load.
    @Test func aRevisionIsReadAtOnceAndACertificateWithWhatSettles() {
        var machine = ReloadStateMachine()
        _ = machine.changeNoticed(now: at(0))
        #expect(machine.loadAsked(for: [.certificates], now: at(0.1)) == .wait)
        #expect(machine.deadline == at(0.25))
        #expect(machine.loadAsked(for: [.revision], now: at(0.1)) == .load(.revision))
        _ = machine.changeNoticed(now: at(0.1))
        #expect(machine.loadFinished(hasErrors: true, now: at(0.2)) == .final)
    }

    @Test func aChangeDuringRetriesSettlesAnew() {
        var machine = ReloadStateMachine()
        _ = machine.due(.poll, now: at(0))
        _ = machine.loadFinished(hasErrors: true, now: at(0))
        #expect(machine.changeNoticed(now: at(0.1)) == .wait)
        #expect(machine.deadline == at(0.35))
    }

    @Test func theHourOfACertificateLoadsOnce() {
        var machine = ReloadStateMachine()
        #expect(machine.due(.certificates, now: at(0)) == .load(.certificates))
        #expect(machine.due(.certificates, now: at(0)) == .wait)
        #expect(machine.due(.poll, now: at(0)) == .wait)
        #expect(machine.loadFinished(hasErrors: true, now: at(1)) == .final)
    }

    /// Something that writes all the time must not hide what is wrong.
    @Test func errorsAreReportedWhileTheFoldersKeepChanging() {
        var machine = ReloadStateMachine()
        var verdicts: [ReloadStateMachine.Verdict] = []
        for second in 0..<32 {
            _ = machine.changeNoticed(now: at(Double(second)))
            #expect(machine.deadlinePassed(now: at(Double(second) + 0.25)) == .load(.change))
            verdicts.append(
                machine.loadFinished(hasErrors: true, now: at(Double(second) + 0.5)))
        }
        #expect(verdicts.firstIndex(of: .final) == 30)
        #expect(verdicts.last == .preliminary)
    }
}
