/// The answers under way on a connection, in slots that are used again.
///
/// nghttp2 keeps the slot of a stream as its user data (slot + 1, as nil means none) and as the
/// source of its content, so that no lookup is needed.
struct StreamTable {
    struct Entry {
        var response: PreparedResponse?
        /// Of the response, which keeps it: to look at it costs no reference count.
        var body = UnsafeRawBufferPointer(start: nil, count: 0)
        /// How much of the body nghttp2 has taken.
        var offset = 0
        var isHead = false
        var isWhole = false
        fileprivate var nextFree = -1
    }

    private var entries: [Entry] = []
    private var firstFree = -1
    private(set) var count = 0

    subscript(slot: Int) -> Entry {
        @inline(__always) get { entries[slot] }
        @inline(__always) _modify { yield &entries[slot] }
    }

    mutating func insert(isHead: Bool) -> Int {
        count += 1
        let entry = Entry(isHead: isHead)
        if firstFree < 0 {
            entries.append(entry)
            return entries.count - 1
        }
        let slot = firstFree
        firstFree = entries[slot].nextFree
        entries[slot] = entry
        return slot
    }

    mutating func remove(_ slot: Int) {
        count -= 1
        entries[slot] = Entry()
        entries[slot].nextFree = firstFree
        firstFree = slot
    }
}
