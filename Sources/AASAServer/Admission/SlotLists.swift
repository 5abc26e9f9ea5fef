/// Doubly linked lists of slots in one array: a slot is in one list at most, every step takes
/// constant time, and memory is bounded by the slots.
struct SlotLists: Sendable {
    /// The ends of one list; -1: it is empty.
    struct Ends: Sendable {
        var first: Int32 = -1
        var last: Int32 = -1
    }
    private struct Links: Sendable {
        var next: Int32 = -1
        var previous: Int32 = -1
    }

    private var links: [Links] = []

    /// Call this before a slot below `count` is put in a list.
    mutating func makeRoom(for count: Int) {
        while links.count < count { links.append(Links()) }
    }

    mutating func append(_ slot: Int32, to ends: inout Ends) {
        links[Int(slot)] = Links(next: -1, previous: ends.last)
        if ends.last >= 0 { links[Int(ends.last)].next = slot } else { ends.first = slot }
        ends.last = slot
    }

    mutating func remove(_ slot: Int32, from ends: inout Ends) {
        let (next, previous) = (links[Int(slot)].next, links[Int(slot)].previous)
        if previous >= 0 { links[Int(previous)].next = next } else { ends.first = next }
        if next >= 0 { links[Int(next)].previous = previous } else { ends.last = previous }
    }
}
