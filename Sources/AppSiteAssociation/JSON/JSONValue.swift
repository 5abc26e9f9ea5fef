/// A parsed JSON document, with the place of every value and key.
public struct JSONDocument: Sendable {
    /// The bytes of the document, and their name.
    public let source: SourceText
    /// The outermost value.
    public let root: JSONValue
    /// Every repeated key, in document order. RFC 8259 section 4 only says that names *should* be
    /// unique and leaves the result to the parser; this one keeps both members.
    public let duplicateKeys: [JSONDuplicateKey]

    /// The source text of a range, for messages.
    public func text(in range: Range<Int>) -> String { source.text(in: range) }
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
    // Half the size of two Ints; a source has at most `JSONLimits.bytesMaximum` bytes, below 2³¹.
    private let lower: UInt32
    private let upper: UInt32

    /// The bytes of the value, including quotes and brackets; empty for a value created in memory.
    public var range: Range<Int> { Int(lower)..<Int(upper) }

    /// A value with its place; without a place it counts as created in memory.
    public init(_ kind: Kind, range: Range<Int> = 0..<0) {
        self.kind = kind
        lower = UInt32(truncatingIfNeeded: range.lowerBound)
        upper = UInt32(truncatingIfNeeded: range.upperBound)
    }
}

/// A key and its value.
public struct JSONMember: Sendable {
    /// The key, unescaped.
    public let key: String
    private let keyLower: UInt32
    private let keyUpper: UInt32
    /// The value of the member.
    public let value: JSONValue

    /// The bytes of the key, including quotes; empty for a member created in memory.
    public var keyRange: Range<Int> { Int(keyLower)..<Int(keyUpper) }
    /// From the first quote of the key to the end of the value.
    public var range: Range<Int> { Int(keyLower)..<max(Int(keyLower), value.range.upperBound) }

    /// Creates a member in memory; without a range it belongs to no document.
    public init(key: String, keyRange: Range<Int> = 0..<0, value: JSONValue) {
        self.key = key
        keyLower = UInt32(truncatingIfNeeded: keyRange.lowerBound)
        keyUpper = UInt32(truncatingIfNeeded: keyRange.upperBound)
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

    /// The elements of an array; nil for anything else.
    public var array: [JSONValue]? {
        if case .array(let values) = kind { return values }
        return nil
    }

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

    /// The member with this key; the last of duplicates, as in parsers that fill a dictionary.
    public func member(_ key: String) -> JSONMember? {
        guard case .object(let members) = kind, let place = Self.place(of: key, in: members) else {
            return nil
        }
        return members[place]
    }

    /// The value of the member with this key (see ``member(_:)``).
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = kind, let place = Self.place(of: key, in: members) else {
            return nil
        }
        return members[place].value
    }

    /// The last of equal keys counts.
    private static func place(of key: String, in members: [JSONMember]) -> Int? {
        // Lengths usually differ, and comparing them is cheaper than a comparison.
        var place = members.count
        if place == 0 { return nil }
        let length = key.utf8.count
        while place > 0 {
            place -= 1
            if members[place].key.utf8.count == length, members[place].key == key { return place }
        }
        return nil
    }

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
            // Stable by key, so that duplicates are compared in their written order.
            let order = { (members: [JSONMember]) in
                members.enumerated().sorted {
                    (ExactText($0.element.key), $0.offset) < (ExactText($1.element.key), $1.offset)
                }.map(\.element)
            }
            return zip(order(left), order(right)).allSatisfy {
                ExactText($0.key) == ExactText($1.key) && $0.value.means($1.value)
            }
        default: return false
        }
    }
}
