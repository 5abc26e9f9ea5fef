/// What will happen in the world, earliest first; what happens at the same time, in the order it
/// was planned.
///
/// Public and inlinable: both simulations spend much of their time here, and the compiler cannot
/// look into a `package` function of another module.
public struct EventQueue<Event> {
    @usableFromInline
    struct Entry {
        @usableFromInline let time: Int64
        @usableFromInline let order: UInt64
        @usableFromInline let slot: Int32

        @inlinable
        init(time: Int64, order: UInt64, slot: Int32) {
            self.time = time
            self.order = order
            self.slot = slot
        }
    }

    @usableFromInline var heap: [Entry] = []
    @usableFromInline var events: [Event?] = []
    @usableFromInline var unused: [Int32] = []
    @usableFromInline var order: UInt64 = 0

    @inlinable
    public init() {}

    @inlinable
    public var nextTime: Int64 { heap.first?.time ?? .max }

    @inlinable
    public var isEmpty: Bool { heap.isEmpty }

    @inlinable
    public mutating func add(_ event: Event, at time: Int64) {
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
    @inlinable
    public mutating func removeFirst() -> (time: Int64, event: Event)? {
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

    @inlinable
    static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        left.time != right.time ? left.time < right.time : left.order < right.order
    }

    @inlinable
    mutating func rise() {
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

    @inlinable
    mutating func sink() {
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
