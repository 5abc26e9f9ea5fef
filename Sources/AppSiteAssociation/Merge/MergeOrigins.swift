/// The places in the fragments from which the parts of a merged document come.
public struct MergeOrigins: Sendable {
    struct Record: Sendable {
        /// Bytes in the merged document.
        let lower: UInt32
        var upper: UInt32
        /// Bytes in the fragment.
        let sourceLower: UInt32
        let sourceUpper: UInt32
        /// Number of the fragment.
        let fragment: UInt32
        /// The record of the enclosing value; -1 if there is none.
        let parent: Int32
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
            if Int(records[middle].lower) <= range.lowerBound {
                low = middle + 1
            } else {
                high = middle
            }
        }
        var index = low - 1
        while index >= 0 {
            let record = records[index]
            if Int(record.upper) >= range.upperBound {
                // The innermost record with this start is the last; one of the same length is
                // meant.
                return (
                    sources[Int(record.fragment)],
                    Int(record.sourceLower)..<Int(record.sourceUpper)
                )
            }
            index = Int(record.parent)
        }
        return nil
    }
}

/// Records where the parts of written values come from.
struct OriginRecorder {
    private(set) var records: [MergeOrigins.Record] = []
    /// The fragment of what is written next.
    var fragment = 0
    /// The record of the value being written; -1 outside of all.
    private var parent: Int32 = -1

    /// - Parameter range: where the value or key was read; empty if it was made.
    /// - Returns: what ``end(_:at:)`` gets.
    mutating func begin(_ range: Range<Int>, at offset: Int) -> Int? {
        if range.isEmpty { return nil }
        records.append(
            MergeOrigins.Record(
                lower: UInt32(truncatingIfNeeded: offset),
                upper: UInt32(truncatingIfNeeded: offset),
                sourceLower: UInt32(truncatingIfNeeded: range.lowerBound),
                sourceUpper: UInt32(truncatingIfNeeded: range.upperBound),
                fragment: UInt32(truncatingIfNeeded: fragment), parent: parent))
        parent = Int32(truncatingIfNeeded: records.count - 1)
        return records.count - 1
    }

    mutating func end(_ place: Int?, at offset: Int) {
        guard let place else { return }
        records[place].upper = UInt32(truncatingIfNeeded: offset)
        parent = records[place].parent
    }
}
