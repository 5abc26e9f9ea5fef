/// A rule prepared for comparing lists of rules, in whatever form it was written.
struct ComparedRule {
    /// Equal for equal rules: the numbers of their parts, and their flags.
    struct Key: Hashable {
        let parts: [Int]
        let flags: RuleFlags
    }

    /// Nil for an entry without rules: every URL matches, as with `{}`.
    let rule: Rule?
    let range: Range<Int>
    /// The numbers of path, query and fragment as written.
    let parts: [Int]
    /// Equal for rules with identical pattern text.
    let written: Key
    /// Equal for rules with the same effect: variables count by their values, so that a renamed
    /// variable is no change.
    let meaning: Key

    init(_ rule: Rule, _ numbers: inout RuleNumbers) {
        let query: (written: Int, meaning: Int) =
            switch rule.query {
            case .text(let pattern): numbers.number(pattern)
            case .items(let items): numbers.number(items)
            case nil: RuleNumbers.anything
            }
        let numbers = [
            numbers.number(rule.path), query,
            rule.fragment.map { numbers.number($0) } ?? RuleNumbers.anything,
        ]
        self.rule = rule
        range = rule.reference.range
        parts = numbers.map(\.written)
        written = Key(parts: parts, flags: rule.flags)
        meaning = Key(parts: numbers.map(\.meaning), flags: rule.flags)
    }

    init(everything range: Range<Int>) {
        rule = nil
        self.range = range
        parts = Array(repeating: RuleNumbers.anything.written, count: 3)
        written = Key(parts: parts, flags: .builtIn)
        meaning = written
    }

    // MARK: - Text

    /// Maximum of displayed bytes of a pattern, and of items of a query.
    private static let shownBytes = 1_000
    private static let shownItems = 40

    /// The rule as JSON; very long patterns are shortened.
    var text: String {
        guard let rule else { return "{}" }
        var members: [(String, JSONValue)] = []
        func text(_ pattern: Pattern) -> JSONValue {
            let text = pattern.source
            guard text.utf8.count > Self.shownBytes else { return .text(text) }
            return .text(String(decoding: text.utf8.prefix(Self.shownBytes), as: UTF8.self) + "…")
        }
        if rule.path.source != "*" { members.append(("/", text(rule.path))) }
        switch rule.query {
        case .text(let pattern) where pattern.source != "*": members.append(("?", text(pattern)))
        case .items(let items) where !items.isEmpty:
            let shown = Array(items.prefix(Self.shownItems)).sorted
            members.append(("?", .object(shown.map { ($0.name, text($0.pattern)) })))
        case .text, .items, nil: break
        }
        if let fragment = rule.fragment, fragment.source != "*" {
            members.append(("#", text(fragment)))
        }
        return String(
            decoding: JSONWriter.minified(.object(members + rule.flags.settings)), as: UTF8.self)
    }
}

extension [Rule.Item] {
    /// By name: the order of items has no meaning.
    fileprivate var sorted: [Rule.Item] { sorted { ExactText($0.name) < ExactText($1.name) } }
}

/// The apps of a document with their rules; apps that share all entries share the rules.
struct RuleTable {
    private(set) var apps: [(app: Located<String>, group: Int)] = []
    /// Rules in evaluation order; nil if the steps do not allow to list them.
    private(set) var groups: [[ComparedRule]?] = []

    /// Kept, as numbers are found by the place of patterns.
    private let entries: [LinkEntry]

    /// The cost of listing a rule, in steps.
    private static let stepsPerRule = 40

    init(_ file: AssociationFile, _ numbers: inout RuleNumbers, _ steps: Steps) {
        let links = file.applinks
        let lists = (links?.substitutionVariables ?? []).map {
            numbers.number(ofValues: Set($0.values.map { ExactText($0.value) }))
        }
        entries = LinkEntry.all(of: links, Variables(links, numbers: lists))
        // Hundreds of builds share entries: their rules are processed and compared once.
        let rules = entries.map { entry in
            entry.takesEverything
                ? [ComparedRule(everything: entry.range)]
                : entry.rules.map { ComparedRule($0, &numbers) }
        }
        var known: [[Int]: Int] = [:]
        for (app, places) in entries.byApp {
            let group = known[places] ?? groups.count
            if group == groups.count {
                known[places] = group
                let count = places.reduce(0) { $0 + rules[$1].count }
                let isListed = steps.spend(count * Self.stepsPerRule)
                groups.append(isListed ? places.flatMap { rules[$0] } : nil)
            }
            apps.append((app, group))
        }
    }
}

/// Numbers for patterns, shared by both documents.
struct RuleNumbers {
    typealias Number = (written: Int, meaning: Int)

    /// `*` has the same numbers as a missing pattern, other patterns for everything its meaning.
    static let anything: Number = (-1, -1)

    private var texts: [ExactText: Int] = [:]
    private var meanings: [[[PatternSymbol]]: Int] = [:]
    private var lists: [Set<ExactText>: UInt32] = [:]
    /// By number as written.
    private var names: [Int: Set<ExactText>] = [:]
    /// By the place of the symbols, or of the items: rules share the patterns of defaults.
    private var known: [UnsafeRawPointer: Number] = [:]

    /// The variables of a part.
    func variables(_ written: Int) -> Set<ExactText> { names[written] ?? [] }

    /// The number of a variable: that of its values.
    mutating func number(ofValues values: Set<ExactText>) -> UInt32 {
        let number = lists[values] ?? UInt32(lists.count)
        lists[values] = number
        return number
    }

    mutating func number(_ pattern: Pattern) -> Number {
        if pattern.source == "*" { return Self.anything }
        if let address = pattern.symbols.address, let known = known[address] { return known }
        var number = number(pattern.source, [pattern.symbols], [pattern])
        if pattern.matchesEverything { number.meaning = Self.anything.meaning }
        if let address = pattern.symbols.address { known[address] = number }
        return number
    }

    mutating func number(_ items: [Rule.Item]) -> Number {
        guard let address = items.address, !items.isEmpty else { return Self.anything }
        if let known = known[address] { return known }
        let sorted = items.sorted
        let number = number(
            "{" + sorted.map { "\($0.name)\u{0}\($0.pattern.source)\u{0}" }.joined(),
            sorted.flatMap {
                [PatternSymbol.literals(of: $0.name, folds: false), $0.pattern.symbols]
            }, sorted.map(\.pattern))
        known[address] = number
        return number
    }

    private mutating func number(
        _ text: String, _ meaning: [[PatternSymbol]], _ patterns: [Pattern]
    ) -> Number {
        let written = texts[ExactText(text)] ?? texts.count
        let meant = meanings[meaning] ?? meanings.count
        texts[ExactText(text)] = written
        meanings[meaning] = meant
        let used = patterns.flatMap { PatternPiece.names(in: $0.source) }
        if !used.isEmpty { names[written] = Set(used) }
        return (written, meant)
    }
}
