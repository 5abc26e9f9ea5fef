/// Compares `applinks` app by app: by the list of rules that applies to each app.
struct AppLinksDiff {
    private let before: AssociationFile
    private let after: AssociationFile
    private var found: [AssociationChange] = []
    /// Variables used by unchanged rules.
    private var variables: Set<ExactText> = []
    private var comparedParts: Set<[Int]> = []
    /// For listing rules and for shortest edits, for all apps together.
    private let steps = Steps(8_000_000)
    private var numbers = RuleNumbers()
    /// Changes of rules that were found but not listed.
    private var omitted = 0
    /// Apps whose rules were not compared because the steps were spent.
    private var skipped = 0
    /// Bytes of rules that may still be listed.
    private var room = AssociationDiff.textBytesMaximum

    init(_ before: AssociationFile, _ after: AssociationFile) {
        self.before = before
        self.after = after
    }

    consuming func changes() -> [AssociationChange] {
        let old = RuleTable(before, &numbers, steps)
        let new = RuleTable(after, &numbers, steps)
        let oldApps = old.apps.map(\.app)
        let newApps = new.apps.map(\.app)
        found += DiffParts.apps("applinks", oldApps, newApps)
        order(oldApps, newApps)

        let oldGroups = Dictionary(
            old.apps.map { ($0.app.value, $0.group) }, uniquingKeysWith: { first, _ in first })
        let pairs = new.apps.map { Pair(old: oldGroups[$0.app.value], new: $0.group) }
        let apps = Dictionary(grouping: zip(pairs, newApps), by: \.0)
        for pair in pairs.unique(by: \.self) {
            let apps = (apps[pair] ?? []).map(\.1.value)
            // List the rules of a new app: one that takes every URL must not go unnoticed.
            guard let before = pair.old.map({ old.groups[$0] }) ?? [],
                let after = new.groups[pair.new]
            else {
                skipped += apps.count
                continue
            }
            if pair.old == nil {
                for index in after.indices { add(.ruleAdded, apps, [], nil, after, index) }
            } else {
                compare(before, after, of: apps)
            }
        }
        compareVariables()
        noteOmissions()
        found += DiffParts.members(
            "applinks", before.applinks?.unknownMembers ?? [],
            after.applinks?.unknownMembers ?? [])
        return Self.grouped(found)
    }

    /// The same rules before and the same after.
    private struct Pair: Hashable {
        /// Nil for apps that were not there.
        let old: Int?
        let new: Int
    }

    private mutating func order(_ old: [Located<String>], _ new: [Located<String>]) {
        let both = Set(old.map(\.value)).intersection(new.map(\.value))
        let was = old.filter { both.contains($0.value) }
        let now = new.filter { both.contains($0.value) }
        guard was.map(\.value) != now.map(\.value), let first = was.first, let second = now.first
        else { return }
        let text = { (apps: [Located<String>]) in apps.map(\.value).joined(separator: ", ") }
        found.append(
            AssociationChange(
                kind: .appsReordered, service: "applinks", subject: "order",
                before: AssociationChange.Side(text: text(was), range: first.range),
                after: AssociationChange.Side(text: text(now), range: second.range)))
    }

    private mutating func compare(
        _ old: [ComparedRule], _ new: [ComparedRule], of apps: [String]
    ) {
        let edits = RuleListDiff(old, new, steps)
        // Moved and changed rules are paired by their text, which does not tell the values.
        for (oldIndex, newIndex) in edits.kept + edits.moved + edits.changed {
            for (left, right) in zip(old[oldIndex].parts, new[newIndex].parts)
            where comparedParts.insert([left, right]).inserted {
                variables.formUnion(numbers.variables(left).intersection(numbers.variables(right)))
            }
        }
        for (oldIndex, newIndex) in edits.moved {
            add(.ruleMoved, apps, old, oldIndex, new, newIndex)
        }
        for (oldIndex, newIndex) in edits.changed {
            add(.ruleChanged, apps, old, oldIndex, new, newIndex)
        }
        for index in edits.removed { add(.ruleRemoved, apps, old, index, new, nil) }
        for index in edits.added { add(.ruleAdded, apps, old, nil, new, index) }

        let forms = [old, new].map { $0.contains { $0.rule?.isPath == true } }
        if forms[0] != forms[1], let first = old.first, let second = new.first {
            let name = { (isPath: Bool) in isPath ? "paths" : "components" }
            found.append(
                AssociationChange(
                    kind: .formChanged, service: "applinks", apps: apps, subject: "form",
                    before: AssociationChange.Side(text: name(forms[0]), range: first.range),
                    after: AssociationChange.Side(text: name(forms[1]), range: second.range)))
        }
    }

    private mutating func add(
        _ kind: AssociationChange.Kind, _ apps: [String], _ old: [ComparedRule], _ oldIndex: Int?,
        _ new: [ComparedRule], _ newIndex: Int?
    ) {
        guard found.count < AssociationDiff.changesMaximum, room > 0 else {
            omitted += 1
            return
        }
        let oldSide = oldIndex.map { side(old[$0], $0) }
        let newSide = newIndex.map { side(new[$0], $0) }
        found.append(
            AssociationChange(
                kind: kind, service: "applinks", apps: apps,
                subject: newSide?.text ?? oldSide?.text ?? "", before: oldSide, after: newSide))
    }

    private mutating func side(_ rule: ComparedRule, _ index: Int) -> AssociationChange.Side {
        let text = rule.text
        room -= text.utf8.count
        return AssociationChange.Side(text: text, index: index, range: rule.range)
    }

    /// Reports the number of unlisted changes, so that the list is not taken for complete.
    private mutating func noteOmissions() {
        func note(_ count: Int, _ what: String) {
            if count == 0 { return }
            found.append(
                AssociationChange(
                    kind: .changesOmitted, service: "applinks", subject: "\(count) \(what)"))
        }
        note(omitted, omitted == 1 ? "more change of rules" : "more changes of rules")
        note(
            skipped, skipped == 1 ? "app with too many rules" : "apps with too many rules together")
    }

    private mutating func compareVariables() {
        func table(_ file: AssociationFile) -> [ExactText: SubstitutionVariable] {
            Dictionary(
                (file.applinks?.substitutionVariables ?? []).map {
                    (ExactText($0.name.value), $0)
                },
                uniquingKeysWith: { $1 })
        }
        let oldVariables = table(before)
        let newVariables = table(after)
        func side(_ variable: SubstitutionVariable) -> AssociationChange.Side {
            let values = JSONValue.list(variable.values.map { .text($0.value) })
            return AssociationChange.Side(
                text: String(decoding: JSONWriter.minified(values), as: UTF8.self),
                range: variable.range)
        }
        for name in variables.sorted() {
            let old = oldVariables[name]
            let new = newVariables[name]
            func values(_ variable: SubstitutionVariable) -> Set<ExactText> {
                Set(variable.values.map { ExactText($0.value) })
            }
            if old.map(values) == new.map(values) { continue }
            found.append(
                AssociationChange(
                    kind: .variableChanged, service: "applinks", subject: name.text,
                    before: old.map(side), after: new.map(side)))
        }
    }

    /// Combines changes to an entry with several apps into one.
    private static func grouped(_ changes: [AssociationChange]) -> [AssociationChange] {
        // Positions identify the rules: their texts may be long.
        struct Key: Hashable {
            let kind: AssociationChange.Kind
            let before: Range<Int>?
            let after: Range<Int>?
            let indices: [Int?]
            let subject: String
        }
        func key(_ change: AssociationChange) -> Key {
            Key(
                kind: change.kind, before: change.before?.range, after: change.after?.range,
                indices: [change.before?.index, change.after?.index],
                subject: change.before?.index ?? change.after?.index == nil ? change.subject : "")
        }
        let groups = Dictionary(grouping: changes, by: key)
        return changes.unique(by: key).map { first in
            var change = first
            change.apps = (groups[key(first)] ?? []).flatMap(\.apps)
            return change
        }
    }
}

/// The changes of a list of rules.
struct RuleListDiff {
    /// Most steps for one list, so that a hostile one does not take those of the others.
    private static let exactMaximum = 4_000_000

    var kept: [(Int, Int)] = []
    var moved: [(Int, Int)] = []
    var changed: [(Int, Int)] = []
    var removed: [Int] = []
    var added: [Int] = []

    /// - Parameter steps: for the shortest edit; without them all differing rules count as removed
    ///   and added. Its cost grows with the square of the difference (2,000 × 2,000 steps are some
    ///   50 ms).
    init(_ old: [ComparedRule], _ new: [ComparedRule], _ steps: Steps) {
        let isSame = { (left: ComparedRule, right: ComparedRule) in
            left.written == right.written || left.meaning == right.meaning
        }
        // Usually most rules are equal: skip common ends first.
        var start = 0
        while start < old.count, start < new.count, isSame(old[start], new[start]) {
            kept.append((start, start))
            start += 1
        }
        var oldEnd = old.count
        var newEnd = new.count
        while oldEnd > start, newEnd > start, isSame(old[oldEnd - 1], new[newEnd - 1]) {
            oldEnd -= 1
            newEnd -= 1
            kept.append((oldEnd, newEnd))
        }
        let oldRest = old[start..<oldEnd]
        let newRest = new[start..<newEnd]
        var removed: [Int] = []
        var added: [Int] = []
        let product = oldRest.count * newRest.count
        if product <= Self.exactMaximum, steps.spend(product) {
            for change in newRest.difference(from: oldRest, by: isSame) {
                switch change {
                case .remove(let offset, _, _): removed.append(start + offset)
                case .insert(let offset, _, _): added.append(start + offset)
                }
            }
            removed.sort()
            added.sort()
            let gone = Set(removed)
            let came = Set(added)
            kept += zip(
                oldRest.indices.filter { !gone.contains($0) },
                newRest.indices.filter { !came.contains($0) })
        } else {
            removed = Array(oldRest.indices)
            added = Array(newRest.indices)
        }
        pair(removed, added, old, new)
    }

    /// Matches removed and added rules: first the same rule at another position, then another rule
    /// for the same path, then, if one replaced one, a changed rule.
    private mutating func pair(
        _ removed: [Int], _ added: [Int], _ old: [ComparedRule], _ new: [ComparedRule]
    ) {
        var rest = removed
        var came = added
        func take<Key: Hashable>(_ key: (ComparedRule) -> Key) -> [(Int, Int)] {
            var places: [Key: [Int]] = [:]
            for index in rest.reversed() { places[key(old[index]), default: []].append(index) }
            var pairs: [(Int, Int)] = []
            came.removeAll { index in
                guard let place = places[key(new[index])]?.popLast() else { return false }
                pairs.append((place, index))
                return true
            }
            let taken = Set(pairs.map(\.0))
            rest.removeAll(where: taken.contains)
            return pairs
        }
        moved = take(\.meaning)
        moved += take(\.written)
        changed = take { $0.parts[0] }
        if rest.count == 1, came.count == 1 {
            changed.append((rest[0], came[0]))
        } else {
            self.removed = rest
            self.added = came
        }
    }
}
