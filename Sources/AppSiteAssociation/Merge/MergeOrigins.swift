/// The places in the fragments from which the parts of a merged document come.
public struct MergeOrigins: Sendable {
    struct Record: Sendable {
        /// Bytes in the merged document.
        var range: Range<Int>
        /// Bytes in the fragment.
        let origin: Range<Int>
        /// Number of the fragment.
        let fragment: Int
    }

    /// In the order of the merged document: enclosing values first.
    let records: [Record]
    let sources: [SourceText]

    /// The place in a team's fragment for a range of the merged document; nil for parts without an
    /// origin: brackets, keys of services.
    ///
    /// A value that the merge changed (renamed variables) is found as a whole.
    public func place(of range: Range<Int>) -> (source: SourceText, range: Range<Int>)? {
        let end = records.firstIndexInOrder { $0.range.lowerBound > range.lowerBound }
        // The innermost value around it is the last; one of the same length is meant.
        return records[..<end].last { $0.range.upperBound >= range.upperBound }.map {
            (sources[$0.fragment], $0.origin)
        }
    }
}

/// Records where the parts of written values come from.
final class OriginRecorder {
    private(set) var records: [MergeOrigins.Record] = []
    /// The fragment of what is written next.
    var fragment = 0

    /// - Parameter range: where the value or key was read; empty if it was made.
    /// - Returns: what ``end(_:at:)`` gets.
    func begin(_ range: Range<Int>, at offset: Int) -> Int? {
        if range.isEmpty { return nil }
        records.append(
            MergeOrigins.Record(range: offset..<offset, origin: range, fragment: fragment))
        return records.count - 1
    }

    func end(_ place: Int?, at offset: Int) {
        guard let place else { return }
        records[place].range = records[place].range.lowerBound..<offset
    }
}
