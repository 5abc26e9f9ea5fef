/// The answers under way on a connection, in reusable slots.
///
/// nghttp2 keeps the slot as the user data of a stream (slot + 1, as nil means none) and as its
/// data source, so that no lookup is needed.
struct StreamTable {
    /// The content of a request.
    enum Content {
        case none
        case coming
        /// The peer sends it after 100 (Continue), which it never gets.
        case withheld
    }

    struct Entry {
        var response: PreparedResponse?
        /// Points into the response, which owns it: reading it needs no reference count.
        var body = UnsafeRawBufferPointer(start: nil, count: 0)
        /// How much of the body nghttp2 has taken.
        var offset = 0
        var isHead = false
        var content = Content.none
        var isWhole = false
        fileprivate var nextFree = -1
    }

    private var entries: [Entry] = []
    private var firstFree = -1

    subscript(slot: Int) -> Entry {
        @inline(__always) get { entries[slot] }
        @inline(__always) _modify { yield &entries[slot] }
    }

    mutating func insert(isHead: Bool, content: Content = .none) -> Int {
        let entry = Entry(isHead: isHead, content: content)
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
        entries[slot] = Entry()
        entries[slot].nextFree = firstFree
        firstFree = slot
    }
}
