import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct TerminationStateMachineTests {
    private func at(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    private func machine(drain: Int = 0, ownsSockets: Bool = true) -> TerminationStateMachine {
        TerminationStateMachine(drainTime: .seconds(drain), ownsSockets: ownsSockets)
    }

    /// A person waits, or the sockets stay open and keep the clients that wait at them.
    @Test(arguments: [(true, true), (true, false), (false, false)])
    func closesTheListenersAtOnce(isInterrupt: Bool, ownsSockets: Bool) {
        var machine = machine(ownsSockets: ownsSockets)
        #expect(!machine.isEnding)
        expectEqual(
            machine.told(isInterrupt: isInterrupt, now: at(0)), .drain(within: .seconds(10)))
        #expect(machine.isEnding)
        #expect(!machine.isClosing)
        expectEqual(machine.deadline, .distantFuture)
        #expect(machine.turn(now: at(100)) == nil)
    }

    @Test func clientsThatHaveConnectedMaySpeakBeforeTheListenersClose() {
        var machine = machine()
        expectEqual(machine.told(isInterrupt: false, now: at(0)), .refuseNewClients)
        #expect(machine.isEnding && machine.isClosing)
        expectEqual(machine.deadline, at(0) + .milliseconds(900))
        #expect(machine.turn(now: at(0) + .milliseconds(899)) == nil)
        expectEqual(machine.turn(now: at(1)), .drain(within: .milliseconds(9100)), "10 s in all")
        #expect(!machine.isClosing)
        #expect(machine.turn(now: at(100)) == nil)
    }

    @Test func goesOnAcceptingForTheDrainTimeThatIsAskedFor() {
        var machine = machine(drain: 75)
        expectEqual(machine.told(isInterrupt: false, now: at(0)), .leave(until: at(75)))
        #expect(machine.isEnding)
        expectEqual(machine.deadline, at(75))
        for second in Int64(1)..<75 { #expect(machine.turn(now: at(second)) == nil) }
        expectEqual(machine.turn(now: at(75)), .refuseNewClients)
        expectEqual(machine.turn(now: at(76)), .drain(within: .milliseconds(9100)))
        #expect(machine.turn(now: at(77)) == nil)
        expectEqual(machine.deadline, .distantFuture)
        expectEqual(machine.timeMaximum, .seconds(90))
    }

    @Test func whoSitsInFrontOfItWaitsForNoBalancer() {
        var machine = machine(drain: 75)
        expectEqual(machine.told(isInterrupt: true, now: at(0)), .drain(within: .seconds(10)))
    }

    @Test(arguments: [true, false], [0, 75])
    func aSecondSignalEndsAtOnce(isInterrupt: Bool, drain: Int) {
        var machine = machine(drain: drain)
        _ = machine.told(isInterrupt: false, now: at(0))
        expectEqual(machine.told(isInterrupt: isInterrupt, now: at(1)), .drain(within: .zero))
        #expect(machine.turn(now: at(80)) == nil)
    }

    /// systemd tells every process of a unit to end, and those that are left once more.
    @Test func whoIsReplacedFinishesHoweverOftenItIsTerminated() {
        var machine = machine()
        expectEqual(machine.replaced(), .drain(within: .seconds(60)))
        #expect(machine.isEnding)
        for _ in 0..<3 {
            expectEqual(machine.told(isInterrupt: false, now: at(1)), .drain(within: .seconds(10)))
        }
        expectEqual(machine.told(isInterrupt: true, now: at(2)), .drain(within: .zero))
    }
}
