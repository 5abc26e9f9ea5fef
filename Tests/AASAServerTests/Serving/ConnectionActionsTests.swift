import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// What a connection's machine decides about reading, writing and ending.
@Suite struct ConnectionActionsTests: MachineSuite {
    private typealias Ready = ConnectionStateMachine.ReadyAction

    private func event(
        _ machine: inout ConnectionStateMachine, readable: Bool = true, ended: Bool = false,
        broken: Bool = false
    ) -> Ready {
        machine.socketReady(readable: readable, ended: ended, broken: broken)
    }

    @Test func whatAnEventMeansIsSaidByThePhase() {
        var machine = ConnectionStateMachine(limits: limits, now: at(0))
        expectEqual(event(&machine), .helloArrived)
        machine.cameOutOfFullQueue()
        expectEqual(event(&machine), .helloArrived)
        #expect(machine.cameLate, "TCP knows when the bytes arrived")
        machine.helloBegan(now: at(0))
        #expect(!machine.cameLate)
        expectEqual(event(&machine), .readHello)
        machine.firstBytesArrived(now: at(0))
        expectEqual(event(&machine), .ignore)
        machine.handshakeStarted(now: at(0))
        expectEqual(event(&machine), .transfer)
        machine.outputBlocked()
        expectEqual(event(&machine), .sendUnsent)
        #expect(machine.outputDrained() == nil)
        machine.lingerBegan(now: at(0), reason: .answered)
        expectEqual(event(&machine), .discard)
        machine.closed(.answered)
        expectEqual(event(&machine), .ignore)
    }

    @Test func whoLeavesIsKnownByWhatHeWaitedFor() {
        var late = ConnectionStateMachine(limits: limits, now: at(0))
        late.cameOutOfFullQueue()
        expectEqual(event(&late, ended: true), .leftUnseen)
        var silent = ConnectionStateMachine(limits: limits, now: at(0))
        expectEqual(event(&silent, ended: true), .close(.leftWhileWaiting))
        var waiting = ConnectionStateMachine(limits: limits, now: at(0))
        waiting.firstBytesArrived(now: at(0))
        expectEqual(event(&waiting, ended: true), .leftWhileWaiting)
        var part = ConnectionStateMachine(limits: limits, now: at(0))
        part.helloBegan(now: at(0))
        expectEqual(event(&part, ended: true), .close(.handshakeAbandoned))
        // Unsent output that nobody will read.
        var answering = served()
        _ = answering.requestReceived(now: at(0), closing: nil)
        expectEqual(event(&answering, broken: true), .transfer)
        answering.outputBlocked()
        expectEqual(event(&answering, broken: true), .close(.leftBeforeAnswer))
    }

    /// A peer that does not read is not read.
    @Test func nothingIsReadWhileOutputWaits() {
        var machine = served()
        #expect(machine.mayReceive)
        machine.outputBlocked()
        #expect(!machine.mayReceive)
        expectEqual(event(&machine), .sendUnsent)
        #expect(!machine.mayReceive)
        #expect(machine.outputDrained() == nil)
        #expect(machine.mayReceive)
    }

    /// A pipeliner: requests stand behind the answer under way. Nothing more is read until they are
    /// answered, however often the socket says that there is more; or each read would be kept, and
    /// copied, behind all others.
    @Test func nothingIsReadWhileInputIsHeld() {
        var machine = served()
        machine.received(filled: true)
        _ = machine.requestReceived(now: at(0), closing: nil)
        expectEqual(machine.worked(holdsInput: true), .goOnNextTurn)
        #expect(!machine.mayReceive)
        expectEqual(event(&machine), .transfer)
        #expect(!machine.mayReceive)
        // The kernel takes no more of the answer: only its event goes on.
        machine.outputBlocked()
        expectEqual(machine.worked(holdsInput: true), .rest)
        expectEqual(event(&machine), .sendUnsent)
        #expect(machine.outputDrained() == nil)
        #expect(!machine.mayReceive)
        // The last of them is answered.
        expectEqual(machine.worked(holdsInput: false), .receive)
        #expect(machine.mayReceive)
        machine.receivedNothing()
        expectEqual(machine.worked(holdsInput: false), .rest)
    }

    /// Whose share of the turn is used up goes on in the next one; who has ended does not.
    @Test func workGoesOnWithinItsShare() {
        var machine = served()
        expectEqual(machine.queue(), true)
        expectEqual(machine.worked(holdsInput: false), .goOnNextTurn)
        expectEqual(machine.turnCame(), .transfer)
        expectEqual(machine.worked(holdsInput: false), .receive)
        machine.lingerBegan(now: at(0), reason: .answered)
        expectEqual(machine.worked(holdsInput: false), .rest)
    }

    /// A client that sends one byte, or half a ClientHello, is no handshake: it takes no place
    /// among those that are worked on, and its time counts from its first byte.
    @Test func aPartOfAHelloIsNoHandshake() {
        var machine = ConnectionStateMachine(limits: limits, now: at(0))
        machine.helloBegan(now: at(1))
        #expect(!machine.isHandshaking && !machine.isWaiting)
        machine.helloBegan(now: at(9))
        expectEqual(machine.deadlinePassed(now: at(11)), .close(.handshakeTimeout))
        machine.firstBytesArrived(now: at(9))
        #expect(machine.isWaiting && !machine.isHandshaking)
        machine.handshakeStarted(now: at(10))
        #expect(machine.isHandshaking)
    }

    /// Events are edge-triggered: what was told once is not told again.
    @Test func inputIsReadToItsEnd() {
        var machine = served()
        machine.received(filled: true)
        #expect(machine.mayReceive)
        machine.received(filled: false)
        #expect(!machine.mayReceive)
        _ = event(&machine)
        #expect(machine.mayReceive)
        machine.receivedNothing()
        #expect(!machine.mayReceive)
        // The end was told beside the last bytes: it is still to be read behind a short read.
        _ = event(&machine, ended: true)
        machine.received(filled: false)
        #expect(machine.mayReceive)
        machine.receivedEnd()
        #expect(!machine.mayReceive && machine.inputHasEnded)
        _ = event(&machine)
        #expect(!machine.mayReceive)
    }

    @Test func aTurnComesOnce() {
        var machine = served()
        expectEqual(machine.turnCame(), .ignore)
        expectEqual(machine.queue(), true)
        expectEqual(machine.queue(), false)
        expectEqual(machine.turnCame(), .transfer)
        expectEqual(machine.turnCame(), .ignore)
    }

    /// Blocked is not closed: what waits leaves first, and then our direction ends.
    @Test func theEndComesBehindAllOutput() {
        var machine = served()
        expectEqual(machine.requestReceived(now: at(0), closing: .answered), .answered)
        expectEqual(machine.endsBehindAnswer, .answered)
        expectEqual(machine.notify(.answered), true)
        expectEqual(machine.notify(.idleTimeout), false)
        machine.outputBlocked()
        expectEqual(machine.outputDrained(), .answered)
        #expect(machine.isOpen)
        expectEqual(machine.closed(.answered), true)
        expectEqual(machine.closed(.answered), false)
    }

    @Test func onlyAQuietEndNeedsNoLingering() {
        func ended(
            _ reason: CloseReason, drained: Bool = true, isQuiet: Bool = true,
            underWay: Bool = false
        ) -> CloseReason? {
            var machine = served()
            if drained { machine.receivedNothing() }
            return machine.outputEnded(
                reason, now: at(0), isQuiet: isQuiet, answerIsUnderWay: underWay)
        }
        expectEqual(ended(.answered), .answered)
        #expect(ended(.answered, drained: false) == nil)
        #expect(ended(.answered, isQuiet: false) == nil)
        #expect(ended(.answered, underWay: true) == nil)
        #expect(ended(.requestBody) == nil)
        var gone = served()
        gone.receivedEnd()
        let action = gone.outputEnded(
            .peerClosed, now: at(0), isQuiet: false, answerIsUnderWay: false)
        expectEqual(action, .peerClosed)
    }

    /// A peer that has ended its direction still gets its answer, which stays in sight meanwhile.
    @Test func anAnswerUnderWayIsNotForgottenForAHalfClosedPeer() {
        var machine = served()
        machine.receivedEnd()
        let action = machine.outputEnded(
            .peerClosed, now: at(0), isQuiet: false, answerIsUnderWay: true)
        #expect(action == nil)
        #expect(machine.inputDidEnd() == nil)
        expectEqual(machine.deadlinePassed(now: at(19)), .wait)
        machine.lingeringAnswerArrived(now: at(10))
        expectEqual(machine.inputDidEnd(), .peerClosed)
        expectEqual(machine.deadlinePassed(now: at(10)), .close(.peerClosed))
    }

    /// An answer on its way has an answer's time, and then the peer has the usual one to close.
    @Test func lingeringForAnAnswerEndsWithIt() {
        var machine = served()
        _ = machine.outputEnded(.answered, now: at(0), isQuiet: true, answerIsUnderWay: true)
        expectEqual(machine.deadlinePassed(now: at(19)), .wait)
        machine.lingeringAnswerArrived(now: at(10))
        expectEqual(machine.deadlinePassed(now: at(12)), .close(.answered))
        expectEqual(machine.reasonAtStop, .answered)
        expectEqual(served().reasonAtStop, .draining)
    }

    /// A close_notify that could not leave until its deadline never will.
    @Test func aNotifiedConnectionIsClosedAtItsDeadline() {
        var machine = served()
        expectEqual(machine.deadlinePassed(now: at(5)), .shutDown(.headTimeout))
        _ = machine.notify(.headTimeout)
        expectEqual(machine.deadlinePassed(now: at(5)), .close(.headTimeout))
    }
}
