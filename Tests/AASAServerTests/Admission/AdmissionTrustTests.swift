// Covers: AdmissionController.swift
import Reactor
import Testing

@testable import AASAServer

/// Addresses that leave their handshakes unanswered, and those that only look like it.
@Suite struct AdmissionTrustTests {
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    private func token(_ number: Int) -> SlotToken { SlotToken(rawValue: 1 << 32 | UInt64(number)) }

    /// One client's address, where it does not matter.
    private let network: UInt64 = 0xC000_0201

    private func controller() -> AdmissionController {
        AdmissionController(limits: AdmissionLimits(), now: at(0))
    }

    /// Handshakes of that address begin at 0 and are never answered.
    private func unanswered(
        _ controller: inout AdmissionController, from address: UInt64, count: Int
    ) {
        for number in 0..<count {
            controller.started(token(5000 + number), network: address, now: at(0))
        }
        controller.turnBegan(now: at(2), isIdle: false)
    }

    /// ClientHellos cost their sender nothing: who leaves them unanswered is served by what the
    /// others leave, the newest first.
    @Test func clientsOfAddressesThatNeverAnswerGoLast() {
        var controller = controller()
        unanswered(&controller, from: 66, count: 5)
        for number in 0..<4 {
            controller.arrived(
                token(number), network: number % 2 == 0 ? 66 : network,
                helloAt: at(2 + Double(number) / 10))
        }
        #expect(controller.distrustedCount == 2)
        var order: [Int] = []
        while let candidate = controller.next(now: at(3)) { order.append(candidate.token.index) }
        #expect(order == [1, 3, 2, 0])
    }

    /// Who waits already is looked at again: the silence began behind its ClientHello.
    @Test func trustIsAskedWhenTheTurnHasCome() {
        var controller = controller()
        for number in 0..<3 {
            controller.arrived(
                token(number), network: number == 0 ? 66 : network, helloAt: at(0))
        }
        unanswered(&controller, from: 66, count: 5)
        #expect(controller.distrustedCount == 0)
        let first = controller.next(now: at(2))
        #expect(first?.token == token(1))
        #expect(controller.distrustedCount == 1)
    }

    /// They hold nobody up: no newcomer waits behind them, and none stays outside.
    @Test func whoIsDistrustedHoldsNobodyUp() {
        var controller = controller()
        unanswered(&controller, from: 66, count: 5)
        for number in 0..<50 {
            controller.arrived(token(number), network: 66, helloAt: at(2))
        }
        #expect(controller.startsAtOnce)
        #expect(controller.mustNotSleep)
        let mayAccept = controller.mayAccept(now: at(2))
        #expect(mayAccept)
    }

    @Test func howManyOfThemWaitIsBounded() {
        var controller = controller()
        unanswered(&controller, from: 66, count: 5)
        let most = AdmissionLimits().distrustedMaximum
        for number in 0..<most { controller.arrived(token(number), network: 66, helloAt: at(2)) }
        #expect(controller.waitingToEvict == nil)
        controller.arrived(token(most), network: 66, helloAt: at(2))
        #expect(controller.waitingToEvict == token(0))
        #expect(controller.waitingToMissLeast(now: at(2.9)) == nil)
        #expect(controller.waitingToMissLeast(now: at(3)) == token(0))
        controller.forget(token(0))
        #expect(controller.waitingToEvict == nil)
        #expect(controller.waitingCount == most)
    }

    /// A thousand addresses that take turns hold one silent handshake each: what went before is
    /// remembered.
    @Test func aCrowdOfManyAddressesIsDistrustedToo() {
        var controller = controller()
        for round in 0..<3 {
            let began = 2 * Double(round)
            for number in 0..<1000 {
                controller.started(
                    token(number), network: UInt64(number), now: at(began))
            }
            controller.turnBegan(now: at(began + 1.5), isIdle: false)
            for number in 0..<1000 { controller.ended(token(number)) }
        }
        for number in 0..<20 {
            controller.arrived(
                token(number), network: number < 10 ? UInt64(number) : network, helloAt: at(6))
        }
        #expect(controller.distrustedCount == 10)
        // Who answers again is trusted again, and time heals as well.
        for _ in 0..<24 { controller.ended(token(9000), completedBy: 5) }
        controller.forget(token(5))
        controller.arrived(token(5), network: 5, helloAt: at(7))
        #expect(controller.distrustedCount == 9)
        controller.turnBegan(now: at(40), isIdle: false)
        controller.turnBegan(now: at(71), isIdle: false)
        controller.forget(token(6))
        controller.arrived(token(6), network: 6, helloAt: at(71))
        #expect(controller.distrustedCount == 8)
    }

    /// A client that gave up within a second was not silent.
    @Test func whoLeavesAtOnceIsNotRemembered() {
        var controller = controller()
        for number in 0..<10 {
            controller.started(token(number), network: 66, now: at(0))
            controller.ended(token(number))
        }
        controller.arrived(token(1), network: 66, helloAt: at(1))
        #expect(controller.distrustedCount == 0)
    }

    /// A carrier's address: one silent phone for each hundred that answer.
    @Test func aCarriersAddressIsTrusted() {
        var controller = controller()
        unanswered(&controller, from: network, count: 5)
        for number in 0..<500 {
            controller.started(token(number), network: network, now: at(2))
            controller.ended(token(number), completedBy: network)
        }
        controller.arrived(token(1), network: network, helloAt: at(3))
        #expect(controller.distrustedCount == 0)
    }

    /// A flight that a full link has not delivered makes nobody silent, as far as memory allows.
    @Test func whoHasNotOurFlightIsNotSilent() {
        var controller = controller()
        for number in 0..<10 { controller.started(token(number), network: 1, now: at(0)) }
        controller.turnBegan(now: at(2), isIdle: false) { $0.index >= 4 }
        #expect(controller.silentCount == 6 && controller.workingCount == 4)
        for number in 10..<5000 { controller.started(token(number), network: 1, now: at(2)) }
        controller.turnBegan(now: at(4), isIdle: false) { _ in false }
        #expect(controller.silentCount == 5000)
    }
}
