import TestSupport
import Testing

@testable import Reactor

@Suite struct SlotHeapTests {
    /// Against a plain dictionary.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func theLeastIsFirst(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var heap = SlotHeap()
        var model: [Int: Int64] = [:]
        for _ in 0..<5000 {
            let slot = Int.random(in: 0..<60, using: &random)
            if Int.random(in: 0..<3, using: &random) > 0 {
                let key = Int64.random(in: -50..<1000, using: &random)
                heap.set(slot, key)
                model[slot] = key
            } else {
                heap.remove(slot)
                model[slot] = nil
            }
            #expect(heap.count == model.count && heap.key(of: slot) == model[slot])
            expectEqual(heap.first?.key, model.values.min())
            #expect(heap.first.map { model[$0.slot] == $0.key } != false)
        }
    }

    @Test func aStepIsLogarithmic() {
        var heap = SlotHeap()
        for slot in 0..<1024 { heap.set(slot, Int64(slot)) }
        for slot in 0..<1024 {
            let before = heap.steps
            heap.remove(slot)
            #expect(heap.steps - before <= 2 + 10)
        }
        expectEqual(heap.count, 0)
    }
}
