/// Why an edit was rejected.
public struct EditError: Error, Sendable, Hashable {
    /// The message for people, with the place.
    public let diagnostic: Diagnostic

    init(
        _ message: String, remedy: String? = nil, at range: Range<Int>? = nil,
        _ document: JSONDocument
    ) {
        diagnostic = Diagnostic(
            code: "edit-refused", severity: .error, message: message, remedy: remedy,
            source: document.source, range: range)
    }
}
