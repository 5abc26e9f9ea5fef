import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ConnectionPhaseTests: MachineSuite {
    /// One machine in each phase, in the order of a life.
    private func life() -> [(phase: ConnectionStateMachine.Phase, machine: ConnectionStateMachine)]
    {
        var machine = ConnectionStateMachine(limits: limits, now: at(0))
        var machines = [machine]
        machine.helloBegan(now: at(0))
        machines.append(machine)
        machine.firstBytesArrived(now: at(0))
        machines.append(machine)
        machine.handshakeStarted(now: at(0))
        machines.append(machine)
        machine.handshakeCompleted(now: at(0))
        machines.append(machine)
        machine.headBegan(now: at(0))
        machines.append(machine)
        _ = machine.requestReceived(now: at(0), closing: nil)
        machines.append(machine)
        machine.lingerBegan(now: at(0), reason: .requestBody)
        machines.append(machine)
        machine.closed(.slowReader)
        machines.append(machine)
        return machines.map { ($0.phase, $0) }
    }

    @Test func eachQuestionIsAnsweredByThePhase() {
        let life = life()
        expectEqual(
            life.map(\.phase),
            [
                .silent, .inHello, .waiting, .handshaking, .idle, .inHead, .answering,
                .lingering(.requestBody), .closed(.slowReader),
            ])
        func phases(_ isTrue: (ConnectionStateMachine) -> Bool) -> [Int] {
            life.indices.filter { isTrue(life[$0].machine) }
        }
        expectEqual(phases(\.isOpen), [0, 1, 2, 3, 4, 5, 6, 7])
        expectEqual(phases(\.isWaiting), [2])
        expectEqual(phases(\.isHandshaking), [3])
        expectEqual(phases(\.isAnswering), [6])
        expectEqual(phases(\.isLingering), [7])
    }

    /// A network that fails says what the client had waited for; an end that was decided stands.
    @Test func aNetworkFailureIsCalledByWhatWasWaitedFor() {
        expectEqual(
            life().map { $0.machine.networkFailure() },
            [
                .leftWhileWaiting, .handshakeAbandoned, .leftWhileWaiting, .handshakeAbandoned,
                .networkError, .networkError, .leftBeforeAnswer, .requestBody, .slowReader,
            ])
    }

    @Test func atTheStopWhoLingersKeepsItsReason() {
        expectEqual(
            life().dropLast().map { $0.machine.reasonAtStop },
            Array(repeating: .draining, count: 7) + [.requestBody])
    }

    /// Only who was answered may give way without a loss.
    @Test func idleBehindAnAnswerIsNotIdleBeforeTheFirst() {
        var machine = served()
        #expect(!machine.isIdleAfterAnswer)
        _ = machine.requestReceived(now: at(0), closing: nil)
        #expect(!machine.isIdleAfterAnswer, "its answer is under way")
        _ = machine.answersCompleted(now: at(0), underPressure: false)
        #expect(machine.isIdleAfterAnswer)
        machine.headBegan(now: at(1))
        #expect(!machine.isIdleAfterAnswer, "the next request has begun")
    }

    /// When places run out, others may have that of a peer that does nothing with it.
    @Test func whoDoesNothingHoldsItsPlaceForNothing() {
        let second = Duration.seconds(1)
        var machine = served()
        #expect(!machine.holdsPlace(for: second, now: at(0.9)))
        #expect(machine.holdsPlace(for: second, now: at(1)))
        machine.headBegan(now: at(2))
        #expect(!machine.holdsPlace(for: second, now: at(2.5)))
        #expect(machine.holdsPlace(for: second, now: at(3)))
        machine.answerBegan(now: at(4))
        #expect(!machine.holdsPlace(for: second, now: at(4.9)))
        // HTTP/2 with a closed window takes nothing.
        #expect(machine.holdsPlace(for: second, now: at(5)))
        machine.answerProgressed(bytes: 20_000)
        #expect(!machine.holdsPlace(for: second, now: at(5)))
        _ = machine.answersCompleted(now: at(6), underPressure: false)
        // Idle behind an answer is another case.
        #expect(!machine.holdsPlace(for: second, now: at(60)))
    }

    /// Nobody else waits behind these: they have other bounds.
    @Test func otherPhasesHoldNoPlace() {
        let second = Duration.seconds(1)
        let holding = life().indices.filter {
            life()[$0].machine.holdsPlace(for: second, now: at(9))
        }
        expectEqual(holding, [4, 5, 6])
    }
}
