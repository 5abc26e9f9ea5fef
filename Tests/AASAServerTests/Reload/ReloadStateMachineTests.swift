import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ReloadStateMachineTests {
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(seconds * 1e9))
    }

    @Test func aChangeIsWaitedOut() {
        var machine = ReloadStateMachine()
        #expect(machine.deadline == nil)
        #expect(machine.load(for: [], now: at(0)) == nil)
        machine.changeNoticed(now: at(0))
        expectEqual(machine.deadline, at(0.25))
        machine.changeNoticed(now: at(0.2))
        #expect(machine.load(for: [], now: at(0.25)) == nil)
        expectEqual(machine.load(for: [], now: at(0.45)), .change)
        #expect(machine.deadline == nil)
        #expect(machine.load(for: [], now: at(0.45)) == nil)
    }

    @Test func aFolderThatIsNeverQuietIsReadAllTheSame() {
        var machine = ReloadStateMachine()
        var now = 0.0
        while now < 5 {
            machine.changeNoticed(now: at(now))
            #expect(machine.load(for: [], now: at(now)) == nil)
            now += 0.1
        }
        expectEqual(machine.load(for: [], now: at(5.0)), .change)
    }

    @Test func anOrderIsObeyedAtOnceAndSeesWhatSettles() {
        var machine = ReloadStateMachine()
        expectEqual(machine.load(for: [.order], now: at(0)), .order)
        machine.changeNoticed(now: at(1))
        expectEqual(machine.load(for: [.order], now: at(1)), .order)
        #expect(machine.deadline == nil)
    }

    /// Only an order takes away what was lost: nothing else may pass for one, nor hide one.
    @Test func anOrderOutranksWhatOthersAskFor() {
        for (causes, load): (Set<ReloadStateMachine.Cause>, ReloadStateMachine.Cause?) in [
            ([.certificates], .certificates), ([.revision], .revision),
            ([.revision, .certificates], .revision),
            ([.order, .certificates], .order), ([.order, .revision], .order), ([], nil),
        ] {
            var machine = ReloadStateMachine()
            expectEqual(machine.load(for: causes, now: at(0)), load, "\(causes)")
        }
    }

    /// Who waits for an outcome gets that of its own load.
    @Test func aRevisionIsReadAtOnceAndACertificateWithWhatSettles() {
        var machine = ReloadStateMachine()
        machine.changeNoticed(now: at(0))
        #expect(machine.load(for: [.certificates], now: at(0.1)) == nil)
        expectEqual(machine.deadline, at(0.25))
        expectEqual(machine.load(for: [.revision], now: at(0.1)), .revision)
        machine.changeNoticed(now: at(0.2))
        expectEqual(machine.load(for: [.certificates], now: at(0.45)), .change)
    }
}
