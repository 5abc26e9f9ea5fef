/// A value and its bytes, including quotes.
public struct Located<Value> {
    /// The value, unescaped.
    public let value: Value
    /// From the first byte to after the last, including quotes.
    public let range: Range<Int>

    /// A value at its place.
    public init(_ value: Value, range: Range<Int>) {
        self.value = value
        self.range = range
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
}
