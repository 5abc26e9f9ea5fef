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

/// Writes values without blanks and records their origins.
struct OriginWriter {
    private(set) var records: [MergeOrigins.Record] = []

    /// Appends `value` as `JSONWriter` does.
    mutating func append(_ value: JSONValue, of fragment: Int, to bytes: inout [UInt8]) {
        append(value, of: fragment, parent: -1, to: &bytes)
    }

    private mutating func append(
        _ value: JSONValue, of fragment: Int, parent: Int32, to bytes: inout [UInt8]
    ) {
        let number = open(value.range, fragment, parent, at: bytes.count)
        let inner = number.map { Int32($0) } ?? parent
        switch value.kind {
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(value, of: fragment, parent: inner, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                let key = open(member.keyRange, fragment, inner, at: bytes.count)
                JSONWriter.append(string: member.key, to: &bytes)
                if let key { records[key].upper = UInt32(truncatingIfNeeded: bytes.count) }
                bytes.append(UInt8(ascii: ":"))
                append(member.value, of: fragment, parent: inner, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .null, .bool, .number, .string: JSONWriter.append(value, to: &bytes)
        }
        if let number { records[number].upper = UInt32(truncatingIfNeeded: bytes.count) }
    }

    private mutating func open(
        _ range: Range<Int>, _ fragment: Int, _ parent: Int32, at offset: Int
    ) -> Int? {
        if range.isEmpty { return nil }
        records.append(
            MergeOrigins.Record(
                lower: UInt32(truncatingIfNeeded: offset),
                upper: UInt32(truncatingIfNeeded: offset),
                sourceLower: UInt32(truncatingIfNeeded: range.lowerBound),
                sourceUpper: UInt32(truncatingIfNeeded: range.upperBound),
                fragment: UInt32(truncatingIfNeeded: fragment), parent: parent))
        return records.count - 1
    }
}
