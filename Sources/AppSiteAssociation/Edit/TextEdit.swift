/// One replacement in a text.
public struct TextEdit: Sendable, Hashable {
    /// A range of the text before any edit; empty for an insertion.
    public let range: Range<Int>
    /// The new bytes; empty for a removal.
    public let replacement: [UInt8]

    /// Replaces a range of bytes; an empty range inserts.
    public init(_ range: Range<Int>, _ replacement: [UInt8]) {
        self.range = range
        self.replacement = replacement
    }

    /// Applies edits in one pass. Edits at one place keep their order.
    /// - Returns: nil if two edits overlap, or one lies outside the text.
    public static func apply(_ edits: [TextEdit], to bytes: [UInt8]) -> [UInt8]? {
        let sorted = edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
        var output: [UInt8] = []
        var copied = 0
        for edit in sorted {
            guard edit.range.lowerBound >= copied, edit.range.upperBound <= bytes.count else {
                return nil
            }
            output += bytes[copied..<edit.range.lowerBound]
            output += edit.replacement
            copied = edit.range.upperBound
        }
        output += bytes[copied...]
        return output
    }

    /// Where edits move what they do not touch.
    struct Shift {
        private let edits: [TextEdit]
        /// Bytes that the edits before each one have added.
        private let added: [Int]

        init(_ edits: [TextEdit]) {
            let edits = edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
            var sum = 0
            added =
                edits.map { edit in
                    defer { sum += edit.replacement.count - edit.range.count }
                    return sum
                } + [sum]
            self.edits = edits
        }

        /// The first edit that ends behind a place.
        private func index(_ place: Int) -> Int {
            edits.firstIndexInOrder { $0.range.upperBound > place }
        }

        /// The same bytes after the edits; text put in at either end belongs to them.
        func shifted(_ range: Range<Int>) -> Range<Int> {
            var first = index(range.lowerBound)
            while first > 0, edits[first - 1].range == range.lowerBound..<range.lowerBound {
                first -= 1
            }
            let start = range.lowerBound + added[first]
            return start..<max(start, range.upperBound + added[index(range.upperBound)])
        }

        /// Whether an edit changes a byte of the range, or stands inside.
        func touches(_ range: Range<Int>) -> Bool {
            let next = index(range.lowerBound)
            return next < edits.count && edits[next].range.lowerBound < range.upperBound
        }
    }
}

extension Array {
    /// The elements, without those whose key an earlier one has.
    func unique<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var known: Set<Key> = []
        return filter { known.insert(key($0)).inserted }
    }

    /// The first index of what holds from some element on; the count if it holds for none.
    func firstIndexInOrder(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
