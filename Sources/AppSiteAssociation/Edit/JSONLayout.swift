/// The layout of a document, detected in one pass, and the formatting of new text to match it.
struct JSONLayout {
    private let bytes: [UInt8]
    private let lineEnd: [UInt8]
    /// The indentation of one level; nil in a document on one line.
    private let unit: [UInt8]?
    /// Whether there are no blanks after commas and colons: a minified document stays minified.
    private let isDense: Bool

    private static let twoSpaces = Array("  ".utf8)
    /// Longer lists and objects are written on several lines.
    private static let leafBytesMaximum = 80

    init(_ document: JSONDocument) {
        let bytes = document.source.bytes
        self.bytes = bytes
        let firstEnd = bytes.firstIndex(of: UInt8(ascii: "\n"))
        let isCRLF = firstEnd.map { bytes[..<$0].last == UInt8(ascii: "\r") } ?? false
        lineEnd = Array((isCRLF ? "\r\n" : "\n").utf8)
        unit = firstEnd == nil ? nil : Self.unit(document.root, bytes)
        let firstGap = document.root.members?.first.map {
            bytes[$0.keyRange.upperBound..<$0.value.range.lowerBound]
        }
        isDense = unit == nil && firstGap.map { !$0.contains(UInt8(ascii: " ")) } ?? false
    }

    // MARK: Insertion

    /// Inserts elements or members before the one at `index`, or after the last.
    ///
    /// - Parameters:
    ///   - ranges: the existing elements or members.
    ///   - texts: the new ones, formatted for an indentation (nil: on one line).
    func insertion(
        into container: Range<Int>, _ ranges: [Range<Int>], at index: Int,
        _ texts: (_ indent: [UInt8]?) -> [[UInt8]]
    ) -> TextEdit {
        guard let last = ranges.last else {
            // Nothing to match: one line, unless the document has several.
            let inside = container.lowerBound + 1..<container.upperBound - 1
            let hasLines = bytes[inside].contains(UInt8(ascii: "\n"))
            guard let unit = unit ?? (hasLines ? Self.twoSpaces : nil) else {
                return TextEdit(inside, Array(texts(nil).joined(separator: comma)))
            }
            let outer = Self.indent(ofLineAt: container.lowerBound, bytes)
            let inner = outer + unit
            let separator = [UInt8(ascii: ",")] + lineEnd + inner
            return TextEdit(
                inside,
                lineEnd + inner + Array(texts(inner).joined(separator: separator)) + lineEnd
                    + outer)
        }
        let isLast = index >= ranges.count
        let neighbour = isLast ? last : ranges[index]
        let place = isLast ? ranges.count - 1 : index
        let before = place > 0 ? ranges[place - 1].upperBound : container.lowerBound + 1
        // On its own line if a line end precedes it.
        let hasLine = bytes[before..<neighbour.lowerBound].contains(UInt8(ascii: "\n"))
        let indent = hasLine ? Self.indent(ofLineAt: neighbour.lowerBound, bytes) : nil
        let separator = indent.map { [UInt8(ascii: ",")] + lineEnd + $0 } ?? comma
        let text = Array(texts(indent).joined(separator: separator))
        return isLast
            ? TextEdit(last.upperBound..<last.upperBound, separator + text)
            : TextEdit(neighbour.lowerBound..<neighbour.lowerBound, text + separator)
    }

    /// Takes elements or members away, each with its comma.
    /// - Parameter indices: which of `ranges`.
    static func removals(
        from container: Range<Int>, _ ranges: [Range<Int>], _ indices: Set<Int>
    ) -> [TextEdit] {
        if indices.isEmpty { return [] }
        if indices.count == ranges.count {
            return [TextEdit(container.lowerBound + 1..<container.upperBound - 1, [])]
        }
        let last = ranges.indices.last { !indices.contains($0) } ?? 0
        let behind = ranges[ranges.count - 1].upperBound
        return indices.filter { $0 < last }.sorted().map {
            TextEdit(ranges[$0].lowerBound..<ranges[$0 + 1].lowerBound, [])
        } + (indices.max() ?? 0 > last ? [TextEdit(ranges[last].upperBound..<behind, [])] : [])
    }

    // MARK: Text

    /// A member for an object whose lines have this indentation; nil: on one line.
    func render(_ key: String, _ value: JSONValue, _ indent: [UInt8]?) -> [UInt8] {
        var text: [UInt8] = []
        JSONWriter.append(string: key, to: &text)
        return text + colon + render(value, indent)
    }

    /// - Parameter indent: of the value's line; nil: all on one line.
    func render(_ value: JSONValue, _ indent: [UInt8]?) -> [UInt8] {
        var text: [UInt8] = []
        JSONWriter.append(value, to: &text, style, indent: indent)
        return text
    }

    /// The indentation for text that replaces a value: that of its line, if the document has lines.
    func indentForReplacement(at offset: Int) -> [UInt8]? {
        unit == nil ? nil : Self.indent(ofLineAt: offset, bytes)
    }

    private var style: JSONWriter.Style {
        JSONWriter.Style(
            comma: comma, colon: colon, lineEnd: lineEnd, unit: unit ?? Self.twoSpaces,
            leafBytes: Self.leafBytesMaximum)
    }

    private var comma: [UInt8] {
        isDense ? [UInt8(ascii: ",")] : [UInt8(ascii: ","), UInt8(ascii: " ")]
    }

    private var colon: [UInt8] {
        isDense ? [UInt8(ascii: ":")] : [UInt8(ascii: ":"), UInt8(ascii: " ")]
    }

    // MARK: Lines

    private static func indent(ofLineAt offset: Int, _ bytes: [UInt8]) -> [UInt8] {
        let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return Array(
            bytes[start...].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
    }

    /// The indentation of the first member or element on its own line, minus that of its container.
    private static func unit(_ container: JSONValue, _ bytes: [UInt8]) -> [UInt8]? {
        let inner: [(start: Int, value: JSONValue)]
        switch container.kind {
        case .array(let values): inner = values.map { ($0.range.lowerBound, $0) }
        case .object(let members): inner = members.map { ($0.keyRange.lowerBound, $0.value) }
        case .null, .bool, .number, .string: return nil
        }
        if let first = inner.first,
            bytes[container.range.lowerBound..<first.start].contains(UInt8(ascii: "\n"))
        {
            let outer = indent(ofLineAt: container.range.lowerBound, bytes)
            let own = indent(ofLineAt: first.start, bytes)
            if own.starts(with: outer), own.count > outer.count {
                return Array(own[outer.count...])
            }
        }
        for entry in inner {
            if let found = unit(entry.value, bytes) { return found }
        }
        return nil
    }
}
