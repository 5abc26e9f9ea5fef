/// Finds rules that are never reached because earlier ones of the same app cover them, and the
/// entries that open URLs of each app.
struct RuleOrder {
    /// The rules of one entry that one earlier rule covers.
    struct Covered {
        let by: Rule
        /// Whether the earlier rule is in another entry.
        let isElsewhere: Bool
        /// Whether the earlier rule has the opposite effect.
        let isOpposite: Bool
        var rules: [Rule]
    }

    /// Per entry, in the order of the covered rules.
    private(set) var covered: [[Covered]]
    /// Per app: the last entry that opens URLs, and their number.
    private(set) var openings: [String: (last: Int, count: Int)] = [:]
    /// The number of rules compared before the steps were spent.
    private(set) var compared = 0
    private(set) var lastComparedEntry = -1
    private let errors: [Int]

    /// Whether the rule has an error, so that it is not compared.
    func hasError(_ rule: Rule) -> Bool { errors.haveElement(in: rule.reference.range) }

    /// - Parameter errors: the places of errors, in order.
    init(_ entries: [LinkEntry], _ steps: Steps, errors: [Int] = []) {
        self.errors = errors
        covered = Array(repeating: [], count: entries.count)
        for (number, entry) in entries.enumerated()
        where entry.takesEverything || entry.rules.contains(where: { !$0.excludes }) {
            for app in entry.apps {
                openings[app.value] = (number, (openings[app.value]?.count ?? 0) + 1)
            }
        }
        var groups = AppGroups()
        var earlier: [(entry: Int, rule: Rule)] = []
        for (number, entry) in entries.enumerated() {
            if steps.isSpent { return }
            if !entry.rules.isEmpty {
                let group = groups.number(of: entry, number, steps)
                let wider = groups.wider(than: group, steps)
                // The lists by their cause; by its complement, where the effect is the opposite.
                var known: [Int: Int] = [:]
                for rule in entry.rules {
                    if steps.isSpent { return }
                    compared += 1
                    if hasError(rule) { continue }
                    func decides(_ candidate: Int) -> Bool {
                        let (place, other) = earlier[candidate]
                        // It is recommended to repeat the rules for older systems, and some of
                        // those before iOS 9.2 needed "/" beside "*".
                        let isForOlderSystems =
                            entries[place].hasComponents != entry.hasComponents
                            || rule.isPath && rule.path.source == "/"
                        if isForOlderSystems, other.excludes == rule.excludes { return false }
                        return other.covers(rule, steps)
                    }
                    // Each index is in order; of those of several groups the first counts.
                    let cause = ([group] + wider).compactMap {
                        groups.indices[$0].first(for: rule, steps, where: decides)
                    }.min()
                    if let cause {
                        let (place, by) = earlier[cause]
                        let isOpposite = by.excludes != rule.excludes
                        let key = isOpposite ? ~cause : cause
                        if let list = known[key] {
                            covered[number][list].rules.append(rule)
                        } else {
                            known[key] = covered[number].count
                            covered[number].append(
                                Covered(
                                    by: by, isElsewhere: place != number, isOpposite: isOpposite,
                                    rules: [rule]))
                        }
                    }
                    groups.indices[group].insert(rule, at: earlier.count)
                    earlier.append((number, rule))
                }
            }
            lastComparedEntry = number
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
