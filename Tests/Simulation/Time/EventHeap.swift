/// The times of the events and the places where they stand, as a binary heap.
///
/// Of no generic type, and by a pointer: a test build does not specialize generic code, and three
/// quarters of a simulation's time went into the types of its elements.
@usableFromInline
struct EventHeap {
    private struct Entry {
        var time: Int64
        var order: UInt64
        var slot: Int

        func isBefore(_ other: Entry) -> Bool {
            time != other.time ? time < other.time : order < other.order
        }
    }

    private var entries: [Entry] = []
    private var order: UInt64 = 0
    /// The time of the first event; `Int64.max` if there is none.
    @usableFromInline private(set) var nextTime = Int64.max

    @usableFromInline
    init() {}

    @usableFromInline
    mutating func add(_ slot: Int, at time: Int64) {
        order += 1
        let entry = Entry(time: time, order: order, slot: slot)
        entries.append(entry)
        var index = entries.count - 1
        entries.withUnsafeMutableBufferPointer { buffer in
            guard let heap = buffer.baseAddress else { return }
            while index > 0 {
                let parent = (index - 1) / 2
                guard entry.isBefore(heap[parent]) else { break }
                heap[index] = heap[parent]
                index = parent
            }
            heap[index] = entry
            nextTime = heap[0].time
        }
    }

    @usableFromInline
    mutating func removeFirst() -> (time: Int64, slot: Int)? {
        guard let last = entries.popLast() else { return nil }
        let count = entries.count
        guard count > 0 else {
            nextTime = .max
            return (last.time, last.slot)
        }
        var first = last
        entries.withUnsafeMutableBufferPointer { buffer in
            guard let heap = buffer.baseAddress else { return }
            first = heap[0]
            var index = 0
            while true {
                var child = 2 * index + 1
                if child >= count { break }
                if child + 1 < count, heap[child + 1].isBefore(heap[child]) { child += 1 }
                guard heap[child].isBefore(last) else { break }
                heap[index] = heap[child]
                index = child
            }
            heap[index] = last
            nextTime = heap[0].time
        }
        return (first.time, first.slot)
    }
}
