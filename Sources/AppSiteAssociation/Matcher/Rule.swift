/// A rule as it applies: a component, or a string of `paths`, with the defaults of its entry and of
/// `applinks`.
///
/// What is asked of a rule are folds over its parts: ``evaluate(_:)`` compares them with a URL, and
/// ``covers(_:_:)`` with the parts of another rule.
@dynamicMemberLookup
package final class Rule: Sendable {
    /// The value of `?`; a dropped constraint is none.
    enum Query: Sendable {
        case text(Pattern)
        case items([Item])
    }

    /// One member of a query object. Names are compared as text: they are not patterns.
    struct Item: Sendable {
        let name: String
        /// The name in the form of the URL.
        let key: ExactText
        let pattern: Pattern
    }

    let reference: RuleReference
    let path: Pattern
    /// Nil: any query.
    let query: Query?
    /// Nil: any fragment.
    let fragment: Pattern?
    let flags: RuleFlags
    /// Whether no pattern was written, or none that can be read: it matches every URL by a slip.
    let isWithoutPattern: Bool

    package subscript(dynamicMember flag: KeyPath<RuleFlags, Bool>) -> Bool { flags[keyPath: flag] }

    /// A component with defaults.
    init(
        _ component: LinkComponent, of detail: Int, on template: RuleTemplate,
        _ variables: Variables
    ) {
        flags = RuleFlags(component, on: template.flags)
        let own = RulePatterns(component, caseSensitive: flags.caseSensitive, variables)
        let inherited = flags.caseSensitive ? template.exact : template.folded
        path = own.path ?? inherited.path ?? .everyPath
        query = component.query == nil ? inherited.query : own.query
        fragment = own.fragment ?? inherited.fragment
        isWithoutPattern =
            own.path == nil && inherited.path == nil && query == nil && fragment == nil
        reference = RuleReference(
            detail: detail, rule: .component(component.index), range: component.range)
    }

    /// A string of `paths`: only the path is compared; of the defaults, case and encoding apply.
    init(
        path text: Located<String>, at index: Int, of detail: Int, on template: RuleTemplate,
        _ variables: Variables
    ) {
        let entry = PathEntry(text.value)
        var flags = template.flags
        flags.excludes = entry.excludes
        self.flags = flags
        path = Pattern(entry.pattern, .path, caseSensitive: flags.caseSensitive, variables)
        query = nil
        fragment = nil
        isWithoutPattern = false
        reference = RuleReference(detail: detail, rule: .path(index), range: text.range)
    }

    /// Whether it is a string of `paths`.
    package var isPath: Bool {
        if case .path = reference.rule { return true }
        return false
    }

    /// A short form of the rule: `/buy/*`, `NOT /help/*`, `/search ?q=?*`.
    package var label: String {
        var label = (isPath && flags.excludes ? "NOT " : "") + path.source
        switch query {
        case .text(let pattern): label += " ?\(pattern.source)"
        case .items(let items):
            label += " ?" + items.map { "\($0.name)=\($0.pattern.source)" }.joined(separator: "&")
        case nil: break
        }
        if let fragment { label += " #\(fragment.source)" }
        return label
    }

    /// Whether a condition holds for all patterns. Stops at the first for which it does not: rules
    /// share the thousands of items of a query in `defaults`.
    private func allPatterns(_ holds: (Pattern) -> Bool) -> Bool {
        guard holds(path), fragment.map(holds) ?? true else { return false }
        return switch query {
        case .text(let pattern): holds(pattern)
        case .items(let items): items.allSatisfy { holds($0.pattern) }
        case nil: true
        }
    }

    /// Whether every URL matches.
    var isCatchAll: Bool { allPatterns(\.matchesEverything) }

    /// Whether neither query nor fragment is constrained.
    var isPathAlone: Bool { query == nil && fragment?.matchesEverything != false }

    /// Whether what matches depends on the document's variables.
    var hasVariables: Bool { !allPatterns { !$0.hasVariable } }

    /// Whether this rule certainly matches every URL that `other` matches.
    func covers(_ other: Rule, _ steps: Steps) -> Bool {
        guard steps.spend() else { return false }
        func covers(_ mine: Pattern?, _ theirs: Pattern?) -> Bool {
            guard let mine, !mine.matchesEverything else { return true }
            // Different forms of a URL cannot be compared.
            guard let theirs, flags.percentEncoded == other.percentEncoded else { return false }
            return mine.covers(theirs, steps)
        }
        guard covers(path, other.path), covers(fragment, other.fragment) else { return false }
        switch (query, other.query) {
        case (nil, _): return true
        case (.text(let mine), .text(let theirs)): return covers(mine, theirs)
        case (.text(let mine), .items(let theirs)):
            // An item that has to be there makes a query that is not empty.
            return mine.matchesEverything
                || mine.symbols == [.one, .run] && theirs.contains { !$0.pattern.matches("") }
        case (.text(let mine), nil): return mine.matchesEverything
        case (.items(let mine), .items(let theirs)):
            guard steps.spend(mine.count * max(1, theirs.count)) else { return false }
            return mine.allSatisfy { item in
                item.pattern.matchesEverything
                    || theirs.contains {
                        ExactText($0.name) == ExactText(item.name)
                            && covers(item.pattern, $0.pattern)
                    }
            }
        case (.items(let mine), _): return mine.allSatisfy(\.pattern.matchesEverything)
        }
    }

    /// Whether certainly no URL is matched by both.
    func isCertainlyApart(from other: Rule) -> Bool {
        flags.caseSensitive && other.caseSensitive && flags.percentEncoded && other.percentEncoded
            && path.isCertainlyApart(from: other.path)
    }
}

/// A string of `paths`: the pattern, and whether it has the prefix `NOT ` (archive, *Support
/// Universal Links*: capitals and one space).
struct PathEntry {
    let pattern: String
    let excludes: Bool

    init(_ text: String) {
        excludes = text.utf8.starts(with: "NOT ".utf8)
        pattern = excludes ? String(text.dropFirst(4)) : text
    }
}
