import Reactor

/// What happens when: the earliest first, and of the same time the one that was put in first.
struct EventHeap<Event> {
    private var items: [(time: MonotonicInstant, order: Int, event: Event)] = []
    private var order = 0

    mutating func push(_ time: MonotonicInstant, _ event: Event) {
        items.append((time, order, event))
        order += 1
        var child = items.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard isBefore(child, parent) else { return }
            items.swapAt(child, parent)
            child = parent
        }
    }

    mutating func pop() -> (MonotonicInstant, Event)? {
        guard let first = items.first else { return nil }
        let last = items.removeLast()
        if !items.isEmpty {
            items[0] = last
            sink()
        }
        return (first.time, first.event)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < items.count && isBefore(child, least) {
                least = child
            }
            guard least != parent else { return }
            items.swapAt(least, parent)
            parent = least
        }
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        (items[left].time, items[left].order) < (items[right].time, items[right].order)
    }
}
