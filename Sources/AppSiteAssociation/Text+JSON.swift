package import Texts

extension Text {
    /// The value of a file in JSON; null if it is broken, which the tests of its reader find.
    package var json: JSONValue {
        (try? JSONReader.read(SourceText(name: "text", bytes: bytes)))?.root ?? JSONValue(.null)
    }
}

extension JSONValue {
    /// A whole number that an `Int` can hold; nil for anything else.
    var int: Int? {
        if case .number(let digits) = kind { Int(digits) } else { nil }
    }

    /// The strings of an array; none for anything else.
    var strings: [String] { (array ?? []).compactMap(\.string) }
}
