// Covers: SharedLimits.swift
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ConnectionStateMachineTests: MachineSuite {
    @Test func everyPhaseHasItsDeadlineAndReason() {
        var machine = ConnectionStateMachine(limits: limits, now: at(0))
        expectEqual(machine.deadlinePassed(now: at(4.9)), .wait)
        expectEqual(machine.deadlinePassed(now: at(5)), .close(.silent))
        machine.firstBytesArrived(now: at(1))
        expectEqual(machine.deadlinePassed(now: at(75)), .wait)
        expectEqual(machine.deadlinePassed(now: at(76)), .close(.leftWhileWaiting))
        machine.handshakeStarted(now: at(2))
        expectEqual(machine.deadlinePassed(now: at(12)), .close(.handshakeTimeout))
        machine.handshakeCompleted(now: at(3))
        expectEqual(machine.deadlinePassed(now: at(8)), .shutDown(.headTimeout))
        machine.headBegan(now: at(4))
        expectEqual(machine.deadlinePassed(now: at(9)), .shutDown(.headTimeout))
        #expect(machine.requestReceived(now: at(5), closing: nil) == nil)
        #expect(machine.answersCompleted(now: at(6), underPressure: false) == nil)
        expectEqual(machine.deadlinePassed(now: at(65)), .wait)
        expectEqual(machine.deadlinePassed(now: at(66)), .shutDown(.idleTimeout))
        machine.lingerBegan(now: at(66), reason: .idleTimeout)
        expectEqual(machine.deadlinePassed(now: at(68)), .close(.idleTimeout))
        machine.closed(.idleTimeout)
        expectEqual(machine.deadlinePassed(now: at(1e6)), .wait)
        expectEqual(machine.deadline, .distantFuture)
    }

    @Test func whoseHelloMetAFullQueueMaySendItLater() {
        var machine = ConnectionStateMachine(limits: limits, now: at(0))
        machine.cameOutOfFullQueue()
        expectEqual(machine.deadlinePassed(now: at(19)), .wait)
        expectEqual(machine.deadlinePassed(now: at(20)), .close(.silent))
        machine.firstBytesArrived(now: at(13))
        // Too late to say so: the time for waiting is running.
        machine.cameOutOfFullQueue()
        expectEqual(machine.deadlinePassed(now: at(87)), .wait)
    }

    /// One byte is no handshake, and a dripped ClientHello has no longer than a whole one.
    @Test func aPartOfAHelloHasItsOwnTime() {
        var machine = ConnectionStateMachine(limits: limits, now: at(0))
        machine.helloBegan(now: at(1))
        machine.helloBegan(now: at(9))
        expectEqual(machine.phase, .inHello)
        expectEqual(machine.deadlinePassed(now: at(10.9)), .wait)
        expectEqual(machine.networkFailure(), .handshakeAbandoned)
        expectEqual(machine.deadlinePassed(now: at(11)), .close(.handshakeTimeout))
        // Whole, it waits for its turn as any other.
        machine.firstBytesArrived(now: at(10))
        expectEqual(machine.phase, .waiting)
        expectEqual(machine.deadlinePassed(now: at(84)), .wait)
        // Admission looked, and there was only a part.
        machine.helloBegan(now: at(20))
        expectEqual(machine.phase, .inHello)
    }

    @Test func ourOwnLatenessIsNobodysFault() {
        var machine = ConnectionStateMachine(limits: limits, now: at(0))
        machine.handshakeStarted(now: at(0))
        machine.serverWasLate(by: .seconds(30))
        expectEqual(machine.deadlinePassed(now: at(39)), .wait)
        expectEqual(machine.deadlinePassed(now: at(40)), .close(.handshakeTimeout))
        // A reader is not slow because we wrote nothing.
        var answering = served()
        _ = answering.requestReceived(now: at(0), closing: nil)
        answering.answerProgressed(bytes: 30_000)
        answering.serverWasLate(by: .seconds(30))
        expectEqual(answering.deadlinePassed(now: at(36)), .wait)
        answering.closed(.answered)
        answering.serverWasLate(by: .seconds(30))
        expectEqual(answering.deadline, .distantFuture)
    }

    @Test func moreBytesOfAHeadDoNotMoveItsDeadline() {
        var machine = served()
        machine.headBegan(now: at(1))
        machine.headBegan(now: at(5))
        expectEqual(machine.deadlinePassed(now: at(6)), .shutDown(.headTimeout))
    }

    @Test func idleTimeIsShortUnderPressure() {
        var machine = served()
        _ = machine.requestReceived(now: at(1), closing: nil)
        _ = machine.answersCompleted(now: at(1), underPressure: true)
        expectEqual(machine.deadlinePassed(now: at(6)), .shutDown(.idleTimeout))
    }

    @Test func aReaderHasToKeepUp() {
        var fast = served()
        _ = fast.requestReceived(now: at(0), closing: nil)
        var slow = fast
        for second in 1...19 {
            fast.answerProgressed(bytes: 4096)
            slow.answerProgressed(bytes: second < 8 ? 4096 : 0)
            expectEqual(fast.deadlinePassed(now: at(Double(second))), .wait)
            let isLate = second > 7
            expectEqual(
                slow.deadlinePassed(now: at(Double(second))),
                (isLate ? .close(.slowReader) : .wait))
        }
        // Whatever the rate, an answer ends after 20 s.
        fast.answerProgressed(bytes: 1 << 30)
        expectEqual(fast.deadlinePassed(now: at(20)), .close(.slowReader))
    }

    @Test func outputThatTheKernelHoldsHasToMove() {
        var machine = served()
        machine.answerBegan(now: at(0))
        for tick in 1...20 {
            machine.answerProgressed(bytes: 5 * 4096)
            expectEqual(machine.outputStalled(now: at(Double(5 * tick))), .wait)
        }
        expectEqual(machine.outputStalled(now: at(105)), .close(.slowReader))
        var idle = served()
        expectEqual(idle.outputStalled(now: at(100)), .wait)
    }

    @Test func theFirstReasonToCloseHolds() {
        var machine = served()
        expectEqual(machine.requestReceived(now: at(0), closing: .requestBody), .requestBody)
        expectEqual(machine.requestReceived(now: at(0), closing: .answered), .requestBody)
        expectEqual(
            machine.answersCompleted(now: at(0), underPressure: false), .requestBody)
    }

    @Test func requestsAndLifeAreLimited() {
        var machine = served()
        for _ in 1..<limits.values.requestsPerConnection {
            #expect(machine.requestReceived(now: at(0), closing: nil) == nil)
            #expect(machine.answersCompleted(now: at(0), underPressure: false) == nil)
        }
        expectEqual(machine.requestReceived(now: at(0), closing: nil), .requestLimit)
        var old = served()
        expectEqual(old.requestReceived(now: at(3600), closing: nil), .lifetime)
    }

    @Test func theEndOfInputMeansWhatThePhaseSays() {
        var machine = ConnectionStateMachine(limits: limits, now: at(0))
        expectEqual(machine.inputDidEnd(), .leftWhileWaiting)
        machine.handshakeStarted(now: at(0))
        expectEqual(machine.networkFailure(), .handshakeAbandoned)
        expectEqual(machine.inputDidEnd(), .handshakeAbandoned)
        machine = served()
        expectEqual(machine.inputDidEnd(), .peerClosed)
        machine = served()
        machine.headBegan(now: at(0))
        expectEqual(machine.inputDidEnd(), .truncatedRequest)
        machine = served()
        _ = machine.requestReceived(now: at(0), closing: nil)
        expectEqual(machine.networkFailure(), .leftBeforeAnswer)
        #expect(machine.inputDidEnd() == nil)
        expectEqual(
            machine.answersCompleted(now: at(0), underPressure: false), .peerClosed)
    }

    @Test func drainingServesWhoHasPaid() {
        var fresh = served()
        fresh.drain(now: at(0))
        expectEqual(fresh.deadlinePassed(now: at(0)), .wait)
        expectEqual(fresh.requestReceived(now: at(0), closing: nil), .draining)
        var idle = served()
        _ = idle.requestReceived(now: at(0), closing: nil)
        _ = idle.answersCompleted(now: at(0), underPressure: false)
        idle.drain(now: at(0))
        expectEqual(idle.deadlinePassed(now: at(1)), .wait)
        expectEqual(idle.deadlinePassed(now: at(2)), .shutDown(.draining))
        expectEqual(idle.requestReceived(now: at(2), closing: nil), .draining)
        var busy = served()
        busy.answerBegan(now: at(0))
        busy.drain(now: at(0))
        #expect(busy.answersCompleted(now: at(0), underPressure: false) == nil)
        expectEqual(busy.deadlinePassed(now: at(2)), .shutDown(.draining))
        var waiting = ConnectionStateMachine(limits: limits, now: at(0))
        waiting.drain(now: at(0))
        expectEqual(waiting.deadlinePassed(now: at(1)), .wait)
    }

    @Test func eventsThatWereOvertakenChangeNothing() {
        var machine = served()
        machine.firstBytesArrived(now: at(1))
        machine.handshakeStarted(now: at(1))
        machine.handshakeCompleted(now: at(1))
        expectEqual(machine.phase, .idle)
        #expect(machine.answersCompleted(now: at(1), underPressure: false) == nil)
        machine.answersMayTake(until: at(99))
        expectEqual(machine.deadline, at(5))
        machine.closed(.answered)
        machine.lingerBegan(now: at(2), reason: .idleTimeout)
        machine.headBegan(now: at(2))
        expectEqual(machine.phase, .closed(.answered))
    }

    /// Requests of a pipeliner are answered one after the other: each answer has its own time.
    @Test func anAnswerBehindAnotherHasItsOwnTime() {
        var machine = served()
        _ = machine.requestReceived(now: at(0), closing: nil)
        machine.answerProgressed(bytes: 131_072)
        _ = machine.requestReceived(now: at(15), closing: nil)
        machine.answerProgressed(bytes: 131_072)
        expectEqual(machine.deadlinePassed(now: at(20)), .wait)
        expectEqual(machine.deadlinePassed(now: at(34)), .wait)
        expectEqual(machine.deadlinePassed(now: at(35)), .close(.slowReader))
    }
}
