package import Texts

extension Text {
    /// The value of a file in JSON; null if it is broken, which the tests of its reader find.
    package var json: JSONValue {
        (try? JSONReader.read(SourceText(name: "text", bytes: bytes)))?.root ?? JSONValue(.null)
    }
}
