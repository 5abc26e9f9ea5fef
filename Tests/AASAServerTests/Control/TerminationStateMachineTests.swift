import Reactor
import Testing

@testable import AASAServer

@Suite struct TerminationStateMachineTests {
    private func at(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    private func machine(_ drain: Int = 75, isHeld: Bool = false) -> TerminationStateMachine {
        TerminationStateMachine(drainTime: .seconds(drain), isHeldElsewhere: isHeld)
    }

    @Test func goesOnAcceptingForTheDrainTime() {
        var machine = machine()
        #expect(!machine.isEnding)
        #expect(machine.told(isInterrupt: false, now: at(0)) == .leave(until: at(75)))
        #expect(machine.isEnding)
        #expect(machine.deadline(now: at(10)) == at(11))
        for second in 1..<75 {
            // An idle client, or somebody who comes now and then.
            let isOpen = second % 2 == 0
            #expect(
                machine.turn(now: at(Int64(second)), accepted: UInt64(second), open: isOpen ? 1 : 0)
                    == .none)
        }
        #expect(machine.turn(now: at(75), accepted: 75, open: 1) == .drain(within: .seconds(15)))
        #expect(machine.turn(now: at(76), accepted: 75, open: 1) == .none)
        #expect(machine.deadline(now: at(76)) == .distantFuture)
    }

    @Test func endsEarlyWhereNobodyComesAnyMore() {
        var machine = machine()
        _ = machine.told(isInterrupt: false, now: at(0))
        #expect(machine.turn(now: at(1), accepted: 7, open: 0) == .none)
        #expect(machine.turn(now: at(20), accepted: 8, open: 0) == .none)
        // The one of the 20th second counts from then on.
        #expect(machine.turn(now: at(31), accepted: 8, open: 0) == .none)
        #expect(machine.turn(now: at(49), accepted: 8, open: 0) == .none)
        #expect(machine.turn(now: at(50), accepted: 8, open: 0) == .drain(within: .seconds(15)))
    }

    @Test func anIdleConnectionIsNotQuiet() {
        var machine = machine()
        _ = machine.told(isInterrupt: false, now: at(0))
        for second in stride(from: Int64(1), to: 75, by: 1) {
            #expect(machine.turn(now: at(second), accepted: 1, open: 1) == .none)
        }
    }

    @Test func doesNotWaitWhereSomebodyElseListens() {
        var held = machine(isHeld: true)
        #expect(held.told(isInterrupt: false, now: at(0)) == .drain(within: .seconds(75)))
        var replaced = machine()
        #expect(replaced.replaced() == .drain(within: .seconds(75)))
        #expect(replaced.isEnding)
        // Who sits in front of it.
        var interrupted = machine()
        #expect(interrupted.told(isInterrupt: true, now: at(0)) == .drain(within: .seconds(75)))
        var hasty = machine(0)
        #expect(hasty.told(isInterrupt: false, now: at(0)) == .drain(within: .zero))
    }

    @Test(arguments: [true, false]) func aSecondSignalEndsAtOnce(_ isInterrupt: Bool) {
        for isHeld in [true, false] {
            var machine = machine(isHeld: isHeld)
            _ = machine.told(isInterrupt: false, now: at(0))
            #expect(machine.told(isInterrupt: isInterrupt, now: at(1)) == .drain(within: .zero))
            #expect(machine.turn(now: at(2), accepted: 1, open: 1) == .none)
        }
    }

    @Test func aShortDrainTimeLeavesAsLittleToFinish() {
        var machine = machine(2)
        _ = machine.told(isInterrupt: false, now: at(0))
        #expect(machine.turn(now: at(2), accepted: 1, open: 1) == .drain(within: .seconds(2)))
    }
}
