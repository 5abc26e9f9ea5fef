/// Creates values in memory, for tools with JSON output.
extension JSONValue {
    /// An object of these members, in this order.
    public static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        JSONValue(.object(members.map { JSONMember(key: $0.0, value: $0.1) }))
    }

    /// An array of these values.
    public static func list(_ values: [JSONValue]) -> JSONValue { JSONValue(.array(values)) }

    /// A string.
    public static func text(_ string: String) -> JSONValue { JSONValue(.string(string)) }

    /// A string, or null.
    public static func text(_ string: String?) -> JSONValue {
        string.map { JSONValue(.string($0)) } ?? JSONValue(.null)
    }

    /// A whole number, or null.
    public static func integer(_ number: (some BinaryInteger)?) -> JSONValue {
        JSONValue(number.map { .number(String($0)) } ?? .null)
    }

    /// `true` or `false`.
    public static func flag(_ value: Bool) -> JSONValue { JSONValue(.bool(value)) }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
    ExpressibleByStringLiteral
{
    /// An object of these members, in this order.
    public init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(members) }
    /// An array of these values.
    public init(arrayLiteral values: JSONValue...) { self = .list(values) }
    /// A string.
    public init(stringLiteral text: String) { self = .text(text) }
}
