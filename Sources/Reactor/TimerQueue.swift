/// One deadline per slot. Moving one further out, as a busy connection does at every request, is a
/// single store.
///
/// A deadline never fires early. One that was moved further out stays in the heap under its old
/// time, until that time has come.
package struct TimerQueue: ~Copyable {
    /// By slot, in nanoseconds.
    private var deadlines: [Int64] = []
    private var heap = SlotHeap()

    package init() {}

    /// Sets, moves or (with `.distantFuture`) removes the deadline of `slot`.
    package mutating func set(_ slot: Int, _ deadline: MonotonicInstant) {
        if deadline == .distantFuture { return clear(slot) }
        while slot >= deadlines.count { deadlines.append(.max) }
        deadlines[slot] = deadline.nanoseconds
        if deadline.nanoseconds < heap.key(of: slot) ?? .max {
            heap.set(slot, deadline.nanoseconds)
        }
    }

    /// Removes the deadline of `slot`.
    package mutating func clear(_ slot: Int) { heap.remove(slot) }

    /// Returns one slot whose deadline has passed and removes the deadline; `nil` if there is none
    /// (left) at `now`.
    package mutating func popExpired(now: MonotonicInstant) -> Int? {
        while let first = heap.first, first.key <= now.nanoseconds {
            let deadline = deadlines[first.slot]
            if deadline <= now.nanoseconds {
                clear(first.slot)
                return first.slot
            }
            heap.set(first.slot, deadline)
        }
        return nil
    }

    /// How long the loop may sleep: until the first time in the heap, at which no deadline may have
    /// passed; `nil` if no deadline is set.
    package func timeout(now: MonotonicInstant) -> Duration? {
        heap.first.map { .nanoseconds(max(0, $0.key - now.nanoseconds)) }
    }
}
