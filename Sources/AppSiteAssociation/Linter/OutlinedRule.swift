/// A rule with all defaults, prepared for comparing the sets of URLs that rules match.
///
/// An immutable object: a struct would be copied for each comparison, a quarter of the cost of the
/// most expensive documents.
final class OutlinedRule: Sendable {
    enum Query {
        case anything
        case text(PatternOutline)
        case items([(name: ExactText, outline: PatternOutline)])
    }

    let range: Range<Int>
    let excludes: Bool
    let path: PatternOutline
    let query: Query
    let fragment: PatternOutline
    let folded: Bool
    let percentEncoded: Bool
    private let words: Words

    /// The parts of the rule's text, which is created on demand.
    private struct Words {
        let own: String?
        let path: String?
        let query: QueryPattern?
        let fragment: String?
    }

    /// A component with its defaults.
    fileprivate init(_ component: LinkComponent, _ defaults: OutlinedDefaults) {
        let folded = !(component.caseSensitive?.value ?? defaults.caseSensitive ?? true)
        func outline(
            _ own: Located<String>?, _ inherited: OutlinedDefaults.Pair?, isPath: Bool
        ) -> PatternOutline {
            if let own { return PatternOutline(own.value, isPath: isPath, folded: folded) }
            return inherited.map { folded ? $0.folded : $0.exact } ?? .everything
        }
        range = component.range
        excludes = component.exclude?.value ?? defaults.exclude ?? false
        path = outline(component.path, defaults.pathOutline, isPath: true)
        fragment = outline(component.fragment, defaults.fragmentOutline, isPath: false)
        query =
            component.query.map { Query($0.value, folded: folded) }
            ?? defaults.queryOutlines.map { folded ? $0.folded : $0.exact } ?? .anything
        self.folded = folded
        percentEncoded = component.percentEncoded?.value ?? defaults.percentEncoded ?? true
        words = Words(
            own: nil, path: component.path?.value ?? defaults.path?.value,
            query: component.query?.value ?? defaults.query,
            fragment: component.fragment?.value ?? defaults.fragment?.value)
    }

    /// An element of `paths` with its defaults.
    fileprivate init(_ path: Located<String>, _ defaults: OutlinedDefaults) {
        let folded = !(defaults.caseSensitive ?? true)
        range = path.range
        excludes = path.value.hasPrefix("NOT ")
        let text = excludes ? String(path.value.dropFirst(4)) : path.value
        self.path = PatternOutline(text, isPath: true, folded: folded)
        // Patterns of defaults apply only to components: `Matcher` does the same.
        fragment = .everything
        query = .anything
        self.folded = folded
        percentEncoded = defaults.percentEncoded ?? true
        words = Words(own: path.value, path: nil, query: nil, fragment: nil)
    }

    /// A short form of the rule: `/buy/*`, `NOT /help/*`.
    var label: String {
        if let own = words.own { return own }
        var label = words.path ?? "*"
        switch words.query {
        case .pattern(let text): label += " ?\(text)"
        case .items(let items):
            label +=
                " ?"
                + items.map { "\($0.name.value)=\($0.pattern.value)" }.joined(separator: "&")
        case .dropped, nil: break
        }
        if let fragment = words.fragment { label += " #\(fragment)" }
        return label
    }

    /// Whether every URL matches.
    var isCatchAll: Bool {
        guard path.isEverything, fragment.isEverything else { return false }
        return switch query {
        case .anything: true
        case .text(let outline): outline.isEverything
        case .items(let items): items.allSatisfy(\.outline.isEverything)
        }
    }

    /// Whether neither query nor fragment is constrained.
    var isPathAlone: Bool {
        guard fragment.isEverything, case .anything = query else { return false }
        return true
    }

    /// Whether what matches depends on the document's variables.
    var hasVariables: Bool {
        if path.hasVariable || fragment.hasVariable { return true }
        return switch query {
        case .anything: false
        case .text(let outline): outline.hasVariable
        case .items(let items): items.contains { $0.outline.hasVariable }
        }
    }

    /// Whether this rule certainly matches every URL that `other` matches.
    func covers(_ other: OutlinedRule, _ budget: inout CoverageBudget) -> Bool {
        guard budget.spend() else { return false }
        if isCatchAll { return true }
        // A case-sensitive pattern cannot cover one that is not, and different settings of
        // percentEncoded cannot be compared.
        let comparable = (folded || !other.folded) && percentEncoded == other.percentEncoded
        func part(
            _ mine: PatternOutline, _ theirs: PatternOutline, isPath: Bool = false
        ) -> Bool {
            if mine.isEverything { return true }
            guard comparable else { return false }
            guard folded, !other.folded else {
                return isPath ? mine.coversPath(theirs, &budget) : mine.covers(theirs, &budget)
            }
            guard budget.spend(theirs.symbols.count) else { return false }
            let theirs = theirs.lowercased
            return isPath ? mine.coversPath(theirs, &budget) : mine.covers(theirs, &budget)
        }
        guard part(path, other.path, isPath: true), part(fragment, other.fragment) else {
            return false
        }
        switch (query, other.query) {
        case (.anything, _): return true
        case (.text(let mine), .text(let theirs)): return part(mine, theirs)
        case (.text(let mine), .anything), (.text(let mine), .items): return mine.isEverything
        case (.items(let mine), .items(let theirs)):
            guard budget.spend(mine.count * max(1, theirs.count)) else { return false }
            return mine.allSatisfy { item in
                item.outline.isEverything
                    || theirs.contains { $0.name == item.name && part(item.outline, $0.outline) }
            }
        case (.items(let mine), .anything), (.items(let mine), .text):
            return mine.allSatisfy(\.outline.isEverything)
        }
    }

    /// Whether certainly no URL is matched by both.
    func isCertainlyApart(from other: OutlinedRule) -> Bool {
        !folded && !other.folded && percentEncoded && other.percentEncoded
            && path.isCertainlyApart(from: other.path)
    }
}

extension PatternOutline {
    fileprivate var lowercased: PatternOutline {
        PatternOutline(
            symbols: symbols.map { symbol in
                guard let scalar = symbol.scalar else { return symbol }
                let lower = scalar.properties.lowercaseMapping.unicodeScalars
                return lower.count == 1 ? .literal(lower[lower.startIndex]) : symbol
            })
    }
}

/// One entry of `details` with its effective rules, in order.
struct OutlinedEntry {
    let source: SourceText
    let apps: [Located<String>]
    let rules: [OutlinedRule]
    /// Whether the rules are from `components`, not from `paths`.
    let hasComponents: Bool
    /// Neither `components` nor `paths`: every URL counts as a match, though there is no rule.
    let takesEverything: Bool
    /// Whether the document has variables of its own.
    let definesVariables: Bool

    /// The entries of a document, and whether all rules are included: a document too large for
    /// devices may have more than can be compared.
    static func all(of links: AppLinks, in source: SourceText) -> ([OutlinedEntry], isWhole: Bool) {
        var room = OutlineRoom()
        let outer = OutlinedDefaults(links.defaults, nil)
        var entries: [OutlinedEntry] = []
        for detail in links.details {
            // An entry costs about as much as a rule, even without rules.
            guard room.takes(8 * detail.appIDs.count) else { break }
            entries.append(
                OutlinedEntry(detail, outer, !links.substitutionVariables.isEmpty, source, &room))
        }
        return (entries, !room.isExhausted)
    }

    /// One entry with all its rules, without a limit: for edits, which number them.
    init(_ detail: AppLinksDetail, of links: AppLinks, in source: SourceText) {
        var room = OutlineRoom.unlimited
        self.init(
            detail, OutlinedDefaults(links.defaults, nil), !links.substitutionVariables.isEmpty,
            source, &room)
    }

    private init(
        _ detail: AppLinksDetail, _ outer: OutlinedDefaults, _ definesVariables: Bool,
        _ source: SourceText, _ room: inout OutlineRoom
    ) {
        self.source = source
        self.definesVariables = definesVariables
        apps = detail.appIDs
        hasComponents = detail.components != nil
        takesEverything = detail.components == nil && detail.paths == nil
        let defaults = OutlinedDefaults(detail.defaults, outer)
        var rules: [OutlinedRule] = []
        if let components = detail.components {
            for component in components {
                guard room.takes(component) else { break }
                rules.append(OutlinedRule(component, defaults))
            }
        } else {
            for path in detail.paths ?? [] {
                guard room.takes(path.value.utf8.count) else { break }
                rules.append(OutlinedRule(path, defaults))
            }
        }
        self.rules = rules
    }
}

/// The remaining budget of rules and bytes to compare.
private struct OutlineRoom {
    private var rules = LintLimits.comparedRules
    private var bytes = LintLimits.comparedBytes
    private(set) var isExhausted = false

    static var unlimited: OutlineRoom {
        var room = OutlineRoom()
        room.rules = .max
        room.bytes = .max
        return room
    }

    mutating func takes(_ size: Int) -> Bool {
        rules -= 1
        bytes -= size
        if rules < 0 || bytes < 0 { isExhausted = true }
        return !isExhausted
    }

    mutating func takes(_ component: LinkComponent) -> Bool {
        takes(component.range.count)
    }
}

/// `defaults` of an entry merged with those of `applinks`, prepared once for all its rules.
private struct OutlinedDefaults {
    /// A case-sensitive and a case-insensitive outline.
    struct Pair {
        let exact: PatternOutline
        let folded: PatternOutline

        init(_ text: String, isPath: Bool) {
            exact = PatternOutline(text, isPath: isPath, folded: false)
            folded = PatternOutline(text, isPath: isPath, folded: true)
        }
    }

    let caseSensitive: Bool?
    let percentEncoded: Bool?
    let exclude: Bool?
    let path: Located<String>?
    let query: QueryPattern?
    let fragment: Located<String>?
    let pathOutline: Pair?
    let fragmentOutline: Pair?
    let queryOutlines: (exact: OutlinedRule.Query, folded: OutlinedRule.Query)?

    init(_ own: LinkComponent, _ outer: OutlinedDefaults?) {
        caseSensitive = own.caseSensitive?.value ?? outer?.caseSensitive
        percentEncoded = own.percentEncoded?.value ?? outer?.percentEncoded
        exclude = own.exclude?.value ?? outer?.exclude
        path = own.path ?? outer?.path
        query = own.query?.value ?? outer?.query
        fragment = own.fragment ?? outer?.fragment
        pathOutline = own.path.map { Pair($0.value, isPath: true) } ?? outer?.pathOutline
        fragmentOutline =
            own.fragment.map { Pair($0.value, isPath: false) } ?? outer?.fragmentOutline
        queryOutlines =
            own.query.map {
                (
                    OutlinedRule.Query($0.value, folded: false),
                    OutlinedRule.Query($0.value, folded: true)
                )
            } ?? outer?.queryOutlines
    }
}

extension OutlinedRule.Query {
    fileprivate init(_ pattern: QueryPattern?, folded: Bool) {
        switch pattern {
        case .pattern(let text):
            self = .text(PatternOutline(text, isPath: false, folded: folded))
        case .items(let items):
            self = .items(
                items.map {
                    (
                        ExactText($0.name.value),
                        PatternOutline($0.pattern.value, isPath: false, folded: folded)
                    )
                })
        case .dropped, nil: self = .anything
        }
    }
}
