/// Collects the rules of a document during compilation.
struct AssociationBuilder {
    var compiler: PatternCompiler
    private(set) var rules: [CompiledRule] = []
    private(set) var extras: [RuleExtras] = []
    private(set) var items: [CompiledItem] = []
    private(set) var references: [RuleReference] = []
    private let defaults: RuleDefaults
    /// Patterns of `defaults`, compiled once for all rules that inherit them: otherwise a long one
    /// with a thousand short rules would be compiled a thousand times.
    private var inherited: [InheritedPattern: CompiledPattern] = [:]
    private var inheritedItems: [InheritedPattern: Range<Int>] = [:]

    private struct InheritedPattern: Hashable {
        enum Part { case path, query, fragment }

        let part: Part
        /// The position of the entry with the defaults; nil: those of `applinks`.
        let detail: Int?
        let caseSensitive: Bool
    }

    init(_ links: AppLinks?) {
        let count =
            links?.details.reduce(0) { $0 + ($1.components ?? []).count + ($1.paths ?? []).count }
            ?? 0
        defaults = links?.defaults ?? .empty
        compiler = PatternCompiler(
            variables: (links?.substitutionVariables ?? []).map {
                ($0.name.value, $0.values.map(\.value))
            }, capacity: count)
        rules.reserveCapacity(count)
        references.reserveCapacity(count)
    }

    mutating func add(_ detail: AppLinksDetail) -> CompiledAssociation.Detail {
        let first = rules.count
        if let components = detail.components {
            for component in components { add(component, detail) }
        } else if let paths = detail.paths {
            for (index, path) in paths.enumerated() { add(path, index, detail) }
        }
        return CompiledAssociation.Detail(
            index: detail.index, rules: first..<rules.count,
            takesEverything: detail.components == nil && detail.paths == nil,
            range: detail.range)
    }

    private mutating func add(_ component: LinkComponent, _ detail: AppLinksDetail) {
        // Key by key: component, detail, applinks, built-in.
        let settings = RuleSettings(component, detail.defaults, defaults)
        let caseSensitive = settings.caseSensitive
        var extra = RuleExtras(query: nil, items: items.count..<items.count, fragment: nil)
        var hasExtra = false
        func origin(
            _ part: InheritedPattern.Part, _ isOwn: Bool, _ isOfDetail: Bool
        ) -> InheritedPattern? {
            isOwn
                ? nil
                : InheritedPattern(
                    part: part, detail: isOfDetail ? detail.index : nil,
                    caseSensitive: caseSensitive)
        }
        let queryOrigin = origin(
            .query, component.query != nil, detail.defaults.query != nil)
        switch settings.query {
        case .pattern(let pattern):
            extra.query = once(queryOrigin) {
                $0.compile(pattern, caseSensitive: caseSensitive)
            }
            hasExtra = true
        case .items(let members):
            extra.items = compiled(members, caseSensitive, queryOrigin)
            hasExtra = !extra.items.isEmpty
        case .dropped, nil: break
        }
        if let fragment = settings.fragment {
            extra.fragment = once(
                origin(.fragment, component.fragment != nil, detail.defaults.fragment != nil)
            ) { $0.compile(fragment, caseSensitive: caseSensitive) }
            hasExtra = true
        }
        if hasExtra { extras.append(extra) }
        append(
            CompiledRule(
                path: once(origin(.path, component.path != nil, detail.defaults.path != nil)) {
                    $0.compilePath(settings.path, caseSensitive: caseSensitive)
                },
                form: settings.form, excludes: settings.excludes,
                extras: hasExtra ? UInt32(extras.count) : 0, reference: 0),
            RuleReference(
                detail: detail.index, rule: .component(component.index), range: component.range))
    }

    /// Compiles a pattern, or reuses one compiled for another rule with the same defaults.
    private mutating func once(
        _ origin: InheritedPattern?, _ compile: (inout PatternCompiler) -> CompiledPattern
    ) -> CompiledPattern {
        guard let origin else { return compile(&compiler) }
        if let known = inherited[origin] { return known }
        let pattern = compile(&compiler)
        inherited[origin] = pattern
        return pattern
    }

    private mutating func compiled(
        _ members: [QueryItemPattern], _ caseSensitive: Bool, _ origin: InheritedPattern?
    ) -> Range<Int> {
        if let origin, let known = inheritedItems[origin] { return known }
        let first = items.count
        for member in members {
            items.append(
                CompiledItem(
                    name: compiler.literal(member.name.value, caseSensitive: caseSensitive),
                    value: compiler.compile(member.pattern.value, caseSensitive: caseSensitive)))
        }
        if let origin { inheritedItems[origin] = first..<items.count }
        return first..<items.count
    }

    /// An entry of `paths`: only the path is compared; of the defaults, case and encoding apply.
    private mutating func add(_ path: Located<String>, _ index: Int, _ detail: AppLinksDetail) {
        let settings = RuleSettings(.empty, detail.defaults, defaults)
        let entry = PathEntry(path.value)
        append(
            CompiledRule(
                path: compiler.compilePath(
                    entry.pattern, caseSensitive: settings.caseSensitive),
                form: settings.form, excludes: entry.excludes, extras: 0, reference: 0),
            RuleReference(detail: detail.index, rule: .path(index), range: path.range))
    }

    private mutating func append(_ rule: CompiledRule, _ reference: RuleReference) {
        var rule = rule
        rule.reference = UInt32(references.count)
        references.append(reference)
        rules.append(rule)
    }
}

/// A rule with the defaults of its detail and of `applinks`.
struct RuleSettings {
    let path: String
    let query: QueryPattern?
    let fragment: String?
    let excludes: Bool
    let caseSensitive: Bool
    let percentEncoded: Bool

    var form: URLForm { URLForm(caseSensitive: caseSensitive, percentEncoded: percentEncoded) }

    /// An entry of `paths` with its effective flags; only the path is compared.
    init(pathEntry entry: PathEntry, _ settings: RuleSettings) {
        path = entry.pattern
        query = nil
        fragment = nil
        excludes = entry.excludes
        caseSensitive = settings.caseSensitive
        percentEncoded = settings.percentEncoded
    }

    init(_ rule: LinkComponent, _ detail: RuleDefaults, _ applinks: RuleDefaults) {
        path = (rule.path ?? detail.path ?? applinks.path)?.value ?? "*"
        query = (rule.query ?? detail.query ?? applinks.query)?.value
        fragment = (rule.fragment ?? detail.fragment ?? applinks.fragment)?.value
        excludes = (rule.exclude ?? detail.exclude ?? applinks.exclude)?.value ?? false
        caseSensitive =
            (rule.caseSensitive ?? detail.caseSensitive ?? applinks.caseSensitive)?.value ?? true
        percentEncoded =
            (rule.percentEncoded ?? detail.percentEncoded ?? applinks.percentEncoded)?.value
            ?? true
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
