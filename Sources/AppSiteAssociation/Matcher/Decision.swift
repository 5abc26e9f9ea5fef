/// What becomes of a URL for one app.
public enum LinkDecision: String, Sendable, Hashable, CaseIterable {
    /// The system offers the URL to the app.
    case match
    /// A rule with `exclude` (or `NOT `) matched first: the URL stays in the browser.
    case exclude
    /// No rule matched: the URL stays in the browser.
    case none
}

/// A rule of a document: which one, and where it is written.
public struct RuleReference: Sendable, Hashable {
    /// Which list of the entry the rule stands in, and where in it.
    public enum Rule: Sendable, Hashable {
        /// An entry of `components`, by its position as written.
        case component(Int)
        /// An entry of `paths`, by its position.
        case path(Int)
        /// The entry has neither `components` nor `paths`, and then takes every URL.
        case everything
    }

    /// Position of the entry within `details` as written, counted from 0.
    public let detail: Int
    /// Where in its entry it stands.
    public let rule: Rule
    /// The rule's bytes in the document.
    public let range: Range<Int>
}

extension RuleReference: CustomStringConvertible {
    /// As a path into the document: `details[0].components[3]`.
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
    /// What becomes of the URL.
    public let decision: LinkDecision
    /// The rule that decided; nil when none matched.
    public let rule: RuleReference?
    /// Of the rules that did not match, the one that came closest; only without a match, and only
    /// where asked for.
    public let nearestMiss: NearestMiss?
}

/// The rule that came closest, and what kept it from matching.
public struct NearestMiss: Sendable, Hashable {
    /// The rule.
    public let rule: RuleReference
    /// What kept it from matching, part by part.
    public let failures: [PartFailure]
}

extension NearestMiss: CustomStringConvertible {
    /// One sentence: `path "/buyer" is not covered by "/buy/*"; …`.
    public var description: String {
        failures.isEmpty
            ? "\(rule) nearly matched" : failures.map(\.description).joined(separator: "; ")
    }
}

extension PartFailure: CustomStringConvertible {
    /// One sentence, with what is likely meant.
    public var description: String {
        "\(part.name) \"\(value)\" is not covered by \"\(pattern)\""
            + (hint.map { ": \($0)" } ?? "")
    }
}

/// A part of a URL that a rule's pattern did not cover.
public struct PartFailure: Sendable, Hashable {
    /// Which part of the URL.
    public enum Part: Sendable, Hashable {
        case path
        /// The whole query.
        case query
        /// One item of the query, by its name.
        case queryItem(String)
        case fragment

        /// For messages: `path`, `query`, `query item q`, `fragment`.
        public var name: String {
            switch self {
            case .path: "path"
            case .query: "query"
            case .queryItem(let name): "query item \(name)"
            case .fragment: "fragment"
            }
        }
    }

    /// Which part of the URL.
    public let part: Part
    /// The pattern, as the rule writes it.
    public let pattern: String
    /// What the pattern was compared with.
    public let value: String
    /// What is likely meant, in a sentence; nil where nothing stands out.
    public let hint: String?
}
