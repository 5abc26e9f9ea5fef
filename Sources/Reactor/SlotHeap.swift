/// A heap of slots: the one with the least key is first. Every step takes O(log n), and memory is
/// bounded by the slots.
package struct SlotHeap: Sendable {
    /// By slot.
    private var keys: [Int64] = []
    /// By slot; -1: it is not in the heap.
    private var places: [Int32] = []
    private var heap: [Int32] = []
    /// Steps up or down so far; for tests.
    package private(set) var steps = 0

    package init() {}

    package var count: Int { heap.count }

    package var first: (slot: Int, key: Int64)? {
        heap.first.map { (Int($0), keys[Int($0)]) }
    }

    /// The key of a slot; nil: it is not in the heap.
    package func key(of slot: Int) -> Int64? {
        slot < places.count && places[slot] >= 0 ? keys[slot] : nil
    }

    /// Adds a slot, or gives it another key.
    package mutating func set(_ slot: Int, _ key: Int64) {
        while slot >= keys.count {
            keys.append(0)
            places.append(-1)
        }
        keys[slot] = key
        if places[slot] < 0 {
            places[slot] = Int32(heap.count)
            heap.append(Int32(slot))
        }
        settle(slot)
    }

    /// No effect for a slot that is not in the heap.
    package mutating func remove(_ slot: Int) {
        guard key(of: slot) != nil, let last = heap.popLast() else { return }
        let place = Int(places[slot])
        places[slot] = -1
        if Int(last) == slot { return }
        put(last, at: place)
        settle(Int(last))
    }

    /// Moves a slot up or down to where its key belongs.
    private mutating func settle(_ slot: Int) {
        let key = keys[slot]
        var place = Int(places[slot])
        while place > 0, key < keys[Int(heap[(place - 1) / 2])] {
            put(heap[(place - 1) / 2], at: place)
            place = (place - 1) / 2
        }
        while 2 * place + 1 < heap.count {
            var child = 2 * place + 1
            if child + 1 < heap.count, keys[Int(heap[child + 1])] < keys[Int(heap[child])] {
                child += 1
            }
            if key <= keys[Int(heap[child])] { break }
            put(heap[child], at: place)
            place = child
        }
        put(Int32(slot), at: place)
    }

    private mutating func put(_ slot: Int32, at place: Int) {
        heap[place] = slot
        places[Int(slot)] = Int32(place)
        steps += 1
    }
}
