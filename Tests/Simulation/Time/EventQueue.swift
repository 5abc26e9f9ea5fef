/// What will happen in the world, earliest first; what happens at the same time, in the order it
/// was planned.
///
/// Public and inlinable: both simulations spend much of their time here, and the compiler cannot
/// look into a `package` function of another module.
public struct EventQueue<Event> {
    @usableFromInline var heap = EventHeap()
    @usableFromInline var events: [Event?] = []
    @usableFromInline var unused: [Int] = []

    @inlinable
    public init() {}

    @inlinable
    public var nextTime: Int64 { heap.nextTime }

    @inlinable
    public var isEmpty: Bool { heap.nextTime == .max }

    @inlinable
    public mutating func add(_ event: Event, at time: Int64) {
        let slot: Int
        if let free = unused.popLast() {
            slot = free
            events[free] = event
        } else {
            slot = events.count
            events.append(event)
        }
        heap.add(slot, at: time)
    }

    /// The first, which there has to be.
    @inlinable
    public mutating func removeFirst() -> (time: Int64, event: Event)? {
        guard let first = heap.removeFirst(), let event = events[first.slot] else { return nil }
        events[first.slot] = nil
        unused.append(first.slot)
        return (first.time, event)
    }
}
