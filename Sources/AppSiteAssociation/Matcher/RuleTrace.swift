/// One evaluated rule, part by part.
public struct RuleTrace: Sendable, Hashable {
    /// A part of a URL.
    public enum Place: Sendable, Hashable {
        case path
        /// The whole query.
        case query
        /// One item of the query, by name.
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

    /// A pattern and the compared text.
    public struct Part: Sendable, Hashable {
        /// Which part of the URL.
        public let part: Place
        /// The pattern, as the rule writes it.
        public let pattern: String
        /// The part of the URL, in the form that the rule compares.
        public let value: String
        /// Whether the pattern matches the value.
        public let isMatch: Bool
        /// The likely intention if it does not match, as a sentence; nil if unknown.
        public let hint: String?
    }

    /// The evaluated rule.
    public let rule: RuleReference
    /// The parts constrained by the rule or its defaults; empty if the rule matches every URL.
    public let parts: [Part]
    /// Its flags, after defaults.
    public let flags: RuleFlags

    /// Whether every part matches, so that this rule decides.
    public var isMatch: Bool { parts.allSatisfy(\.isMatch) }

    /// The parts that do not match.
    public var misses: [Part] { parts.filter { !$0.isMatch } }
}

/// The rules of one entry that were evaluated for a URL, in order.
public struct EntryTrace: Sendable, Hashable {
    /// Position of the entry within `details` as written, counted from 0.
    public let detail: Int
    /// The entry's bytes in the document.
    public let range: Range<Int>
    /// The rules up to the deciding one; all of them if none decides.
    public let rules: [RuleTrace]

    /// Whether the last evaluated rule of the entry decides.
    public var decides: Bool { rules.last?.isMatch == true }
}

extension RuleTrace {
    /// Every URL matches an entry without rules.
    init(everything rule: RuleReference) {
        self.init(rule: rule, parts: [], flags: .builtIn)
    }

    /// The evaluation in words.
    /// - Parameter hints: the steps left for hints; when they are spent, only the first miss of a
    ///   rule is listed, without a hint.
    init(_ rule: Rule, _ evaluation: RuleEvaluation, hints: Steps) {
        let cost = 8 * (evaluation.query?.parts.count ?? 0)
        let isWhole = hints.spend(cost) || evaluation.isMatch
        let listed = isWhole ? evaluation.parts : evaluation.firstMiss.map { [$0] } ?? []
        let parts = listed.compactMap { part -> Part? in
            if part.place == .path, part.pattern.source == "*" { return nil }
            return Part(
                part: part.place, pattern: part.pattern.source, value: part.text,
                isMatch: part.isMatch, hint: part.hint(for: rule, hints))
        }
        self.init(rule: rule.reference, parts: parts, flags: rule.flags)
    }
}

extension RuleEvaluation.Part {
    var text: String { place == .path ? value.path : value.string }
}
