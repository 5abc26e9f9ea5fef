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
        let sorted = edits.enumerated().sorted { left, right in
            (left.element.range.lowerBound, left.offset)
                < (right.element.range.lowerBound, right.offset)
        }.map(\.element)
        var output: [UInt8] = []
        output.reserveCapacity(
            bytes.count + sorted.reduce(0) { $0 + $1.replacement.count })
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
}
