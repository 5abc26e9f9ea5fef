import Reactor
import Testing

@testable import AASAServer

@Suite struct SilentAddressHistoryTests {
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(seconds * 1e9))
    }

    private func memory(addressesMaximum: Int = 100) -> SilentAddressHistory {
        SilentAddressHistory(
            generation: .seconds(30), addressesMaximum: addressesMaximum, now: at(0))
    }

    @Test func whatEndedUnansweredIsRemembered() {
        var memory = memory()
        // Who never was silent is not counted.
        memory.answered(network: 7)
        #expect(memory.record(of: 7) == .init())
        memory.endedUnanswered(network: 7)
        memory.answered(network: 7)
        memory.answered(network: 8)
        memory.endedUnanswered(network: 7)
        #expect(memory.record(of: 7) == .init(unanswered: 2, answered: 1))
        #expect(memory.record(of: 8) == .init())
    }

    @Test func itIsForgottenAfterAWhile() {
        var memory = memory()
        memory.endedUnanswered(network: 7)
        memory.turnBegan(now: at(29))
        memory.turnBegan(now: at(31))
        memory.endedUnanswered(network: 7)
        memory.answered(network: 7)
        #expect(memory.record(of: 7) == .init(unanswered: 2, answered: 1))
        memory.turnBegan(now: at(62))
        #expect(memory.record(of: 7) == .init(unanswered: 1, answered: 1))
        memory.turnBegan(now: at(93))
        #expect(memory.record(of: 7) == .init())
        // The loop slept: all of it is old.
        memory.endedUnanswered(network: 7)
        memory.turnBegan(now: at(200))
        #expect(memory.record(of: 7) == .init())
    }

    @Test func itsMemoryIsBounded() {
        var memory = memory(addressesMaximum: 10)
        for network in 0..<1000 { memory.endedUnanswered(network: UInt64(network)) }
        let known = (0..<1000).filter { memory.record(of: UInt64($0)).unanswered > 0 }
        #expect(known.count <= 20 && known.last == 999)
    }
}
