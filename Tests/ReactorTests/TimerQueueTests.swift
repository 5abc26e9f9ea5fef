import TestSupport
import Testing

@testable import Reactor

@Suite struct TimerQueueTests {
    private func at(_ milliseconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
    }

    private func expired(_ queue: inout TimerQueue, _ milliseconds: Int64) -> Set<Int> {
        var slots: Set<Int> = []
        while let slot = queue.popExpired(now: at(milliseconds)) { slots.insert(slot) }
        return slots
    }

    @Test func firesNotBeforeItsTime() {
        var queue = TimerQueue()
        queue.set(3, at(25))
        expectEqual(expired(&queue, 24), [])
        expectEqual(expired(&queue, 25), [3])
        expectEqual(expired(&queue, 1000), [])
        #expect(queue.timeout(now: at(1000)) == nil)
    }

    @Test func movesAndClears() {
        var queue = TimerQueue()
        queue.set(0, at(20))
        queue.set(0, at(500))
        queue.set(1, at(300))
        queue.set(1, at(30))  // and back in
        queue.set(2, at(30))
        queue.clear(2)
        expectEqual(expired(&queue, 29), [])
        expectEqual(expired(&queue, 30), [1])
        expectEqual(expired(&queue, 499), [])
        expectEqual(expired(&queue, 5000), [0])
    }

    @Test func sleepsUntilTheNextDeadlineAndNotLonger() {
        var queue = TimerQueue()
        queue.set(0, at(55))
        queue.set(1, at(20))
        queue.set(1, at(70))
        // The old time of the one that was moved, and then its own.
        expectEqual(queue.timeout(now: at(3)), .milliseconds(17))
        expectEqual(expired(&queue, 20), [])
        expectEqual(queue.timeout(now: at(20)), .milliseconds(35))
        expectEqual(queue.timeout(now: at(60)), .zero)
    }

    /// Against a plain dictionary, with random moves and a random clock.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func agreesWithAModel(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = TimerQueue()
        var model: [Int: Int64] = [:]
        var now: Int64 = 0
        for _ in 0..<5000 {
            let slot = Int.random(in: 0..<40, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let deadline = now + Int64.random(in: -5..<400, using: &random)
                queue.set(slot, at(deadline))
                model[slot] = deadline
            case 6:
                queue.clear(slot)
                model[slot] = nil
            default:
                let soonest = model.values.min().map { Duration.milliseconds(max(0, $0 - now)) }
                let timeout = queue.timeout(now: at(now))
                expectEqual((timeout == nil), (soonest == nil), "seed \(random.seed)")
                #expect(timeout ?? .zero <= soonest ?? .zero, "seed \(random.seed)")
                now += Int64.random(in: 0..<120, using: &random)
                let due = Set(model.filter { $0.value <= now }.keys)
                let fired = expired(&queue, now)
                expectEqual(fired, due, "seed \(random.seed)")
                for slot in fired { model[slot] = nil }
            }
        }
    }
}
