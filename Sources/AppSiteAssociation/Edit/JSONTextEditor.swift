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

    /// Inserts elements before `index` into the array at a path; at the end if the index does not
    /// exist.
    /// - Throws: ``EditError`` if there is no array.
    public mutating func insert(
        _ elements: [JSONValue], at index: Int = .max, intoArrayAt path: [Step]
    ) throws(EditError) {
        let array = value(at: path)
        guard let array, array.array != nil else {
            throw EditError("there is no array to add to", at: array?.range, document)
        }
        try apply([JSONLayout(document).insertion(of: elements, at: index, into: array)])
    }

    /// Replaces the value at a path, or adds it to the object there as the last member. Objects on
    /// the way that are missing are added with it.
    /// - Throws: ``EditError`` if there is no object to add to.
    public mutating func set(_ new: JSONValue, at path: [Step]) throws(EditError) {
        let layout = JSONLayout(document)
        if let old = value(at: path) {
            return try apply([layout.replacement(of: old, with: new)])
        }
        guard case .key(let key)? = path.last else {
            throw EditError("there is nothing to replace", document)
        }
        let member = JSONMember(key: key, value: new)
        let outer = Array(path.dropLast())
        guard let object = value(at: outer) else {
            return try set(JSONValue(.object([member])), at: outer)
        }
        guard object.members != nil else {
            throw EditError("there is no object to add to", at: object.range, document)
        }
        try apply([layout.insertion(of: [member], into: object)])
    }

    /// Removes an element or member with its comma.
    /// - Throws: ``EditError`` if there is none.
    public mutating func remove(at path: [Step]) throws(EditError) {
        let parent = value(at: Array(path.dropLast()))
        let index: Int? =
            switch path.last {
            case .key(let key)?: parent?.members?.lastIndex { $0.key == key }
            case .index(let number)?: number
            case nil: nil
            }
        guard let parent, let index, let edits = Self.removals(of: [index], from: parent) else {
            throw EditError("there is nothing to remove", at: parent?.range, document)
        }
        try apply(edits)
    }

    // MARK: Several edits at once

    /// The edits that take elements or members of `parent` away, each with its comma; nil if the
    /// indices do not exist.
    package static func removals(of indices: Set<Int>, from parent: JSONValue) -> [TextEdit]? {
        let places = parent.places
        guard indices.allSatisfy(places.indices.contains) else { return nil }
        guard let highest = indices.max() else { return [] }
        guard let last = places.indices.last(where: { !indices.contains($0) }) else {
            return [TextEdit(parent.range.lowerBound + 1..<parent.range.upperBound - 1, [])]
        }
        let behind = places[last].upperBound..<places[places.count - 1].upperBound
        return indices.filter { $0 < last }.sorted().map {
            TextEdit(places[$0].lowerBound..<places[$0 + 1].lowerBound, [])
        } + (highest > last ? [TextEdit(behind, [])] : [])
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

extension JSONValue {
    /// The places of the elements or members.
    var places: [Range<Int>] { members?.map(\.range) ?? array?.map(\.range) ?? [] }
}
