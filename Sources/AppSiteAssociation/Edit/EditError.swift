/// Why an edit was not made.
public struct EditError: Error, Sendable, Hashable {
    /// The kind of refusal, for programs.
    public enum Reason: Sendable, Hashable {
        /// What was to be added is there, or the app ID is none.
        case argument
        /// What was to be removed is not there.
        case missing
        /// The edited text would not be a document. Never expected; checked all the same before
        /// anything is written.
        case result
        /// The document does not have the shape that the edit needs.
        case shape
        /// The edit would change what other apps open, too.
        case shared
    }

    /// Why the edit was not made.
    public let reason: Reason
    /// What is to be said to people, with the place.
    public let diagnostic: Diagnostic

    init(
        _ reason: Reason, _ message: String, remedy: String? = nil, at range: Range<Int>?,
        _ document: JSONDocument
    ) {
        self.reason = reason
        diagnostic =
            range.map {
                Diagnostic(
                    code: "edit-refused", severity: .error, message: message, remedy: remedy,
                    source: document.source, range: $0)
            }
            ?? Diagnostic(
                code: "edit-refused", severity: .error, message: message, remedy: remedy,
                file: document.source.name)
    }

    init(
        _ reason: Reason, _ message: String, remedy: String? = nil, at value: JSONValue?,
        _ document: JSONDocument
    ) {
        self.init(reason, message, remedy: remedy, at: value?.range, document)
    }
}
