/// The bytes of one document together with the name people know it by.
///
/// Values, keys and diagnostics hold byte ranges into a source; lines and columns are worked out
/// only when somebody asks, so that reading a document that has no fault pays nothing for them.
public final class SourceText: Sendable {
    /// How the document is called in diagnostics: a path as the user wrote it, a URL, or `-`.
    public let name: String
    /// The document as it came, not decoded.
    public let bytes: [UInt8]

    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// A source from text in memory, for examples and tests.
    public convenience init(name: String, text: String) {
        self.init(name: name, bytes: Array(text.utf8))
    }

    /// Line and column of a byte offset. Offsets outside the document are clamped to it.
    ///
    /// Costs one pass over the bytes before the offset; both loops are plain counts that the
    /// compiler turns into vector code (about 10 µs for the largest document Apple reads, 131,072
    /// bytes), which is why no table of line starts is kept.
    public func position(at offset: Int) -> SourcePosition {
        let offset = min(max(offset, 0), bytes.count)
        return bytes.withUnsafeBufferPointer { bytes in
            let start = Self.lineStart(bytes, before: offset)
            var line = 1
            for index in 0..<start where bytes[index] == UInt8(ascii: "\n") { line += 1 }
            return SourcePosition(
                offset: offset, line: line,
                column: 1 + Self.scalarCount(bytes, start..<offset))
        }
    }

    /// The line that holds the offset, without its line end. Bytes that are not UTF-8 come out as
    /// U+FFFD.
    public func lineText(at offset: Int) -> String {
        let offset = min(max(offset, 0), bytes.count)
        let range = bytes.withUnsafeBufferPointer { bytes in
            Self.lineStart(bytes, before: offset)..<Self.lineEnd(bytes, from: offset)
        }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// The line that holds the offset, cut to a window around it when the line is long: a minified
    /// document is one line of up to 131,072 bytes, which no terminal should be given per finding.
    public func excerpt(at offset: Int, maximumWidth: Int = 160) -> SourceExcerpt {
        let offset = min(max(offset, 0), bytes.count)
        return bytes.withUnsafeBufferPointer { bytes in
            let start = Self.lineStart(bytes, before: offset)
            let end = Self.lineEnd(bytes, from: offset)
            var lower = start
            var upper = end
            if end - start > maximumWidth {
                // A third of the window before the place, the rest after it.
                lower = max(start, min(offset, end) - maximumWidth / 3)
                upper = min(end, lower + maximumWidth)
                lower = max(start, min(lower, upper - maximumWidth))
                while lower > start, lower < end, bytes[lower] & 0xC0 == 0x80 { lower -= 1 }
                while upper < end, bytes[upper] & 0xC0 == 0x80 { upper += 1 }
            }
            return SourceExcerpt(
                text: String(decoding: bytes[lower..<upper], as: UTF8.self),
                firstColumn: 1 + Self.scalarCount(bytes, start..<lower))
        }
    }

    /// The text of a byte range, clamped to the document; bytes that are not UTF-8 come out as
    /// U+FFFD.
    public func text(in range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }

    private static func lineStart(_ bytes: UnsafeBufferPointer<UInt8>, before offset: Int) -> Int {
        var start = offset
        while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
        return start
    }

    private static func lineEnd(_ bytes: UnsafeBufferPointer<UInt8>, from offset: Int) -> Int {
        var end = offset
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
        if end > offset, end < bytes.count, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return end
    }

    /// Unicode scalars in a range of UTF-8: every byte that is not a continuation byte starts one.
    private static func scalarCount(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
    ) -> Int {
        var count = 0
        for index in range where bytes[index] & 0xC0 != 0x80 { count += 1 }
        return count
    }
}

/// A place in a source, for people: lines and columns count from 1, columns in Unicode scalars.
public struct SourcePosition: Sendable, Hashable {
    /// Byte offset from the start of the document, counted from 0.
    public let offset: Int
    public let line: Int
    public let column: Int

    public init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }
}

extension SourcePosition: CustomStringConvertible {
    public var description: String { "\(line):\(column)" }
}

/// One line of a source, or the window of it that fits a screen.
public struct SourceExcerpt: Sendable, Hashable {
    public let text: String
    /// The column of the first scalar of ``text``: 1 unless the line was cut.
    public let firstColumn: Int

    public init(text: String, firstColumn: Int) {
        self.text = text
        self.firstColumn = firstColumn
    }
}
