package import Texts

extension Text {
    /// The value of a file in JSON; null if it is broken, which the tests of its reader find.
    package var json: JSONValue {
        (try? JSONReader.read(SourceText(name: "text", bytes: bytes)))?.root ?? JSONValue(.null)
    }
}

extension JSONValue {
    /// The strings of an array; none for anything else.
    var strings: [String] { (array ?? []).compactMap(\.string) }
}
