import Reactor
import Testing

@testable import AASAServer

@Suite struct LifecycleStateMachineTests {
    private func at(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    @Test func drainsUntilEmptyOrLate() {
        var machine = LifecycleStateMachine()
        #expect(machine.turn(now: at(0), openConnections: 0) == .serve)
        #expect(machine.drain(until: at(75)) == .beginDrain)
        #expect(machine.turn(now: at(1), openConnections: 2) == .keepDraining)
        var late = machine
        #expect(machine.turn(now: at(2), openConnections: 0) == .stop)
        #expect(machine.phase == .stopped)
        #expect(late.turn(now: at(75), openConnections: 9) == .stop)
    }

    @Test func aSecondOrderOnlyShortensTheTime() {
        var machine = LifecycleStateMachine()
        _ = machine.drain(until: at(75))
        #expect(machine.drain(until: at(100)) == .keepDraining)
        #expect(machine.phase == .draining(until: at(75)))
        #expect(machine.drain(until: at(3)) == .keepDraining)
        #expect(machine.phase == .draining(until: at(3)))
        #expect(machine.turn(now: at(3), openConnections: 1) == .stop)
        #expect(machine.drain(until: at(9)) == .stop)
    }
}
