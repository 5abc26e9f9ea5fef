/// Why an edit was rejected.
public struct EditError: Error, Sendable, Hashable {
    /// The kind of error, for programs.
    public enum Reason: Sendable, Hashable {
        /// The element to add exists, or the app ID is invalid.
        case argument
        /// The element to remove does not exist.
        case missing
        /// The result would not be a valid document. Never expected, but checked before anything is
        /// written.
        case result
        /// The document does not have the required structure.
        case shape
        /// The edit would also change what other apps open.
        case shared
    }

    /// Why the edit was rejected.
    public let reason: Reason
    /// The message for people, with the place.
    public let diagnostic: Diagnostic

    init(
        _ reason: Reason, _ message: String, remedy: String? = nil, at range: Range<Int>? = nil,
        _ document: JSONDocument
    ) {
        self.reason = reason
        diagnostic = Diagnostic(
            code: "edit-refused", severity: .error, message: message, remedy: remedy,
            source: document.source, range: range)
    }

    init(
        _ reason: Reason, _ message: String, remedy: String? = nil, at value: JSONValue?,
        _ document: JSONDocument
    ) {
        self.init(reason, message, remedy: remedy, at: value?.range, document)
    }
}
