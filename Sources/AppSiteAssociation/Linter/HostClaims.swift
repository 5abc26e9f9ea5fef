/// URLs that two apps of one host claim, computed once for all documents of the host.
struct HostClaims {
    /// Rules of one entry (or, within a team, of several) that one rule of an earlier entry covers.
    struct Claim {
        let isOwn: Bool
        let earlier: OutlinedEntry
        let by: OutlinedRule
        let later: OutlinedEntry
        /// The first of the covered rules.
        let first: OutlinedRule
        fileprivate(set) var rules = 1
        fileprivate(set) var entries = 1
        fileprivate var lastEntry: Int
    }

    private struct Key: Hashable {
        let by: Int
        /// The later entry; -1 if all of a team's are one finding.
        let entry: Int
        let source: ObjectIdentifier
    }

    private struct Place {
        let entry: Int
        let rule: Int
    }

    private(set) var list: [Claim] = []
    private(set) var compared = 0
    private(set) var total = 0
    private(set) var isIncomplete = false
    let lastSource: SourceText?
    /// Families of entries, computed on demand.
    private var families: [AppFamily?]
    private var stems = NameNumbers<[UInt8]>()
    private var teams = NameNumbers<[UInt8]>()
    /// By entry: the number of its first app's name; -1 without one.
    private let firstApps: [Int]
    private var teamsOfEntries: [NumberSet?]

    /// The cost of parsing an identifier, in steps of a comparison.
    private static let stepsPerApp = 128

    private func familyCost(_ number: Int, _ entries: [OutlinedEntry]) -> Int {
        families[number] == nil ? entries[number].apps.count * Self.stepsPerApp : 0
    }

    private mutating func family(_ number: Int, _ entries: [OutlinedEntry]) -> AppFamily {
        if let known = families[number] { return known }
        let family = AppFamily(entries[number].apps.map(\.value), &stems)
        families[number] = family
        return family
    }

    private mutating func teams(_ number: Int, _ entries: [OutlinedEntry]) -> NumberSet {
        if let known = teamsOfEntries[number] { return known }
        let found = NumberSet(
            entries[number].apps.map { app in
                teams.number(of: Array(app.value.utf8.prefix { $0 != 0x2E }))
            })
        teamsOfEntries[number] = found
        return found
    }

    /// - Parameter entries: every entry of the host in the order of the served document.
    init(_ entries: [OutlinedEntry]) {
        lastSource = entries.last?.source
        families = Array(repeating: nil, count: entries.count)
        teamsOfEntries = Array(repeating: nil, count: entries.count)
        var names = NameNumbers<String>()
        firstApps = entries.map { entry in
            entry.apps.first.map { names.number(of: $0.value) } ?? -1
        }
        var budget = CoverageBudget()
        var index = CoverageIndex()
        var places: [Place] = []
        var known: [Key: Int] = [:]
        for (number, entry) in entries.enumerated() {
            total += entry.rules.count
            if budget.isSpent { continue }
            var exclusions: [OutlinedRule] = []
            for rule in entry.rules {
                if rule.excludes {
                    exclusions.append(rule)
                } else if let cause = claim(
                    on: rule, of: number, behind: exclusions, entries, index, places, &budget)
                {
                    note(cause, places[cause], rule, number, entries, &known)
                }
                if budget.isSpent { break }
                compared += 1
            }
            // An entry does not compete with itself.
            for (rule, outline) in entry.rules.enumerated() where !outline.excludes {
                index.insert(outline, at: places.count)
                places.append(Place(entry: number, rule: rule))
            }
        }
        isIncomplete = budget.isSpent
    }

    private mutating func note(
        _ cause: Int, _ place: Place, _ rule: OutlinedRule, _ number: Int,
        _ entries: [OutlinedEntry], _ known: inout [Key: Int]
    ) {
        let earlier = entries[place.entry]
        let later = entries[number]
        let isOwn = teams(place.entry, entries).meets(teams(number, entries))
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
                    isOwn: isOwn, earlier: earlier, by: earlier.rules[place.rule], later: later,
                    first: rule, lastEntry: number))
        }
    }

    /// The first rule of an earlier entry that covers every URL of this one, unless the apps are
    /// related or an earlier exclusion may exclude some of the URLs.
    ///
    /// - Parameter exclusions: of its own entry, those before it.
    private mutating func claim(
        on rule: OutlinedRule, of number: Int, behind exclusions: [OutlinedRule],
        _ entries: [OutlinedEntry], _ index: CoverageIndex, _ places: [Place],
        _ budget: inout CoverageBudget
    ) -> Int? {
        var lastEntry = -1
        var isStranger = false
        let mine = firstApps[number]
        return index.first(for: rule, &budget) { candidate, budget in
            let place = places[candidate]
            // Most candidates share only a prefix: parse names only for the few others.
            guard budget.spend(), place.entry != lastEntry || isStranger else { return false }
            if place.entry != lastEntry, mine >= 0, firstApps[place.entry] == mine {
                // The same app first: no need to compare its rules, or to parse its name.
                lastEntry = place.entry
                isStranger = false
                return false
            }
            guard entries[place.entry].rules[place.rule].covers(rule, &budget) else { return false }
            // Each file has variables of its own, whatever their names.
            let isForeign =
                entries[place.entry].source !== entries[number].source
                && (entries[place.entry].definesVariables || entries[number].definesVariables)
            if isForeign, entries[place.entry].rules[place.rule].hasVariables { return false }
            if place.entry != lastEntry {
                lastEntry = place.entry
                guard budget.spend(familyCost(number, entries) + familyCost(place.entry, entries))
                else { return false }
                let own = family(number, entries)
                let theirs = family(place.entry, entries)
                guard budget.spend(min(own.size, theirs.size)) else { return false }
                isStranger = !theirs.isRelated(to: own)
            }
            guard isStranger else { return false }
            return entries[place.entry].rules[..<place.rule].allSatisfy {
                guard budget.spend() else { return false }
                if !$0.excludes || $0.isCertainlyApart(from: rule) { return true }
                // A URL that both exclude is not claimed by this one.
                for exclusion in exclusions
                where !(isForeign && exclusion.hasVariables) && exclusion.covers($0, &budget) {
                    return true
                }
                return false
            }
        }
    }
}
