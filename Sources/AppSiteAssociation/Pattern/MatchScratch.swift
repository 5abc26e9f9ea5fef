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

    /// Of each beginning of a literal, how long its longest proper end is that begins it, too.
    private(set) var borders: UnsafeMutablePointer<UInt32>
    private var borderCapacity = 0
    /// What comparing long texts of this URL gave.
    private var results: [Comparison: Bool] = [:]

    /// A pattern and a text that lies in ``bytes``.
    struct Comparison: Hashable {
        /// Shorter texts are compared sooner than looked up.
        static let textMinimum = 256

        let firstOp: UInt32
        let endOp: UInt32
        let base: UnsafePointer<UInt8>
        let count: Int
    }

    /// Elementary comparisons made so far: tests measure the work by it, not by time.
    package var steps = 0

    /// Creates working memory; it grows as needed and is reused.
    public init() {
        sets = .allocate(capacity: 1)
        bytes = .allocate(capacity: 1)
        items = .allocate(capacity: 1)
        borders = .allocate(capacity: 1)
    }

    deinit {
        borders.deallocate()
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

    func reserve(borders needed: Int) {
        if needed <= borderCapacity { return }
        borderCapacity = needed
        borders.deallocate()
        borders = .allocate(capacity: needed)
        borders.initialize(repeating: 0, count: needed)
    }

    func result(of comparison: Comparison) -> Bool? { results[comparison] }

    func keep(_ result: Bool, of comparison: Comparison) { results[comparison] = result }

    /// Makes room for a URL's forms; what was there is lost.
    func reserve(bytes neededBytes: Int, items neededItems: Int) {
        if !results.isEmpty { results.removeAll(keepingCapacity: true) }
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
