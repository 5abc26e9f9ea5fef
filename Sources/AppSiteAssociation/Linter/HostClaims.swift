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
        fileprivate var lastEntry: Int
    }

    /// An entry and the document that it is written in; a class, as each later entry asks for it.
    final class Entry {
        let links: LinkEntry
        let source: SourceText
        private(set) lazy var teams = Set(
            links.apps.map { $0.value.lowercased().prefix { $0 != "." } })
        /// The apps, and where each of them stands for the first time: it has that priority.
        let first: [String: Int]
        /// The priority of the first of them.
        let begin: Int
        /// The first three parts of the bundle identifiers. Builds and parts of one app share them
        /// (`com.example.shop`, `com.example.shop.dev`, `com.example.shop-beta`), and may claim the
        /// same URLs.
        private(set) lazy var stems = Dictionary(
            links.apps.map { app in
                let name = app.value.lowercased()
                let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) ?? name.endIndex
                let bundle = name[dot...].dropFirst()
                let ends = bundle.utf8.indices.lazy.filter {
                    ".-_".utf8.contains(bundle.utf8[$0])
                }
                return (app.value, bundle[..<(ends.dropFirst(2).first ?? bundle.endIndex)])
            }, uniquingKeysWith: { first, _ in first })
        private(set) lazy var families = Set(stems.values)

        init(_ links: LinkEntry, in source: SourceText, first: [String: Int]) {
            self.links = links
            self.first = first
            begin = first.values.min() ?? .max
            self.source = source
        }
    }

    private struct Key: Hashable {
        let by: Int
        /// The later entry; -1 if all of a team's are one finding.
        let entry: Int
        let source: ObjectIdentifier
    }

    private(set) var list: [Claim] = []
    private(set) var compared = 0
    private(set) var total = 0
    private(set) var isIncomplete = false
    let lastSource: SourceText?

    /// - Parameter files: the documents of the host in the order in which they are merged.
    init(_ files: [LintFile]) {
        var first: [String: Int] = [:]
        var entries: [Entry] = []
        for file in files {
            for links in file.entries {
                for app in links.apps where first[app.value] == nil {
                    first[app.value] = entries.count
                }
                let own = links.apps.map { ($0.value, first[$0.value] ?? 0) }
                entries.append(
                    Entry(
                        links, in: file.source,
                        first: Dictionary(own, uniquingKeysWith: { first, _ in first })))
            }
        }
        lastSource = entries.last?.source
        total = entries.reduce(0) { $0 + $1.links.rules.count }
        let steps = Steps(LintLimits.coverageSteps)
        var index = CoverageIndex()
        var places: [(entry: Int, rule: Int)] = []
        var known: [Key: Int] = [:]
        for (number, entry) in entries.enumerated() where !steps.isSpent {
            var exclusions: [Rule] = []
            var rivals: [Int: Bool] = [:]
            for rule in entry.links.rules {
                if rule.excludes {
                    exclusions.append(rule)
                } else if let cause = index.first(
                    for: rule, steps,
                    where: {
                        let place = places[$0]
                        let earlier = entries[place.entry]
                        let isRival = rivals[place.entry] ?? earlier.isRival(of: entry)
                        rivals[place.entry] = isRival
                        return isRival
                            && earlier.claims(rule, of: entry, by: place.rule, exclusions, steps)
                    })
                {
                    note(
                        cause, places[cause].rule, entries[places[cause].entry], rule, number,
                        entry, &known)
                }
                if steps.isSpent { break }
                compared += 1
            }
            if steps.isSpent { break }
            // An entry does not compete with itself.
            for (position, rule) in entry.links.rules.enumerated() where !rule.excludes {
                index.insert(rule, at: places.count)
                places.append((number, position))
            }
        }
        isIncomplete = steps.isSpent
    }

    private mutating func note(
        _ cause: Int, _ by: Int, _ earlier: Entry, _ rule: Rule, _ number: Int, _ later: Entry,
        _ known: inout [Key: Int]
    ) {
        let isOwn = !earlier.teams.isDisjoint(with: later.teams)
        let key = Key(
            by: cause, entry: isOwn ? -1 : number, source: ObjectIdentifier(later.source))
        if let place = known[key] {
            list[place].rules += 1
            if list[place].lastEntry != number {
                list[place].entries += 1
                list[place].lastEntry = number
            }
        } else {
            known[key] = list.count
            list.append(
                Claim(
                    isOwn: isOwn, earlier: earlier, by: earlier.links.rules[by], later: later,
                    first: rule, lastEntry: number))
        }
    }
}

extension HostClaims.Entry {
    /// Whether this entry can take URLs from an app of a later one that is not related to its own.
    fileprivate func isRival(of later: HostClaims.Entry) -> Bool {
        // An app is taken nothing by itself, nor by one that comes behind its own first entry.
        return later.first.contains { app, priority in
            priority > begin && first[app] == nil && !families.contains(later.stems[app] ?? "")
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
