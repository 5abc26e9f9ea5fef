/// Edits a JSON document as text: unaffected parts stay byte for byte.
///
/// New elements follow the layout of their neighbours: one per line with the same indentation if
/// the neighbours are, otherwise on the same line. Every edit produces a new parsed document, so
/// positions always refer to the current text; an edit costs one pass over it.
public struct JSONTextEditor: Sendable {
    /// The current text, parsed.
    public private(set) var document: JSONDocument

    /// Starts to edit the document.
    public init(_ document: JSONDocument) {
        self.document = document
    }

    /// The current text.
    public var bytes: [UInt8] { document.source.bytes }

    /// One step of the path to a value: a key or an index.
    public enum Step: Sendable, Hashable {
        /// A member of an object; of a repeated key the last.
        case key(String)
        /// An element of an array, counted from 0.
        case index(Int)
    }

    /// The value at a path; nil if there is none.
    public func value(at path: [Step]) -> JSONValue? {
        path.reduce(Optional(document.root)) { value, step in
            switch step {
            case .key(let key): value?[key]
            case .index(let index):
                value?.array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            }
        }
    }

    /// Appends an element to the array at a path.
    /// - Throws: ``EditError`` if there is no array.
    public mutating func append(_ element: JSONValue, toArrayAt path: [Step]) throws(EditError) {
        try insert([element], at: Int.max, intoArrayAt: path)
    }

    /// Inserts elements before `index` into the array at a path; at the end if the index does not
    /// exist.
    /// - Throws: ``EditError`` if there is no array.
    public mutating func insert(
        _ elements: [JSONValue], at index: Int, intoArrayAt path: [Step]
    ) throws(EditError) {
        try apply([try insertion(of: elements, at: index, intoArrayAt: path)])
    }

    /// Appends a member to the object at a path.
    /// - Throws: ``EditError`` if there is no object.
    public mutating func append(
        _ key: String, _ value: JSONValue, toObjectAt path: [Step]
    ) throws(EditError) {
        guard let object = self.value(at: path), let members = object.members else {
            throw EditError(
                "there is no object to add to", at: self.value(at: path)?.range, document)
        }
        let layout = JSONLayout(document)
        let edit = layout.insertion(
            into: object.range, members.map(\.range), at: members.count
        ) { [layout.render(key, value, $0)] }
        try apply([edit])
    }

    /// Replaces the value at a path.
    /// - Throws: ``EditError`` if there is none.
    public mutating func replace(at path: [Step], with value: JSONValue) throws(EditError) {
        guard let old = self.value(at: path) else {
            throw EditError("there is nothing to replace", document)
        }
        let layout = JSONLayout(document)
        let indent = layout.indentForReplacement(at: old.range.lowerBound)
        try apply([TextEdit(old.range, layout.render(value, indent))])
    }

    /// Removes an element or member with its comma.
    /// - Throws: ``EditError`` if there is none.
    public mutating func remove(at path: [Step]) throws(EditError) {
        guard let last = path.last, let parent = value(at: Array(path.dropLast())) else {
            throw EditError("there is nothing to remove", document)
        }
        let index: Int?
        switch last {
        case .key(let key): index = parent.members?.lastIndex { $0.key == key }
        case .index(let number): index = number
        }
        guard let index, let edits = Self.removals(of: [index], from: parent) else {
            throw EditError("there is nothing to remove", at: parent.range, document)
        }
        try apply(edits)
    }

    // MARK: Several edits at once

    /// The edit that inserts elements into an array, not applied yet.
    func insertion(
        of elements: [JSONValue], at index: Int, intoArrayAt path: [Step],
        _ layout: JSONLayout? = nil
    ) throws(EditError) -> TextEdit {
        guard let array = value(at: path), let old = array.array else {
            throw EditError("there is no array to add to", at: value(at: path)?.range, document)
        }
        let layout = layout ?? JSONLayout(document)
        return layout.insertion(into: array.range, old.map(\.range), at: index) { indent in
            elements.map { layout.render($0, indent) }
        }
    }

    /// The edits that remove elements or members of `parent`; nil if the indices do not exist.
    package static func removals(of indices: Set<Int>, from parent: JSONValue) -> [TextEdit]? {
        let ranges =
            parent.members?.map(\.range) ?? parent.array?.map(\.range) ?? []
        guard indices.allSatisfy(ranges.indices.contains) else { return nil }
        return JSONLayout.removals(from: parent.range, ranges, indices)
    }

    /// Applies edits that were computed for the current text.
    /// - Throws: ``EditError`` if they overlap, or the result is not JSON.
    public mutating func apply(_ edits: [TextEdit]) throws(EditError) {
        guard let bytes = TextEdit.apply(edits, to: bytes) else {
            throw EditError("two edits overlap", document)
        }
        let source = SourceText(name: document.source.name, bytes: bytes)
        do {
            document = try JSONReader.read(source)
        } catch {
            throw EditError(error.message, document)
        }
    }
}
