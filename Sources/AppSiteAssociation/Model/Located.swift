/// A value and its bytes, including quotes.
public struct Located<Value> {
    /// The value, unescaped.
    public let value: Value
    // Half the size of two Ints, see JSONValue: a document of 1,024 rules has some 5,000 of them.
    private let lower: UInt32
    private let upper: UInt32

    /// From the first byte to after the last, including quotes.
    public var range: Range<Int> { Int(lower)..<Int(upper) }

    /// A value at its place.
    public init(_ value: Value, range: Range<Int>) {
        self.value = value
        lower = UInt32(truncatingIfNeeded: range.lowerBound)
        upper = UInt32(truncatingIfNeeded: range.upperBound)
    }
}

extension Located: Sendable where Value: Sendable {}
extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}

/// What the model reads: others count as missing, as for the system; ``FormatCheck`` reports them.
extension JSONValue {
    /// A string with its place.
    var text: Located<String>? { string.map { Located($0, range: range) } }

    /// The strings of an array; nil for anything else.
    var texts: [Located<String>]? { array?.compactMap(\.text) }

    /// `true` or `false` with its place.
    var flag: Located<Bool>? { bool.map { Located($0, range: range) } }
}

extension [JSONMember] {
    /// The last of equal keys counts, as in a dictionary.
    func last(_ key: String) -> JSONMember? { last { $0.key == key } }
}
