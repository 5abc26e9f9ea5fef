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
        var rules: [Int]
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
    /// The number of rules compared before the steps were spent.
    private(set) var compared = 0
    private(set) var lastComparedEntry = -1
    private var coveredRules: Set<Place> = []
    private var faultyRules: Set<Place> = []

    func hasError(_ rule: Int, of entry: Int) -> Bool {
        faultyRules.contains(Place(entry: entry, rule: rule))
    }

    func isCovered(_ rule: Int, of entry: Int) -> Bool {
        coveredRules.contains(Place(entry: entry, rule: rule))
    }

    /// - Parameter errors: the places of errors, in order. A rule that has one is not compared.
    init(_ entries: [LinkEntry], _ steps: Steps, errors: [Int] = []) {
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
        var groups = AppGroups()
        var places: [Place] = []
        for (number, entry) in entries.enumerated() {
            if steps.isSpent { return }
            if !entry.rules.isEmpty {
                let group = groups.number(of: entry, number, steps)
                let wider = groups.wider(than: group, steps)
                var causes: [Cause: Int] = [:]
                for (index, rule) in entry.rules.enumerated() {
                    if steps.isSpent { return }
                    let place = Place(entry: number, rule: index)
                    if errors.haveElement(in: rule.reference.range) {
                        faultyRules.insert(place)
                        compared += 1
                        continue
                    }
                    func decides(_ candidate: Int) -> Bool {
                        let other = entries[places[candidate].entry]
                        let earlier = other.rules[places[candidate].rule]
                        // It is recommended to repeat the rules for older systems, and some of
                        // those before iOS 9.2 needed "/" beside "*".
                        let isForOlderSystems =
                            other.hasComponents != entry.hasComponents
                            || rule.isPath && rule.path.source == "/"
                        if isForOlderSystems, earlier.excludes == rule.excludes { return false }
                        return earlier.covers(rule, steps)
                    }
                    // Each index is in order; of those of several groups the first counts.
                    let cause = ([group] + wider).compactMap {
                        groups.indices[$0].first(for: rule, steps, where: decides)
                    }.min()
                    if let cause { note(places[cause], place, entries, &causes) }
                    groups.indices[group].insert(rule, at: places.count)
                    places.append(place)
                    compared += 1
                }
            }
            lastComparedEntry = number
        }
    }

    private mutating func note(
        _ cause: Place, _ place: Place, _ entries: [LinkEntry], _ causes: inout [Cause: Int]
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

extension [Int] {
    /// Whether one of these numbers, which are in order, lies in a range.
    func haveElement(in range: Range<Int>) -> Bool {
        let next = firstIndexInOrder { $0 >= range.lowerBound }
        return next < count && self[next] < range.upperBound
    }
}

/// Entries with the same apps form a group; an entry with more apps decides for each of them.
private struct AppGroups {
    /// Per group: the rules so far.
    var indices: [CoverageIndex] = []
    private var apps: [Set<String>] = []
    private var numbers: [Set<String>: Int] = [:]
    private var groupsOfApp: [String: [Int]] = [:]

    mutating func number(of entry: LinkEntry, _ position: Int, _ steps: Steps) -> Int {
        steps.spend(entry.apps.count)
        // An entry without an app belongs to no app; identifiers contain no blanks.
        let names = entry.apps.isEmpty ? [" \(position)"] : Set(entry.apps.map(\.value))
        if let known = numbers[names] { return known }
        let number = apps.count
        numbers[names] = number
        apps.append(names)
        indices.append(CoverageIndex())
        for name in names { groupsOfApp[name, default: []].append(number) }
        return number
    }

    /// The groups so far whose apps include all of this one's.
    func wider(than group: Int, _ steps: Steps) -> [Int] {
        let mine = apps[group]
        return (mine.first.flatMap { groupsOfApp[$0] } ?? []).filter { other in
            steps.spend() && apps[other].count > mine.count && steps.spend(mine.count)
                && mine.isSubset(of: apps[other])
        }
    }
}
