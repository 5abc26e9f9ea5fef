/// The layout of a document, detected in one pass, and the formatting of new text to match it.
struct JSONLayout {
    private let bytes: [UInt8]
    private let style: JSONWriter.Style
    /// Whether the document has an indentation; one on one line has none.
    private let hasLines: Bool

    /// Longer lists and objects are written on several lines.
    private static let leafBytesMaximum = 80

    init(_ document: JSONDocument) {
        let bytes = document.source.bytes
        self.bytes = bytes
        let firstEnd = bytes.firstIndex(of: UInt8(ascii: "\n"))
        let isCRLF = firstEnd.map { bytes[..<$0].last == UInt8(ascii: "\r") } ?? false
        let unit = firstEnd == nil ? nil : Self.unit(document.root, bytes)
        hasLines = unit != nil
        let firstGap = document.root.members?.first.map {
            bytes[$0.keyRange.upperBound..<$0.value.range.lowerBound]
        }
        // A minified document stays minified: no blanks after commas and colons.
        let isDense = unit == nil && firstGap.map { !$0.contains(UInt8(ascii: " ")) } ?? false
        style = JSONWriter.Style(
            comma: Array((isDense ? "," : ", ").utf8), colon: Array((isDense ? ":" : ": ").utf8),
            lineEnd: Array((isCRLF ? "\r\n" : "\n").utf8), unit: unit ?? Array("  ".utf8),
            leafBytes: Self.leafBytesMaximum)
    }

    // MARK: Insertion

    /// Inserts elements before the one at `index`, or after the last.
    func insertion(
        of elements: [JSONValue], at index: Int = .max, into array: JSONValue
    ) -> TextEdit {
        insertion(into: array, at: index) { indent in elements.map { render($0, indent) } }
    }

    /// Inserts members before the one at `index`, or after the last.
    func insertion(
        of members: [JSONMember], at index: Int = .max, into object: JSONValue
    ) -> TextEdit {
        insertion(into: object, at: index) { indent in members.map { render($0, indent) } }
    }

    /// - Parameter texts: what is new, formatted for an indentation (nil: on one line).
    private func insertion(
        into value: JSONValue, at index: Int, _ texts: (_ indent: [UInt8]?) -> [[UInt8]]
    ) -> TextEdit {
        let (container, ranges) = (value.range, value.places)
        guard let last = ranges.last else {
            // Nothing to match: one line, unless the document has several.
            let inside = container.lowerBound + 1..<container.upperBound - 1
            guard hasLines || bytes[inside].contains(UInt8(ascii: "\n")) else {
                return TextEdit(inside, Array(texts(nil).joined(separator: style.comma)))
            }
            let outer = Self.indent(ofLineAt: container.lowerBound, bytes)
            let inner = outer + (style.unit ?? [])
            let text = texts(inner).joined(separator: separator(inner))
            return TextEdit(
                inside, style.lineEnd + inner + Array(text) + style.lineEnd + outer)
        }
        let isLast = index >= ranges.count
        let neighbour = isLast ? last : ranges[index]
        let place = isLast ? ranges.count - 1 : index
        let before = place > 0 ? ranges[place - 1].upperBound : container.lowerBound + 1
        // On its own line if a line end precedes it.
        let hasLine = bytes[before..<neighbour.lowerBound].contains(UInt8(ascii: "\n"))
        let indent = hasLine ? Self.indent(ofLineAt: neighbour.lowerBound, bytes) : nil
        let separator = separator(indent)
        let text = Array(texts(indent).joined(separator: separator))
        return isLast
            ? TextEdit(last.upperBound..<last.upperBound, separator + text)
            : TextEdit(neighbour.lowerBound..<neighbour.lowerBound, text + separator)
    }

    private func separator(_ indent: [UInt8]?) -> [UInt8] {
        indent.map { [UInt8(ascii: ",")] + style.lineEnd + $0 } ?? style.comma
    }

    /// Replaces a value, with the indentation of its line if the document has lines.
    func replacement(of old: JSONValue, with new: JSONValue) -> TextEdit {
        let indent = hasLines ? Self.indent(ofLineAt: old.range.lowerBound, bytes) : nil
        return TextEdit(old.range, render(new, indent))
    }

    // MARK: Text

    /// A member for an object whose lines have this indentation; nil: on one line.
    func render(_ member: JSONMember, _ indent: [UInt8]?) -> [UInt8] {
        var text: [UInt8] = []
        JSONWriter.append(string: member.key, to: &text)
        return text + style.colon + render(member.value, indent)
    }

    /// - Parameter indent: of the value's line; nil: all on one line.
    private func render(_ value: JSONValue, _ indent: [UInt8]?) -> [UInt8] {
        var text: [UInt8] = []
        JSONWriter.append(value, to: &text, style, indent: indent)
        return text
    }

    // MARK: Lines

    private static func indent(ofLineAt offset: Int, _ bytes: [UInt8]) -> [UInt8] {
        let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return Array(
            bytes[start...].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
    }

    /// The indentation of the first member or element on its own line, minus that of its container.
    private static func unit(_ container: JSONValue, _ bytes: [UInt8]) -> [UInt8]? {
        if let first = container.places.first?.lowerBound,
            bytes[container.range.lowerBound..<first].contains(UInt8(ascii: "\n"))
        {
            let outer = indent(ofLineAt: container.range.lowerBound, bytes)
            let own = indent(ofLineAt: first, bytes)
            if own.starts(with: outer), own.count > outer.count {
                return Array(own[outer.count...])
            }
        }
        for value in container.contents {
            if let found = unit(value, bytes) { return found }
        }
        return nil
    }
}
