/// What will happen in the world, earliest first; what happens at the same time, in the order it
/// was planned.
struct EventQueue<Event> {
    private struct Entry {
        let time: Int64
        let order: UInt64
        let slot: Int32
    }

    private var heap: [Entry] = []
    private var events: [Event?] = []
    private var unused: [Int32] = []
    private var order: UInt64 = 0

    var nextTime: Int64 { heap.first?.time ?? .max }
    var isEmpty: Bool { heap.isEmpty }

    mutating func add(_ event: Event, at time: Int64) {
        let slot: Int32
        if let free = unused.popLast() {
            slot = free
            events[Int(free)] = event
        } else {
            slot = Int32(events.count)
            events.append(event)
        }
        order += 1
        heap.append(Entry(time: time, order: order, slot: slot))
        rise()
    }

    /// The first, which there has to be.
    mutating func removeFirst() -> (time: Int64, event: Event)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        guard let event = events[Int(first.slot)] else { return nil }
        events[Int(first.slot)] = nil
        unused.append(first.slot)
        return (first.time, event)
    }

    private static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        left.time != right.time ? left.time < right.time : left.order < right.order
    }

    private mutating func rise() {
        var index = heap.count - 1
        let entry = heap[index]
        while index > 0 {
            let parent = (index - 1) / 2
            guard Self.isBefore(entry, heap[parent]) else { break }
            heap[index] = heap[parent]
            index = parent
        }
        heap[index] = entry
    }

    private mutating func sink() {
        var index = 0
        let entry = heap[0]
        while true {
            var child = 2 * index + 1
            if child >= heap.count { break }
            if child + 1 < heap.count, Self.isBefore(heap[child + 1], heap[child]) { child += 1 }
            guard Self.isBefore(heap[child], entry) else { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = entry
    }
}
