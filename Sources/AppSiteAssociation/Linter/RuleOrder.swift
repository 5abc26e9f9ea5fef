/// Finds rules that are never reached because earlier ones of the same app cover them, and the
/// entries that open URLs of each app.
struct RuleOrder {
    /// A rule and its entry.
    struct Place: Hashable {
        let entry: Int
        let rule: Int
    }

    /// The rules of one entry that one earlier rule covers.
    struct Covered {
        let by: Place
        /// Whether the earlier rule has the opposite effect.
        let isOpposite: Bool
        fileprivate(set) var rules: [Int]

        /// The same of some of the rules.
        func of(_ rules: [Int]) -> Covered {
            Covered(by: by, isOpposite: isOpposite, rules: rules)
        }
    }

    private struct Cause: Hashable {
        let by: Place
        let isOpposite: Bool
    }

    /// Per entry, in the order of the covered rules.
    private(set) var covered: [[Covered]]
    /// Per app: the last entry that opens URLs, and their number.
    private(set) var lastOpening: [String: Int] = [:]
    private(set) var openings: [String: Int] = [:]
    /// The number of rules compared before the budget was spent.
    private(set) var compared = 0
    private(set) var lastComparedEntry = -1
    private var coveredRules: Set<Place> = []

    func isCovered(_ rule: Int, of entry: Int) -> Bool {
        coveredRules.contains(Place(entry: entry, rule: rule))
    }

    init(_ entries: [OutlinedEntry], _ budget: inout CoverageBudget) {
        covered = Array(repeating: [], count: entries.count)
        for (number, entry) in entries.enumerated() {
            guard entry.takesEverything || entry.rules.contains(where: { !$0.excludes }) else {
                continue
            }
            for app in entry.apps {
                lastOpening[app.value] = number
                openings[app.value, default: 0] += 1
            }
        }
        let groups = AppGroups(entries, &budget)
        var indices = Array(repeating: CoverageIndex(), count: groups.count)
        var places: [Place] = []
        for (number, entry) in entries.enumerated() {
            let group = groups.group[number]
            var causes: [Cause: Int] = [:]
            for (index, rule) in entry.rules.enumerated() {
                if budget.isSpent { return }
                let place = Place(entry: number, rule: index)
                func decides(_ candidate: Int, _ budget: inout CoverageBudget) -> Bool {
                    let place = places[candidate]
                    // It is recommended to repeat the rules for older systems.
                    if entries[place.entry].hasComponents != entry.hasComponents,
                        entries[place.entry].rules[place.rule].excludes == rule.excludes
                    {
                        _ = budget.spend()
                        return false
                    }
                    return entries[place.entry].rules[place.rule].covers(rule, &budget)
                }
                // Each index is in order; of those of several groups the first counts.
                let cause = ([group] + groups.wider[group]).compactMap {
                    indices[$0].first(for: rule, &budget, where: decides)
                }.min()
                if let cause {
                    note(places[cause], place, entries, &causes)
                }
                indices[group].insert(rule, at: places.count)
                places.append(place)
                compared += 1
            }
            lastComparedEntry = number
        }
    }

    private mutating func note(
        _ cause: Place, _ place: Place, _ entries: [OutlinedEntry], _ causes: inout [Cause: Int]
    ) {
        let isOpposite =
            entries[cause.entry].rules[cause.rule].excludes
            != entries[place.entry].rules[place.rule].excludes
        let key = Cause(by: cause, isOpposite: isOpposite)
        coveredRules.insert(place)
        if let known = causes[key] {
            covered[place.entry][known].rules.append(place.rule)
        } else {
            causes[key] = covered[place.entry].count
            covered[place.entry].append(
                Covered(by: cause, isOpposite: isOpposite, rules: [place.rule]))
        }
    }
}

/// Entries with the same apps form a group; an entry with more apps affects each of them.
private struct AppGroups {
    /// The group of each entry.
    private(set) var group: [Int] = []
    /// Per group: the groups whose apps include all of this one's.
    private(set) var wider: [[Int]]

    var count: Int { wider.count }

    init(_ entries: [OutlinedEntry], _ budget: inout CoverageBudget) {
        var numbers: [String: Int] = [:]
        var sets: [[String]] = []
        var groupsOfApp: [String: [Int]] = [:]
        for (number, entry) in entries.enumerated() {
            // Nothing to compare: any group will do.
            if entry.rules.isEmpty, !sets.isEmpty {
                group.append(0)
                continue
            }
            // Nearly all have one app, which needs no set.
            let apps =
                entry.apps.count == 1
                ? [entry.apps[0].value] : Set(entry.apps.map(\.value)).sorted()
            // An entry without an app belongs to nobody; identifiers contain no blanks.
            let key =
                apps.isEmpty
                ? " \(number)" : apps.count == 1 ? apps[0] : apps.joined(separator: " ") + " "
            if let known = numbers[key] {
                group.append(known)
                continue
            }
            numbers[key] = sets.count
            group.append(sets.count)
            for app in apps { groupsOfApp[app, default: []].append(sets.count) }
            sets.append(apps)
        }
        wider = Array(repeating: [], count: sets.count)
        for (number, apps) in sets.enumerated() {
            guard let first = apps.first else { continue }
            for other in groupsOfApp[first] ?? [] where other != number {
                guard budget.spend() else { return }
                if sets[other].count > apps.count, budget.spend(apps.count),
                    apps.count == 1 || Set(apps).isSubset(of: sets[other])
                {
                    wider[number].append(other)
                }
            }
        }
    }
}
