// Covers: SlotLists.swift
import Reactor
import Testing

@testable import AASAServer

@Suite struct WaitingClientsTests {
    private func token(_ index: Int, generation: UInt32 = 1) -> SlotToken {
        SlotToken(index: index, generation: generation)
    }

    private func at(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    @Test func linesKeepTheirOrder() {
        var clients = WaitingClients()
        for index in 0..<4 {
            clients.append(token(index), helloAt: at(Int64(index)), to: .young)
        }
        #expect(clients.first(.young)?.token == token(0))
        #expect(clients.last(.young)?.token == token(3))
        clients.move(token(0), to: .old)
        #expect(clients.first(.young)?.token == token(1))
        #expect(clients.last(.old)?.token == token(0))
        #expect(clients.count == 4)
    }

    /// Slots are given out from anywhere, the lowest last; the simulator found that a client that
    /// came to a lower slot once threw out the one before it.
    @Test func slotsComeInAnyOrder() {
        var clients = WaitingClients()
        for index in [5, 2, 7, 0] {
            clients.append(token(index), helloAt: at(0), to: .young)
        }
        var order: [Int] = []
        while let client = clients.first(.young) {
            order.append(client.token.index)
            clients.remove(client.token)
        }
        #expect(order == [5, 2, 7, 0])
        #expect(clients.count == 0)
    }

    @Test func whoLeavesIsGoneAtOnce() {
        var clients = WaitingClients()
        for index in 0..<3 {
            clients.append(token(index), helloAt: at(0), to: .young)
        }
        clients.remove(token(1))
        clients.remove(token(1))
        // Another generation of the slot is somebody else.
        clients.remove(token(2, generation: 2))
        #expect(clients.count == 2)
        clients.append(token(1, generation: 2), helloAt: at(1), to: .old)
        #expect(clients.count == 3 && clients.last(.old)?.token == token(1, generation: 2))
        clients.move(token(9), to: .old)
        #expect(clients.first(.old)?.token == token(1, generation: 2))
    }
}
