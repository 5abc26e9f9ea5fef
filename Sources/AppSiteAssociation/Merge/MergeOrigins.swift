/// The places in the fragments from which the parts of a merged document come.
public struct MergeOrigins: Sendable {
    struct Record: Sendable {
        /// Bytes in the merged document.
        var range: Range<Int>
        /// Bytes in the fragment.
        let origin: Range<Int>
        /// Number of the fragment.
        let fragment: Int
        /// The record of the enclosing value; nil if there is none.
        let parent: Int?
    }

    /// In the order of the merged document: enclosing values first.
    let records: [Record]
    let sources: [SourceText]

    /// The place in a team's fragment for a range of the merged document; nil for parts without an
    /// origin: brackets, keys of services.
    ///
    /// A value that the merge changed (renamed variables) is found as a whole.
    public func place(of range: Range<Int>) -> (source: SourceText, range: Range<Int>)? {
        var low = 0
        var high = records.count
        while low < high {
            let middle = (low + high) / 2
            if records[middle].range.lowerBound <= range.lowerBound {
                low = middle + 1
            } else {
                high = middle
            }
        }
        var index: Int? = low > 0 ? low - 1 : nil
        while let record = index.map({ records[$0] }) {
            // The innermost record with this start is the last; one of the same length is meant.
            if record.range.upperBound >= range.upperBound {
                return (sources[record.fragment], record.origin)
            }
            index = record.parent
        }
        return nil
    }
}

/// Records where the parts of written values come from.
struct OriginRecorder {
    private(set) var records: [MergeOrigins.Record] = []
    /// The fragment of what is written next.
    var fragment = 0
    /// The record of the value being written; nil outside of all.
    private var parent: Int?

    /// - Parameter range: where the value or key was read; empty if it was made.
    /// - Returns: what ``end(_:at:)`` gets.
    mutating func begin(_ range: Range<Int>, at offset: Int) -> Int? {
        if range.isEmpty { return nil }
        records.append(
            MergeOrigins.Record(
                range: offset..<offset, origin: range, fragment: fragment, parent: parent))
        parent = records.count - 1
        return parent
    }

    mutating func end(_ place: Int?, at offset: Int) {
        guard let place else { return }
        records[place].range = records[place].range.lowerBound..<offset
        parent = records[place].parent
    }
}
