/// The bytes of one document with its name.
///
/// Values, keys and diagnostics store byte ranges of a source; lines and columns are computed on
/// demand, from the nearest mark that was set when the source was created.
public final class SourceText: Sendable {
    /// The name of the document in diagnostics: a path as the user wrote it, a URL, or `-`.
    public let name: String
    /// The document as received, not decoded.
    public let bytes: [UInt8]
    /// Line and column at every `LineMark.spacing` bytes.
    private let marks: [LineMark]

    /// Whether it begins with the byte order mark of UTF-8.
    public var hasByteOrderMark: Bool { bytes.starts(with: [0xEF, 0xBB, 0xBF]) }

    /// Creates a source; findings use the name.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        marks = LineMark.marks(in: bytes)
    }

    /// A source from text in memory, for examples and tests.
    public convenience init(name: String, text: String) {
        self.init(name: name, bytes: Array(text.utf8))
    }

    /// Line and column of a byte offset. Offsets outside the document are clamped to it.
    ///
    /// Scans at most `LineMark.spacing` bytes, however long the document or its lines are: a
    /// thousand findings in one line of 4 MiB stay cheap.
    public func position(at offset: Int) -> SourcePosition {
        let mark = mark(at: offset)
        return SourcePosition(offset: mark.offset, line: mark.line, column: mark.column)
    }

    /// Line and column at an offset, clamped to the document.
    private func mark(at offset: Int) -> LineMark {
        let offset = min(max(offset, 0), bytes.count)
        let number = offset / LineMark.spacing
        var mark = number > 0 ? marks[number - 1] : LineMark()
        bytes.withUnsafeBufferPointer { mark.advance(to: offset, in: $0) }
        return mark
    }

    /// The line that contains the offset, shortened around it if the line is long: a minified
    /// document is one line of up to 131,072 bytes, too much for a terminal.
    func excerpt(at offset: Int, maximumWidth: Int = 160) -> SourceExcerpt {
        let mark = mark(at: offset)
        let offset = mark.offset
        return bytes.withUnsafeBufferPointer { bytes in
            let start = mark.lineStart
            // Nothing after the window is scanned.
            let end = Self.lineEnd(
                bytes, from: offset, limit: min(bytes.count, offset + maximumWidth + 4))
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
                firstColumn: mark.column - LineMark.scalarCount(bytes, lower..<offset))
        }
    }

    /// The text of a byte range, clamped to the document; invalid UTF-8 becomes U+FFFD.
    public func text(in range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }

    private static func lineEnd(
        _ bytes: UnsafeBufferPointer<UInt8>, from offset: Int, limit: Int
    ) -> Int {
        var end = offset
        while end < limit, bytes[end] != UInt8(ascii: "\n") { end += 1 }
        if end > offset, end < limit, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return end
    }
}

/// Line and column at one offset, from which those of a later offset are counted.
private struct LineMark: Sendable {
    /// Bytes between two marks. Each finding scans half of them some four times, about a thousand
    /// bytes in all; a mark of 32 bytes adds a sixteenth to the memory of a document.
    static let spacing = 512

    var offset = 0
    var line = 1
    /// The offset at which the line begins.
    var lineStart = 0
    /// Unicode scalars from there on, counted from 1.
    var column = 1

    /// The marks at `spacing`, twice `spacing` and so on: one pass, none for a short document.
    static func marks(in bytes: [UInt8]) -> [LineMark] {
        guard bytes.count >= spacing else { return [] }
        var marks: [LineMark] = []
        marks.reserveCapacity(bytes.count / spacing)
        var mark = LineMark()
        bytes.withUnsafeBufferPointer { bytes in
            for offset in stride(from: spacing, through: bytes.count, by: spacing) {
                mark.advance(to: offset, in: bytes)
                marks.append(mark)
            }
        }
        return marks
    }

    mutating func advance(to target: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        var lines = 0
        for index in offset..<target where bytes[index] == UInt8(ascii: "\n") { lines += 1 }
        var from = offset
        if lines > 0 {
            line += lines
            from = target
            while from > offset, bytes[from - 1] != UInt8(ascii: "\n") { from -= 1 }
            lineStart = from
            column = 1
        }
        column += Self.scalarCount(bytes, from..<target)
        offset = target
    }

    /// Unicode scalars in a range of UTF-8: every byte that is not a continuation byte starts one.
    static func scalarCount(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
        var count = 0
        for index in range where bytes[index] & 0xC0 != 0x80 { count += 1 }
        return count
    }
}

/// A place in a source for people: lines and columns count from 1, columns in Unicode scalars.
public struct SourcePosition: Sendable, Hashable {
    /// Byte offset from the start of the document, counted from 0.
    public let offset: Int
    /// The line, counted from 1.
    public let line: Int
    /// The column in that line in Unicode scalars, counted from 1.
    public let column: Int
}

extension SourcePosition: CustomStringConvertible {
    /// `line:column`.
    public var description: String { "\(line):\(column)" }
}

/// One line of a source, or a part of it that fits a screen. No tuple: the optimizer of Swift 6.3.1
/// fails on an optional one.
struct SourceExcerpt {
    /// The text of the line, or of the part.
    let text: String
    /// The column of the first scalar of ``text``: 1 unless the line was shortened.
    let firstColumn: Int
}
