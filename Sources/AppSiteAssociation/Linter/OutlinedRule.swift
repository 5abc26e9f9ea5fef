/// A rule with its defaults filled in, outlined for the questions of reach.
struct OutlinedRule {
    enum Query {
        case anything
        case text(PatternOutline)
        case items([(name: String, outline: PatternOutline)])
    }

    let range: Range<Int>
    /// The rule as people know it: `/buy/*`, `NOT /help/*`.
    let label: String
    let excludes: Bool
    let path: PatternOutline
    let query: Query
    let fragment: PatternOutline
    let folded: Bool
    let percentEncoded: Bool

    /// Whether every URL matches.
    var isCatchAll: Bool {
        guard path.isEverything, fragment.isEverything else { return false }
        return switch query {
        case .anything: true
        case .text(let outline): outline.isEverything
        case .items(let items): items.allSatisfy(\.outline.isEverything)
        }
    }

    /// Whether every URL that `other` matches is certainly matched by this rule.
    func covers(_ other: OutlinedRule, _ budget: inout CoverageBudget) -> Bool {
        guard budget.spend() else { return false }
        if isCatchAll { return true }
        // A case-sensitive pattern cannot answer for one that is not, nor one reading of %41 for
        // the other.
        let comparable = (folded || !other.folded) && percentEncoded == other.percentEncoded
        func part(
            _ mine: PatternOutline, _ theirs: PatternOutline, isPath: Bool = false
        ) -> Bool {
            if mine.isEverything { return true }
            guard comparable else { return false }
            let theirs = folded && !other.folded ? theirs.lowercased : theirs
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
                guard case .literal(let scalar) = symbol else { return symbol }
                let lower = scalar.properties.lowercaseMapping.unicodeScalars
                return lower.count == 1 ? .literal(lower[lower.startIndex]) : symbol
            })
    }
}

/// One entry of `details` with the rules that count for it, in order.
struct OutlinedEntry {
    let source: SourceText
    let apps: [Located<String>]
    let rules: [OutlinedRule]

    /// Team prefixes of the entry's apps.
    var teams: Set<String> {
        Set(apps.map { String($0.value.prefix { $0 != "." }) })
    }

    /// Bundle IDs of the entry's apps.
    var bundles: Set<String> {
        Set(apps.map { String($0.value.drop { $0 != "." }.dropFirst()) })
    }

    init(_ detail: AppLinksDetail, of links: AppLinks, in source: SourceText) {
        self.source = source
        apps = detail.appIDs
        let levels = [detail.defaults, links.defaults]
        if let components = detail.components {
            rules = components.map { Self.outline([$0] + levels, range: $0.range) }
        } else {
            rules = (detail.paths ?? []).map { path in
                let excludes = path.value.hasPrefix("NOT ")
                let text = excludes ? String(path.value.dropFirst(4)) : path.value
                return Self.outline(
                    levels, range: path.range, path: text, excludes: excludes, label: path.value)
            }
        }
    }

    private static func outline(
        _ levels: [LinkComponent], range: Range<Int>, path ownPath: String? = nil,
        excludes ownExcludes: Bool? = nil, label ownLabel: String? = nil
    ) -> OutlinedRule {
        func first<V>(_ value: (LinkComponent) -> Located<V>?) -> V? {
            for level in levels { if let found = value(level) { return found.value } }
            return nil
        }
        let folded = !(first(\.caseSensitive) ?? true)
        let path = ownPath ?? first(\.path)
        let fragment = first(\.fragment)
        let query: OutlinedRule.Query =
            switch first(\.query) {
            case .pattern(let text):
                .text(PatternOutline(text, isPath: false, folded: folded))
            case .items(let items):
                .items(
                    items.map {
                        (
                            $0.name.value,
                            PatternOutline($0.pattern.value, isPath: false, folded: folded)
                        )
                    })
            case .dropped, nil: .anything
            }
        let excludes = ownExcludes ?? first(\.exclude) ?? false
        return OutlinedRule(
            range: range,
            label: ownLabel ?? label(path: path, query: first(\.query), fragment: fragment),
            excludes: excludes,
            path: path.map { PatternOutline($0, isPath: true, folded: folded) } ?? .everything,
            query: query,
            fragment: fragment.map { PatternOutline($0, isPath: false, folded: folded) }
                ?? .everything,
            folded: folded, percentEncoded: first(\.percentEncoded) ?? true)
    }

    private static func label(
        path: String?, query: QueryPattern?, fragment: String?
    ) -> String {
        var label = path ?? "*"
        switch query {
        case .pattern(let text): label += " ?\(text)"
        case .items(let items):
            label +=
                " ?"
                + items.map { "\($0.name.value)=\($0.pattern.value)" }.joined(separator: "&")
        case .dropped, nil: break
        }
        if let fragment { label += " #\(fragment)" }
        return label
    }
}
