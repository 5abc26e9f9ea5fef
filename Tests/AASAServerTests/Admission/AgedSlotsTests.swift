import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct AgedSlotsTests {
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    private func token(_ number: Int, generation: UInt32 = 1) -> SlotToken {
        SlotToken(index: number, generation: generation)
    }

    @Test func whoIsOlderThanTheAgeIsOld() {
        var slots = AgedSlots()
        slots.add(token(3), since: at(0))
        slots.age(beyond: .seconds(1), now: at(1))
        #expect(slots.count(.young) == 1 && slots.first(.old) == nil)
        slots.renew(token(3), since: at(1))
        slots.age(beyond: .seconds(1), now: at(2))
        expectEqual(slots.count(.young), 1)
        slots.age(beyond: .seconds(1), now: at(2.1))
        #expect(slots.count(.old) == 1 && slots.first(.old)?.token == token(3))
        slots.renew(token(3), since: at(2.2))
        #expect(slots.count(.old) == 0 && slots.first(.young)?.since == at(2.2))
        slots.remove(token(3))
        expectEqual(slots.count, 0)
    }

    @Test func bothQueuesKeepTheirOrder() {
        var slots = AgedSlots()
        for number in [3, 1, 2] { slots.add(token(number), since: at(Double(number) / 10)) }
        for number in [7, 5] { slots.add(token(number), since: at(0.4)) }
        slots.renew(token(3), since: at(0.5))
        for number in 100..<600 { slots.add(token(number), since: at(5)) }
        expectEqual(slots.first(.young)?.token, token(1))
        slots.age(beyond: .seconds(1), now: at(5))
        #expect(slots.last(.old)?.token == token(3) && slots.last(.young)?.token == token(599))
        var order: [Int] = []
        while let next = slots.first(.old)?.token {
            order.append(next.index)
            slots.remove(next)
        }
        expectEqual(order, [1, 2, 7, 5, 3])
        expectEqual(slots.count(.young), 500)
    }

    /// Slots are given out from anywhere, the lowest last; the simulator found that a client that
    /// came to a lower slot once threw out the one before it.
    @Test func slotsComeInAnyOrder() {
        var slots = AgedSlots()
        for index in [5, 2, 7, 0] { slots.add(token(index), since: at(0)) }
        var order: [Int] = []
        while let next = slots.first(.young)?.token {
            order.append(next.index)
            slots.remove(next)
        }
        #expect(order == [5, 2, 7, 0] && slots.count == 0)
    }

    /// Its silence is not its own: our flight has not reached it, or its answer lies unread.
    @Test func whoIsExcusedIsYoungOnceMore() {
        var slots = AgedSlots()
        slots.add(token(1), since: at(0))
        slots.add(token(2), since: at(0))
        slots.age(beyond: .seconds(1), now: at(1.5)) { $0 == token(1) }
        #expect(slots.count(.young) == 1 && slots.first(.old)?.token == token(2))
        slots.age(beyond: .seconds(1), now: at(2.4))
        expectEqual(slots.count(.old), 1)
        slots.age(beyond: .seconds(1), now: at(2.6))
        expectEqual(slots.count(.old), 2)
    }

    @Test func staleTokensNameNobody() {
        var slots = AgedSlots()
        slots.add(token(5), since: at(0))
        slots.remove(token(5, generation: 2))
        slots.renew(token(6), since: at(0))
        expectEqual(slots.count, 1)
        // A slot that was given to another client.
        slots.add(token(5, generation: 2), since: at(1))
        #expect(slots.count == 1 && slots.contains(token(5, generation: 2)))
        expectEqual(slots.contains(token(5)), false)
        slots.remove(token(5, generation: 2))
        slots.remove(token(5, generation: 2))
        expectEqual(slots.count, 0)
    }

    /// Against a plain model, for a long random life.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func agreesWithAPlainModel(_ seed: UInt64) {
        struct Peer {
            var spokeAt: Double
            var oldSince: Int?
        }
        var random = SeededRandom(seed: seed)
        var slots = AgedSlots()
        var model: [Int: Peer] = [:]
        var time = 0.0
        var order = 0
        for _ in 0..<20_000 {
            time += 0.01
            let number = Int.random(in: 0..<300, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                slots.add(token(number), since: at(time))
                model[number] = Peer(spokeAt: time)
            case 2:
                slots.renew(token(number), since: at(time))
                model[number]?.spokeAt = time
                model[number]?.oldSince = nil
            default:
                slots.remove(token(number))
                model[number] = nil
            }
            slots.age(beyond: .milliseconds(1005), now: at(time))
            let due = model.filter { $0.value.oldSince == nil && time - $0.value.spokeAt > 1.005 }
            for number in due.sorted(by: { $0.value.spokeAt < $1.value.spokeAt }).map(\.key) {
                order += 1
                model[number]?.oldSince = order
            }
            let old = model.filter { $0.value.oldSince != nil }
            guard slots.count(.old) == old.count, slots.count == model.count else {
                Issue.record("\(slots.count(.old)) of \(slots.count), not \(old.count)")
                return
            }
            let oldest = old.min { ($0.value.oldSince ?? 0) < ($1.value.oldSince ?? 0) }
            guard slots.first(.old)?.token.index == oldest?.key else {
                Issue.record("\(String(describing: slots.first(.old))) is not the one to go")
                return
            }
        }
    }
}
