import Texts

extension LintReport {
    /// The JSON Schema of `aasa lint --format json`. Its `finding` is the form of a finding in the
    /// JSON of every other command. A test compares the two.
    public static var schema: JSONValue {
        let file = SourceText(name: "schema", bytes: Text.findingSchema.bytes)
        return (try? JSONReader.read(file))?.root ?? JSONValue(.null)
    }
}
