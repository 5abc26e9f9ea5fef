/// Changes a JSON document as text: what an edit does not touch stays as it was written, byte for
/// byte.
///
/// New elements take over the layout of their neighbours: one per line with the same indentation
/// where the neighbours stand so, on the same line otherwise. Every edit gives a new document, read
/// again, so positions are always those of the current text.
public struct JSONTextEditor: Sendable {
    public private(set) var document: JSONDocument

    public init(_ document: JSONDocument) {
        self.document = document
    }

    public var bytes: [UInt8] { document.source.bytes }

    /// Where a value stands: the keys and indices that lead to it from the root.
    public enum Step: Sendable, Hashable {
        case key(String)
        case index(Int)
    }

    /// The value at a path; nil when there is none.
    public func value(at path: [Step]) -> JSONValue? {
        path.reduce(Optional(document.root)) { value, step in
            switch step {
            case .key(let key): value?[key]
            case .index(let index):
                value?.array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            }
        }
    }

    /// Puts an element behind the last one of the array at a path.
    /// - Throws: ``EditError`` when there is no array.
    public mutating func append(_ element: JSONValue, toArrayAt path: [Step]) throws(EditError) {
        guard let array = value(at: path), let elements = array.array else {
            throw EditError(.shape, "there is no array to add to", at: value(at: path), document)
        }
        let change = insertion(
            into: array, behind: elements.last?.range,
            previousEnd: elements.count > 1 ? elements[elements.count - 2].range.upperBound : nil
        ) { indent in
            render(element, indent)
        }
        try replace(change.range, with: change.text)
    }

    /// Puts a member behind the last one of the object at a path.
    /// - Throws: ``EditError`` when there is no object.
    public mutating func append(
        _ key: String, _ value: JSONValue, toObjectAt path: [Step]
    ) throws(EditError) {
        guard let object = self.value(at: path), let members = object.members else {
            throw EditError(
                .shape, "there is no object to add to", at: self.value(at: path), document)
        }
        let separator = colon()
        let change = insertion(
            into: object, behind: members.last?.range,
            previousEnd: members.count > 1 ? members[members.count - 2].range.upperBound : nil
        ) { indent in
            var text: [UInt8] = []
            JSONWriter.append(string: key, to: &text)
            return text + separator + render(value, indent)
        }
        try replace(change.range, with: change.text)
    }

    /// Takes an element or member away together with its comma.
    /// - Throws: ``EditError`` when there is none.
    public mutating func remove(at path: [Step]) throws(EditError) {
        guard let last = path.last, let parent = value(at: Array(path.dropLast())) else {
            throw EditError(.shape, "there is nothing to remove", at: nil, document)
        }
        let ranges: [Range<Int>]
        let index: Int?
        switch last {
        case .key(let key):
            ranges = (parent.members ?? []).map(\.range)
            index = parent.members?.lastIndex { $0.key == key }
        case .index(let number):
            ranges = (parent.array ?? []).map(\.range)
            index = ranges.indices.contains(number) ? number : nil
        }
        guard let index else {
            throw EditError(.shape, "there is nothing to remove", at: parent, document)
        }
        let removed: Range<Int>
        if index + 1 < ranges.count {
            removed = ranges[index].lowerBound..<ranges[index + 1].lowerBound
        } else if index > 0 {
            removed = ranges[index - 1].upperBound..<ranges[index].upperBound
        } else {
            removed = parent.range.lowerBound + 1..<parent.range.upperBound - 1
        }
        try replace(removed, with: [])
    }

    // MARK: Text

    private func insertion(
        into container: JSONValue, behind last: Range<Int>?, previousEnd: Int?,
        _ text: (_ indent: [UInt8]?) -> [UInt8]
    ) -> (range: Range<Int>, text: [UInt8]) {
        guard let last else {
            // Nothing to imitate: one line, unless the document is laid out on several.
            let inside = container.range.lowerBound + 1..<container.range.upperBound - 1
            let hasLines = bytes[inside].contains(UInt8(ascii: "\n"))
            guard let unit = indentUnit() ?? (hasLines ? Self.twoSpaces : nil) else {
                return (inside, text(nil))
            }
            let outer = indent(ofLineAt: container.range.lowerBound)
            let inner = outer + unit
            return (inside, lineEnd() + inner + text(inner) + lineEnd() + outer)
        }
        // On a line of its own: a line end between it and what stands before it.
        let before = previousEnd ?? container.range.lowerBound + 1
        let gap = bytes[before..<last.lowerBound]
        let behind = last.upperBound..<last.upperBound
        guard gap.contains(UInt8(ascii: "\n")) else { return (behind, comma() + text(nil)) }
        let indent = indent(ofLineAt: last.lowerBound)
        return (behind, [UInt8(ascii: ",")] + lineEnd() + indent + text(indent))
    }

    private static let twoSpaces = Array("  ".utf8)

    private mutating func replace(
        _ range: Range<Int>, with text: [UInt8]
    ) throws(EditError) {
        var bytes = bytes
        bytes.replaceSubrange(range, with: text)
        let source = SourceText(name: document.source.name, bytes: bytes)
        do {
            document = try JSONReader.read(source)
        } catch {
            throw EditError(.result, error.message, at: nil, document)
        }
    }

    /// `indent` nil: on one line.
    private func render(_ value: JSONValue, _ indent: [UInt8]?) -> [UInt8] {
        let isNested =
            switch value.kind {
            case .array(let values): !values.isEmpty
            case .object(let members): !members.isEmpty
            case .null, .bool, .number, .string: false
            }
        guard let indent, isNested, !isLeaf(value) else { return oneLine(value) }
        let unit = indentUnit() ?? Self.twoSpaces
        let inner = indent + unit
        var parts: [[UInt8]] = []
        let brackets: (UInt8, UInt8)
        switch value.kind {
        case .array(let values):
            brackets = (UInt8(ascii: "["), UInt8(ascii: "]"))
            parts = values.map { render($0, inner) }
        case .object(let members):
            brackets = (UInt8(ascii: "{"), UInt8(ascii: "}"))
            parts = members.map { member in
                var text: [UInt8] = []
                JSONWriter.append(string: member.key, to: &text)
                return text + colon() + render(member.value, inner)
            }
        case .null, .bool, .number, .string: return oneLine(value)
        }
        let separator = [UInt8(ascii: ",")] + lineEnd() + inner
        return [brackets.0] + lineEnd() + inner + Array(parts.joined(separator: separator))
            + lineEnd() + indent + [brackets.1]
    }

    /// Holds nothing nested, and is short enough to stand on one line as people write rules.
    private func isLeaf(_ value: JSONValue) -> Bool {
        let inner: [JSONValue]
        switch value.kind {
        case .array(let values): inner = values
        case .object(let members): inner = members.map(\.value)
        case .null, .bool, .number, .string: return true
        }
        return inner.allSatisfy {
            switch $0.kind {
            case .array, .object: false
            case .null, .bool, .number, .string: true
            }
        } && JSONWriter.minified(value).count <= 80
    }

    private func oneLine(_ value: JSONValue) -> [UInt8] {
        switch value.kind {
        case .array(let values):
            let parts = values.map { oneLine($0) }
            return [UInt8(ascii: "[")] + Array(parts.joined(separator: comma()))
                + [UInt8(ascii: "]")]
        case .object(let members):
            let parts = members.map { member in
                var text: [UInt8] = []
                JSONWriter.append(string: member.key, to: &text)
                return text + colon() + oneLine(member.value)
            }
            return [UInt8(ascii: "{")] + Array(parts.joined(separator: comma()))
                + [UInt8(ascii: "}")]
        case .null, .bool, .number, .string: return JSONWriter.minified(value)
        }
    }

    // MARK: Layout

    private func indent(ofLineAt offset: Int) -> [UInt8] {
        var start = offset
        while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
        return Array(bytes[start...].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
    }

    /// The indentation of the first member or element on a line of its own, less that of its
    /// container; nil in a document on one line.
    private func indentUnit() -> [UInt8]? {
        func unit(_ container: JSONValue) -> [UInt8]? {
            let inner: [(start: Int, value: JSONValue)]
            switch container.kind {
            case .array(let values): inner = values.map { ($0.range.lowerBound, $0) }
            case .object(let members): inner = members.map { ($0.keyRange.lowerBound, $0.value) }
            case .null, .bool, .number, .string: return nil
            }
            if let first = inner.first {
                let gap = bytes[container.range.lowerBound..<first.start]
                let outer = indent(ofLineAt: container.range.lowerBound)
                let own = indent(ofLineAt: first.start)
                if gap.contains(UInt8(ascii: "\n")), own.starts(with: outer),
                    own.count > outer.count
                {
                    return Array(own[outer.count...])
                }
            }
            for entry in inner {
                if let found = unit(entry.value) { return found }
            }
            return nil
        }
        return unit(document.root)
    }

    private func lineEnd() -> [UInt8] {
        let first = bytes.firstIndex(of: UInt8(ascii: "\n"))
        let isCRLF = first.map { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "\r") } ?? false
        return isCRLF ? [UInt8(ascii: "\r"), UInt8(ascii: "\n")] : [UInt8(ascii: "\n")]
    }

    /// A minified document stays minified.
    private func isDense() -> Bool {
        guard let member = document.root.members?.first else { return false }
        let between = bytes[member.keyRange.upperBound..<member.value.range.lowerBound]
        return indentUnit() == nil && !between.contains(UInt8(ascii: " "))
    }

    private func comma() -> [UInt8] {
        isDense() ? [UInt8(ascii: ",")] : [UInt8(ascii: ","), UInt8(ascii: " ")]
    }

    private func colon() -> [UInt8] {
        isDense() ? [UInt8(ascii: ":")] : [UInt8(ascii: ":"), UInt8(ascii: " ")]
    }
}

/// Why an edit was not made.
public struct EditError: Error, Sendable, Hashable {
    public enum Reason: Sendable, Hashable {
        /// What was to be added is there, or the app ID is none.
        case argument
        /// What was to be removed is not there.
        case missing
        /// The edited text would not be a document. Never expected; checked all the same before
        /// anything is written.
        case result
        /// The document does not have the shape that the edit needs.
        case shape
    }

    public let reason: Reason
    public let diagnostic: Diagnostic

    init(
        _ reason: Reason, _ message: String, remedy: String? = nil, at value: JSONValue?,
        _ document: JSONDocument
    ) {
        self.reason = reason
        diagnostic =
            value.map {
                Diagnostic(
                    code: "edit-refused", severity: .error, message: message, remedy: remedy,
                    source: document.source, range: $0.range)
            }
            ?? Diagnostic(
                code: "edit-refused", severity: .error, message: message, remedy: remedy,
                file: document.source.name)
    }
}
