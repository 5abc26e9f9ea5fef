import Texts

extension LintReport {
    /// The JSON Schema of `aasa lint --format json`. Its `finding` is the form of a finding in the
    /// JSON of every other command. A test compares the two.
    public static var schema: JSONValue { Text.findingSchema.json }
}
