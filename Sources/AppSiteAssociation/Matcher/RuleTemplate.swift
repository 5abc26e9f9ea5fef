/// The patterns that a component or `defaults` set, for one setting of `caseSensitive`.
struct RulePatterns: Sendable {
    var path: Pattern?
    var query: Rule.Query?
    var fragment: Pattern?

    static let none = RulePatterns()

    private init() {}

    init(_ component: LinkComponent, caseSensitive: Bool, _ variables: Variables) {
        func pattern(_ text: String, _ place: Pattern.Place) -> Pattern {
            Pattern(text, place, caseSensitive: caseSensitive, variables)
        }
        path = component.path.map { pattern($0.value, .path) }
        fragment = component.fragment.map { pattern($0.value, .text) }
        switch component.query?.kind {
        case .string(let text): query = .text(pattern(text, .text))
        case .object(let members):
            // Apple's own tool drops the whole query if one value is not a string.
            guard members.allSatisfy({ $0.value.string != nil }) else { break }
            var items: [Rule.Item] = []
            var places: [ExactText: Int] = [:]
            for member in members {
                let key = PatternSymbol.literals(of: member.key, folds: !caseSensitive)
                let item = Rule.Item(
                    name: member.key, key: ExactText(ComparedText(key, Steps()).string),
                    pattern: pattern(member.value.string ?? "", .text))
                // The last of equal names counts, as in a dictionary.
                let name = ExactText(member.key)
                if let earlier = places[name] {
                    items[earlier] = item
                } else {
                    places[name] = items.count
                    items.append(item)
                }
            }
            query = .items(items)
        case .null, .bool, .number, .array, nil: break
        }
    }
}

/// What rules take over where they say nothing: the defaults of an entry on those of `applinks`, on
/// the built-in ones. Prepared once for all rules, however long the patterns, and shared by all
/// entries that set nothing.
final class RuleTemplate: Sendable {
    let exact: RulePatterns
    let folded: RulePatterns
    let flags: RuleFlags

    static let builtIn = RuleTemplate(exact: .none, folded: .none, flags: .builtIn)

    private init(exact: RulePatterns, folded: RulePatterns, flags: RuleFlags) {
        (self.exact, self.folded, self.flags) = (exact, folded, flags)
    }

    func with(_ defaults: LinkComponent, _ variables: Variables) -> RuleTemplate {
        if defaults.members.isEmpty { return self }
        var (exact, folded) = (exact, folded)
        func add(_ patterns: inout RulePatterns, caseSensitive: Bool) {
            let own = RulePatterns(defaults, caseSensitive: caseSensitive, variables)
            patterns.path = own.path ?? patterns.path
            patterns.fragment = own.fragment ?? patterns.fragment
            if defaults.query != nil { patterns.query = own.query }
        }
        if defaults.hasPattern {
            add(&exact, caseSensitive: true)
            add(&folded, caseSensitive: false)
        }
        return RuleTemplate(exact: exact, folded: folded, flags: RuleFlags(defaults, on: flags))
    }
}

/// An entry of `details` with its rules, in the order in which they are tried.
struct LinkEntry: Sendable {
    /// Position within `details` as written.
    let index: Int
    let apps: [Located<String>]
    let rules: [Rule]
    /// Whether the rules are from `components`, not from `paths`.
    let hasComponents: Bool
    /// What holds for rules that do not set it.
    let template: RuleTemplate
    /// Neither `components` nor `paths`: every URL counts as a match, though there is no rule.
    let takesEverything: Bool
    let range: Range<Int>
    let variables: Variables

    private init(_ detail: AppLinksDetail, on outer: RuleTemplate, _ variables: Variables) {
        index = detail.index
        apps = detail.appIDs
        range = detail.range
        self.variables = variables
        hasComponents = detail.components != nil
        takesEverything = detail.components == nil && detail.paths == nil
        let template = outer.with(detail.defaults, variables)
        self.template = template
        if let components = detail.components {
            rules = components.map { Rule($0, of: detail.index, on: template, variables) }
        } else {
            rules = (detail.paths ?? []).enumerated().map { index, path in
                Rule(path: path, at: index, of: detail.index, on: template, variables)
            }
        }
    }

    /// The entries of a document, in order.
    ///
    /// - Parameter variables: those of the document, unless they have numbers of their own.
    static func all(of links: AppLinks?, _ variables: Variables? = nil) -> [LinkEntry] {
        guard let links else { return [] }
        let variables = variables ?? Variables(links)
        let template = RuleTemplate.builtIn.with(links.defaults, variables)
        return links.details.map { LinkEntry($0, on: template, variables) }
    }

    /// The entry without rules for which every URL matches.
    var everything: RuleReference {
        RuleReference(detail: index, rule: .everything, range: range)
    }
}

extension [LinkEntry] {
    /// Every app with the positions of its entries; in the order of the document, which is the
    /// priority of the apps.
    var byApp: [(app: Located<String>, entries: [Int])] {
        var list: [(app: Located<String>, entries: [Int])] = []
        var places: [String: Int] = [:]
        for (number, entry) in enumerated() {
            for app in entry.apps {
                if let place = places[app.value] {
                    if list[place].entries.last != number { list[place].entries.append(number) }
                } else {
                    places[app.value] = list.count
                    list.append((app, [number]))
                }
            }
        }
        return list
    }
}
