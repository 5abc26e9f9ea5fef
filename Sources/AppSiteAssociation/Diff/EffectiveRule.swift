/// A rule with all defaults applied, in whatever form it was written.
struct EffectiveRule {
    /// Equal for equal rules: the numbers of their parts, and their flags.
    struct Key: Hashable {
        fileprivate let path: Int
        fileprivate let query: Int
        fileprivate let fragment: Int
        fileprivate let flags: Int
    }

    /// Equal for rules with identical pattern text.
    let written: Key
    /// Equal for rules with the same effect: variables count by their values, so that a renamed
    /// variable is no change.
    let meaning: Key
    /// Equal for rules with the same path.
    var pathNumber: Int { written.path }
    let isPath: Bool
    let range: Range<Int>
    fileprivate let parts: [RulePart?]
    private let settings: RuleSettings

    /// The apps of a document with their rules; apps that share all entries share the rules.
    struct Table {
        var apps: [(app: Located<String>, group: Int)] = []
        /// Rules in evaluation order; nil if the limit does not allow to list them.
        var groups: [[EffectiveRule]?] = []
    }

    /// Maximum of rules in all groups. A document that devices read has at most 14,000 rules;
    /// groups that share rules have more, and each takes about 200 bytes here.
    static let rulesMaximum = 100_000

    static func table(_ file: AssociationFile, _ numbers: inout PartNumbers) -> Table {
        guard let links = file.applinks else { return Table() }
        numbers.begin(links)
        var apps: [(app: Located<String>, details: [Int])] = []
        var places: [String: Int] = [:]
        for (number, detail) in links.details.enumerated() {
            for app in detail.appIDs {
                guard let place = places[app.value] else {
                    places[app.value] = apps.count
                    apps.append((app, [number]))
                    continue
                }
                if apps[place].details.last != number { apps[place].details.append(number) }
            }
        }
        // Hundreds of builds share entries: their rules are processed and compared once.
        let outer = InheritedParts(links.defaults, nil, &numbers)
        let rulesOfEntries = links.details.map { Self.rules(of: $0, links, outer, &numbers) }
        var table = Table()
        var groups: [[Int]: Int] = [:]
        var room = Self.rulesMaximum
        for (app, details) in apps {
            let group = groups[details] ?? table.groups.count
            if group == table.groups.count {
                groups[details] = group
                room -= details.reduce(0) { $0 + rulesOfEntries[$1].count }
                table.groups.append(room < 0 ? nil : details.flatMap { rulesOfEntries[$0] })
            }
            table.apps.append((app, group))
        }
        return table
    }

    private static func rules(
        of detail: AppLinksDetail, _ links: AppLinks, _ outer: InheritedParts,
        _ numbers: inout PartNumbers
    ) -> [EffectiveRule] {
        if let components = detail.components {
            let inherited = InheritedParts(detail.defaults, outer, &numbers)
            return components.map { component in
                let own = InheritedParts(component, inherited, &numbers)
                return EffectiveRule(
                    RuleSettings(component, detail.defaults, links.defaults),
                    [own.path, own.query, own.fragment], isPath: false, range: component.range)
            }
        }
        if let paths = detail.paths {
            let settings = RuleSettings(.empty, detail.defaults, links.defaults)
            return paths.map { path in
                let entry = PathEntry(path.value)
                return EffectiveRule(
                    RuleSettings(pathEntry: entry, settings), [numbers.part(entry.pattern)],
                    isPath: true, range: path.range)
            }
        }
        // Neither list: every URL matches, as with `{}`.
        return [
            EffectiveRule(
                RuleSettings(.empty, .empty, .empty), [], isPath: false, range: detail.range)
        ]
    }

    private init(
        _ settings: RuleSettings, _ parts: [RulePart?], isPath: Bool, range: Range<Int>
    ) {
        self.settings = settings
        self.parts = parts
        self.isPath = isPath
        self.range = range
        let flags =
            (settings.excludes ? 1 : 0) + (settings.caseSensitive ? 0 : 2)
            + (settings.percentEncoded ? 0 : 4)
        func key(_ number: (RulePart) -> Int) -> Key {
            func part(_ index: Int) -> Int {
                parts.indices.contains(index) ? parts[index].map(number) ?? -1 : -1
            }
            return Key(path: part(0), query: part(1), fragment: part(2), flags: flags)
        }
        written = key(\.written)
        meaning = key(\.meaning)
    }

    /// Adds the variables that both rules use in the same part.
    static func common(
        _ left: EffectiveRule, _ right: EffectiveRule, _ seen: inout Set<[Int]>,
        _ variables: inout Set<ExactText>
    ) {
        for case (let left?, let right?) in zip(left.parts, right.parts)
        where !left.variables.isEmpty && seen.insert([left.written, right.written]).inserted {
            variables.formUnion(left.variables.intersection(right.variables))
        }
    }

    // MARK: - Text

    /// Maximum of displayed bytes of a pattern, and of items of a query.
    private static let shownBytes = 1_000
    private static let shownItems = 40

    /// The rule as JSON; very long patterns are shortened.
    var text: String {
        var members: [(String, JSONValue)] = []
        func pattern(_ text: String) -> JSONValue {
            guard text.utf8.count > Self.shownBytes else { return .text(text) }
            return .text(String(decoding: text.utf8.prefix(Self.shownBytes), as: UTF8.self) + "…")
        }
        if settings.path != "*" { members.append(("/", pattern(settings.path))) }
        switch settings.query {
        case .pattern(let text) where text != "*": members.append(("?", pattern(text)))
        case .items(let items) where !items.isEmpty:
            // The order of items has no meaning.
            let sorted = items.sorted { ExactText($0.name.value) < ExactText($1.name.value) }
            members.append(
                (
                    "?",
                    .object(
                        sorted.prefix(Self.shownItems).map {
                            ($0.name.value, pattern($0.pattern.value))
                        })
                ))
        case .pattern, .items, .dropped, nil: break
        }
        if let fragment = settings.fragment, fragment != "*" {
            members.append(("#", pattern(fragment)))
        }
        if settings.excludes { members.append(("exclude", .flag(true))) }
        if !settings.caseSensitive { members.append(("caseSensitive", .flag(false))) }
        if !settings.percentEncoded { members.append(("percentEncoded", .flag(false))) }
        return String(decoding: JSONWriter.minified(.object(members)), as: UTF8.self)
    }
}

/// A path, query or fragment pattern by number.
final class RulePart: Sendable {
    let written: Int
    let meaning: Int
    let variables: Set<ExactText>

    init(written: Int, meaning: Int, variables: Set<ExactText>) {
        self.written = written
        self.meaning = meaning
        self.variables = variables
    }
}

/// The parts of a rule, of an entry's defaults, or of the defaults of `applinks`. Inherited parts
/// are shared objects, however long their text.
private struct InheritedParts {
    let path: RulePart?
    let query: RulePart?
    let fragment: RulePart?

    init(_ own: LinkComponent, _ outer: InheritedParts?, _ numbers: inout PartNumbers) {
        path = own.path.map { numbers.part($0.value) } ?? outer?.path
        fragment = own.fragment.map { numbers.part($0.value) } ?? outer?.fragment
        query = own.query.map { numbers.part($0.value) } ?? outer?.query
    }
}

/// Numbers for patterns, shared by both documents.
struct PartNumbers {
    private var texts: [ExactText: Int] = [:]
    private var lists: [Set<ExactText>: Int] = [:]
    /// The variables of the current document.
    private var values: [ExactText: Int] = [:]

    mutating func begin(_ links: AppLinks) {
        values = [:]
        for variable in links.substitutionVariables {
            let list = Set(variable.values.map { ExactText($0.value) })
            let number = lists[list] ?? lists.count
            lists[list] = number
            values[ExactText(variable.name.value)] = number
        }
    }

    /// A pattern that matches everything has the same number as a missing one, but it still
    /// overrides one in `defaults`.
    mutating func part(_ pattern: String) -> RulePart {
        pattern == "*" ? Self.anything : part(of: [(pattern, isPattern: true)], prefix: "")
    }

    mutating func part(_ query: QueryPattern) -> RulePart {
        switch query {
        case .pattern(let pattern): return part(pattern)
        case .items(let items):
            if items.isEmpty { return Self.anything }
            // The order of items has no meaning.
            let sorted = items.sorted { ExactText($0.name.value) < ExactText($1.name.value) }
            return part(
                of: sorted.flatMap {
                    [
                        ("\($0.name.value)\u{0}", isPattern: false),
                        ("\($0.pattern.value)\u{0}", isPattern: true),
                    ]
                },
                prefix: "{")
        case .dropped: return Self.anything
        }
    }

    private static let anything = RulePart(written: -1, meaning: -1, variables: [])

    /// - Parameter texts: patterns, and names of query items, in which variables are not read.
    private mutating func part(
        of texts: [(text: String, isPattern: Bool)], prefix: String
    ) -> RulePart {
        var written: [UInt8] = Array(prefix.utf8)
        var meaning = written
        var variables: Set<ExactText> = []
        for (text, isPattern) in texts {
            let bytes = Array(text.utf8)
            written += bytes
            var copied = 0
            for reference in isPattern ? VariableReference.all(in: bytes) : [] {
                variables.insert(reference.name)
                guard let number = values[reference.name] else { continue }
                meaning += bytes[copied..<reference.range.lowerBound]
                // A "(" is not allowed in a name.
                meaning += Array("$((\(number))".utf8)
                copied = reference.range.upperBound
            }
            meaning += bytes[copied...]
        }
        let own = number(String(decoding: written, as: UTF8.self))
        return RulePart(
            written: own,
            meaning: variables.isEmpty ? own : number(String(decoding: meaning, as: UTF8.self)),
            variables: variables)
    }

    private mutating func number(_ text: String) -> Int {
        let text = ExactText(text)
        if let known = texts[text] { return known }
        texts[text] = texts.count
        return texts.count - 1
    }
}
