/// Devices that retry later, ordered by time: a binary heap.
struct RetryQueue {
    struct Retry: Equatable {
        /// Nanoseconds on the storm's clock.
        var due: Int64
        var device: StormDevice
    }

    private var heap: [Retry] = []

    var isEmpty: Bool { heap.isEmpty }
    var count: Int { heap.count }
    var next: Retry? { heap.first }

    mutating func insert(_ retry: Retry) {
        heap.append(retry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            if heap[parent].due <= heap[child].due { return }
            heap.swapAt(parent, child)
            child = parent
        }
    }

    /// Removes the first retry that is due at `now`.
    mutating func popDue(at now: Int64) -> Retry? {
        guard let first = heap.first, first.due <= now else { return nil }
        let last = heap.removeLast()
        if heap.isEmpty { return first }
        heap[0] = last
        var parent = 0
        while true {
            var child = 2 * parent + 1
            if child >= heap.count { return first }
            if child + 1 < heap.count, heap[child + 1].due < heap[child].due { child += 1 }
            if heap[parent].due <= heap[child].due { return first }
            heap.swapAt(parent, child)
            parent = child
        }
    }
}
