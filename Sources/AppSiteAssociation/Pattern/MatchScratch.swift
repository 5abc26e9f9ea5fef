/// Working memory for matching, reused between URLs so that a decision allocates nothing once it
/// has grown to the longest URL. One per thread; not to be shared.
public final class MatchScratch {
    /// Sets of positions for patterns with alternatives.
    private(set) var sets: UnsafeMutablePointer<UInt64>
    private var setWords = 0
    /// The forms of the URL's parts: as written and decoded, each also folded.
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private var byteCapacity = 0
    private(set) var items: UnsafeMutablePointer<QueryItemText>
    private var itemCapacity = 0

    /// The number of elementary comparisons: tests measure the work by it, not by time.
    package var steps = 0

    /// Creates working memory; it grows as needed and is reused.
    public init() {
        sets = .allocate(capacity: 1)
        bytes = .allocate(capacity: 1)
        items = .allocate(capacity: 1)
    }

    deinit {
        sets.deallocate()
        bytes.deallocate()
        items.deallocate()
    }

    func reserve(setWords needed: Int) {
        if needed <= setWords { return }
        setWords = needed * 2
        sets.deallocate()
        sets = .allocate(capacity: setWords)
        sets.initialize(repeating: 0, count: setWords)
    }

    /// Reserves memory for a URL's forms; previous content is lost.
    func reserve(bytes neededBytes: Int, items neededItems: Int) {
        if neededBytes > byteCapacity {
            byteCapacity = neededBytes * 2
            bytes.deallocate()
            bytes = .allocate(capacity: byteCapacity)
            bytes.initialize(repeating: 0, count: byteCapacity)
        }
        if neededItems > itemCapacity {
            itemCapacity = neededItems * 2
            items.deallocate()
            items = .allocate(capacity: itemCapacity)
        }
    }
}
