/// URLs that two apps of one host claim, computed once for all documents of the host.
struct HostClaims {
    /// Rules of one entry (or, within a team, of several) that one rule of an earlier entry covers.
    struct Claim {
        /// Whether both apps are of one team.
        let isOwn: Bool
        let earlier: Entry
        let by: Rule
        let later: Entry
        /// The first of the covered rules.
        let first: Rule
        fileprivate(set) var rules = 1
        fileprivate(set) var entries = 1
        fileprivate var last: Entry
    }

    /// An entry and the document that it is written in; a class, as each later entry asks for it.
    final class Entry {
        let links: LinkEntry
        let source: SourceText
        /// Of each app the entry in which it stands for the first time: it has that priority.
        let priorities: [Int]
        private(set) lazy var teams = Set(
            links.apps.map { $0.value.lowercased().prefix { $0 != "." } })
        fileprivate let families: [Substring]
        /// The number of its set of families.
        fileprivate let kind: Int
        fileprivate let begin: Int

        fileprivate init(
            _ links: LinkEntry, in source: SourceText, _ priorities: [Int],
            kinds: inout [Set<Substring>: Int]
        ) {
            self.links = links
            self.source = source
            self.priorities = priorities
            families = links.apps.map { Self.family(of: $0.value) }
            let set = Set(families)
            kind = kinds[set] ?? kinds.count
            kinds[set] = kind
            begin = priorities.min() ?? .max
        }

        /// The first three parts of the bundle identifier. Builds and parts of one app share them
        /// (`com.example.shop`, `com.example.shop.dev`, `com.example.shop-beta`), and may claim the
        /// same URLs.
        private static func family(of app: String) -> Substring {
            let name = app.lowercased()
            let bundle = name.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst()
            let ends = bundle.indices.lazy.filter { ".-_".utf8.contains(bundle[$0]) }
            return Substring(bundle[..<(ends.dropFirst(2).first ?? bundle.endIndex)])
        }
    }

    private(set) var list: [Claim] = []
    private(set) var compared = 0
    private(set) var total = 0
    var isIncomplete: Bool { compared < total }
    let lastSource: SourceText?
    /// The claims by the number of the earlier rule, and by the later entry; those of a team by its
    /// document.
    private var places: [Int: [ObjectIdentifier: Int]] = [:]

    /// - Parameter files: the documents of the host in the order in which they are merged.
    init(_ files: [LintFile]) {
        var first: [String: Int] = [:]
        var entries: [Entry] = []
        var kinds: [Set<Substring>: Int] = [:]
        for file in files {
            for links in file.entries {
                let priorities = links.apps.map { app in
                    if let known = first[app.value] { return known }
                    first[app.value] = entries.count
                    return entries.count
                }
                // Without rules an entry claims nothing; its apps have their priority.
                if links.rules.isEmpty { continue }
                entries.append(Entry(links, in: file.source, priorities, kinds: &kinds))
            }
        }
        lastSource = entries.last?.source
        total = entries.reduce(0) { $0 + $1.links.rules.count }
        let steps = Steps(LintLimits.coverageSteps)
        var index = CoverageIndex()
        var rules: [(entry: Int, position: Int)] = []
        // Thousands of entries may be of one family: a later entry asks about each kind once.
        let sets = kinds.sorted { $0.value < $1.value }.map(\.key)
        var answers = sets.map { _ in (asker: -1, priority: -1) }
        for (number, entry) in entries.enumerated() where !steps.isSpent {
            var exclusions: [Rule] = []
            for rule in entry.links.rules {
                if rule.excludes {
                    exclusions.append(rule)
                } else if let cause = index.first(
                    for: rule, steps,
                    where: {
                        let (place, position) = rules[$0]
                        let earlier = entries[place]
                        if answers[earlier.kind].asker != number {
                            answers[earlier.kind] =
                                (number, entry.lastPriority(beside: sets[earlier.kind]))
                        }
                        // An app is taken nothing by one that comes behind its own first entry.
                        return earlier.begin < answers[earlier.kind].priority
                            && earlier.claims(rule, of: entry, by: position, exclusions, steps)
                    })
                {
                    note(cause, entries[rules[cause].entry], rules[cause].position, rule, entry)
                }
                if steps.isSpent { break }
                compared += 1
            }
            if steps.isSpent { break }
            // An entry does not compete with itself.
            for (position, rule) in entry.links.rules.enumerated() where !rule.excludes {
                index.insert(rule, at: rules.count)
                rules.append((number, position))
            }
        }
    }

    private mutating func note(
        _ cause: Int, _ earlier: Entry, _ position: Int, _ rule: Rule, _ later: Entry
    ) {
        let isOwn = !earlier.teams.isDisjoint(with: later.teams)
        let key = isOwn ? ObjectIdentifier(later.source) : ObjectIdentifier(later)
        if let place = places[cause]?[key] {
            list[place].rules += 1
            if list[place].last !== later { list[place].entries += 1 }
            list[place].last = later
        } else {
            places[cause, default: [:]][key] = list.count
            list.append(
                Claim(
                    isOwn: isOwn, earlier: earlier, by: earlier.links.rules[position], later: later,
                    first: rule, last: later))
        }
    }
}

extension HostClaims.Entry {
    /// The last priority of its apps of other families; -1: it has none.
    fileprivate func lastPriority(beside families: Set<Substring>) -> Int {
        zip(priorities, self.families).reduce(-1) {
            families.contains($1.1) ? $0 : max($0, $1.0)
        }
    }

    /// Whether a rule of this entry takes every URL of a rule of a later one, and no earlier
    /// exclusion may leave it some of them.
    ///
    /// - Parameter exclusions: of the later entry, those before its rule.
    fileprivate func claims(
        _ rule: Rule, of later: HostClaims.Entry, by position: Int, _ exclusions: [Rule],
        _ steps: Steps
    ) -> Bool {
        let mine = links.rules[position]
        guard mine.covers(rule, steps) else { return false }
        // Each file has variables of its own, whatever their names.
        let isForeign =
            source !== later.source
            && !(links.variables.definitions.isEmpty && later.links.variables.definitions.isEmpty)
        if isForeign && mine.hasVariables { return false }
        return links.rules[..<position].allSatisfy { earlier in
            guard steps.spend() else { return false }
            if !earlier.excludes || earlier.isCertainlyApart(from: rule) { return true }
            // A URL that both exclude is not claimed by the later one.
            return exclusions.contains {
                !(isForeign && $0.hasVariables) && $0.covers(earlier, steps)
            }
        }
    }
}
