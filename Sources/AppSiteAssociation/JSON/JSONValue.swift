/// A parsed JSON document, with the place of every value and key.
public struct JSONDocument: Sendable {
    /// The bytes of the document, and their name.
    public let source: SourceText
    /// The outermost value.
    public let root: JSONValue
    /// Every repeated key, in document order. RFC 8259 section 4 only says that names *should* be
    /// unique and leaves the result to the parser; this one keeps both members.
    public var duplicateKeys: [JSONDuplicateKey] {
        root.repeatedKeys.sorted { $0.second.lowerBound < $1.second.lowerBound }
    }
}

/// A key that occurs twice in one object.
public struct JSONDuplicateKey: Sendable, Hashable {
    /// The key, unescaped.
    public let key: String
    /// The first occurrence, including quotes.
    public let first: Range<Int>
    /// The repeated occurrence, including quotes.
    public let second: Range<Int>
}

/// A JSON value and its bytes.
public struct JSONValue: Sendable {
    /// The types of values.
    public enum Kind: Sendable {
        case null
        case bool(Bool)
        /// A number as written: no arithmetic is needed, and no digit is lost.
        case number(String)
        case string(String)
        case array([JSONValue])
        /// The members in document order, including duplicates.
        case object([JSONMember])
    }

    /// The value.
    public let kind: Kind
    /// The bytes of the value, including quotes and brackets; empty for a value created in memory.
    public let range: Range<Int>

    /// A value with its place; without a place it counts as created in memory.
    public init(_ kind: Kind, range: Range<Int> = 0..<0) {
        self.kind = kind
        self.range = range
    }
}

/// A key and its value.
public struct JSONMember: Sendable {
    /// The key, unescaped.
    public let key: String
    /// The bytes of the key, including quotes; empty for a member created in memory.
    public let keyRange: Range<Int>
    /// The value of the member.
    public let value: JSONValue

    /// From the first quote of the key to the end of the value.
    public var range: Range<Int> {
        keyRange.lowerBound..<max(keyRange.lowerBound, value.range.upperBound)
    }

    /// Creates a member in memory; without a range it belongs to no document.
    public init(key: String, keyRange: Range<Int> = 0..<0, value: JSONValue) {
        self.key = key
        self.keyRange = keyRange
        self.value = value
    }
}

extension JSONValue {
    /// The text of a string; nil for anything else.
    public var string: String? {
        if case .string(let string) = kind { return string }
        return nil
    }

    /// The value of `true` or `false`; nil for anything else.
    public var bool: Bool? {
        if case .bool(let bool) = kind { return bool }
        return nil
    }

    /// The value as an integer that every reader of JSON keeps exactly, up to 2^53 (RFC 8259
    /// section 6); nil for anything else. So the times and counters of a damaged record can be
    /// added to and taken from each other.
    package var integer: Int64? {
        guard case .number(let text) = kind, let number = Int64(text),
            number.magnitude < 1 << 53
        else { return nil }
        return number
    }

    /// The elements of an array; nil for anything else.
    public var array: [JSONValue]? {
        if case .array(let values) = kind { return values }
        return nil
    }

    /// The strings of an array; none for anything else.
    package var strings: [String] { (array ?? []).compactMap(\.string) }

    /// Whether it says nothing: null, {} or [].
    var isNothing: Bool {
        switch kind {
        case .null: true
        case .array(let values): values.isEmpty
        case .object(let members): members.isEmpty
        case .bool, .number, .string: false
        }
    }

    /// The members of an object, repeated keys included; nil for anything else.
    public var members: [JSONMember]? {
        if case .object(let members) = kind { return members }
        return nil
    }

    /// The elements of an array, or the values of an object.
    var contents: [JSONValue] { array ?? (members ?? []).map(\.value) }

    /// The member with this key; the last of duplicates, as in parsers that fill a dictionary.
    public func member(_ key: String) -> JSONMember? { members?.last(key) }

    /// The value of the member with this key (see ``member(_:)``).
    public subscript(key: String) -> JSONValue? { member(key)?.value }

    /// The type of the value in the terms of RFC 8259 section 3, for messages: `a string`, `an
    /// object`, ….
    public var kindName: String {
        switch kind {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// Calls `look` with this value, and with each value inside it, outer ones before inner ones.
    func forEachValue(_ look: (JSONValue) -> Void) {
        look(self)
        for element in array ?? [] { element.forEachValue(look) }
        for member in members ?? [] { member.value.forEachValue(look) }
    }

    /// The keys that stand in their objects again, here and inside, each with its first place.
    var repeatedKeys: [JSONDuplicateKey] {
        var repeated: [JSONDuplicateKey] = []
        forEachValue { value in
            guard let members = value.members, members.count > 1 else { return }
            var seen: [ExactText: Range<Int>] = [:]
            for member in members {
                let key = ExactText(member.key)
                guard let first = seen[key] else {
                    seen[key] = member.keyRange
                    continue
                }
                repeated.append(
                    JSONDuplicateKey(key: member.key, first: first, second: member.keyRange))
            }
        }
        return repeated
    }

    /// Equality of meaning: places and the order of members do not matter, the order of array
    /// elements does. Numbers are equal if their text is.
    public func means(_ other: JSONValue) -> Bool {
        switch (kind, other.kind) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.number(let left), .number(let right)): return left == right
        case (.string(let left), .string(let right)): return ExactText(left) == ExactText(right)
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.means($1) }
        case (.object(let left), .object(let right)):
            guard left.count == right.count else { return false }
            // Duplicates keep their written order: a sort is stable.
            let order = { (members: [JSONMember]) in
                members.sorted { ExactText($0.key) < ExactText($1.key) }
            }
            return zip(order(left), order(right)).allSatisfy {
                ExactText($0.key) == ExactText($1.key) && $0.value.means($1.value)
            }
        default: return false
        }
    }
}

extension [JSONMember] {
    /// The last of equal keys counts, as in a dictionary.
    func last(_ key: String) -> JSONMember? { last { $0.key == key } }
}
