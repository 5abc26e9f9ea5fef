/// The decision about a URL for one app.
public enum LinkDecision: String, Sendable, Hashable, CaseIterable {
    /// The system offers the URL to the app.
    case match
    /// A rule with `exclude` (or `NOT `) matched first: the URL stays in the browser.
    case exclude
    /// No rule matched: the URL stays in the browser.
    case none
}

/// A rule of a document, with its place.
public struct RuleReference: Sendable, Hashable {
    /// The list of the rule, and its position in it.
    public enum Rule: Sendable, Hashable {
        /// An element of `components`, by its position.
        case component(Int)
        /// An element of `paths`, by its position.
        case path(Int)
        /// The entry has neither `components` nor `paths`, and so matches every URL.
        case everything
    }

    /// Position of the entry within `details` as written, counted from 0.
    public let detail: Int
    /// The position in the entry.
    public let rule: Rule
    /// The rule's bytes in the document.
    public let range: Range<Int>
}

extension RuleReference: CustomStringConvertible {
    /// The path in the document: `details[0].components[3]`.
    public var description: String {
        switch rule {
        case .component(let index): "details[\(detail)].components[\(index)]"
        case .path(let index): "details[\(detail)].paths[\(index)]"
        case .everything: "details[\(detail)]"
        }
    }
}

/// The answer for one app, with its reason.
public struct AppDecision: Sendable, Hashable {
    /// The application identifier as the document writes it.
    public let app: String
    /// The decision.
    public let decision: LinkDecision
    /// The deciding rule; nil if none matched.
    public let rule: RuleReference?
    /// The rule that came closest to a match, and why it did not match; only if requested, and if
    /// no rule matched.
    public let nearestMiss: RuleTrace?
}
