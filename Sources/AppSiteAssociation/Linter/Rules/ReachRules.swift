/// Effects of the order of rules: rules that are never reached, and entries that open nothing.
enum ReachRules {
    /// Rules with an error are not compared: until it is fixed, they match something else.
    ///
    /// - Parameters:
    ///   - entries: those of one document. The entries of one app are checked together, as they are
    ///     evaluated in order.
    ///   - defaults: the places of what applies to rules; with an error there, no rule is meant.
    static func check(
        _ entries: [LinkEntry], defaults: [Range<Int>] = [], _ context: inout LintContext
    ) {
        if !defaults.isEmpty {
            let errors = context.errorPlaces
            if defaults.contains(where: { errors.haveElement(in: $0) }) { return }
        }
        let steps = Steps(LintLimits.coverageSteps)
        let order = checkCovered(entries, steps, &context)
        for (number, entry) in entries.enumerated() {
            checkEntry(number, entry, order, &context)
        }
        if steps.isSpent {
            let rules = entries.reduce(0) { $0 + $1.rules.count }
            context.report(
                "comparison-incomplete", at: nil,
                "aasa compared \(order.compared) of \(rules) rules with all earlier ones")
        }
    }

    /// Only which rules are never reached or not needed, for lists in Android's files.
    @discardableResult static func checkCovered(
        _ entries: [LinkEntry], _ steps: Steps, _ context: inout LintContext
    ) -> RuleOrder {
        let order = RuleOrder(entries, steps, errors: context.errorPlaces)
        for covered in order.covered { report(covered, steps, &context) }
        return order
    }

    private static func checkEntry(
        _ number: Int, _ entry: LinkEntry, _ order: RuleOrder, _ context: inout LintContext
    ) {
        let rules = entry.rules
        guard let first = rules.first else { return }
        var before = 0
        for rule in rules where !order.hasError(rule) {
            if rule.excludes {
                before += 1
            } else if rule.isCatchAll, !rule.isWithoutPattern, !entry.apps.isEmpty {
                context.report(
                    "catch-all", at: rule.reference.range,
                    before == 0 ? "" : ", except for \(counted(before, "exclusion")) before it")
            }
        }
        // What all rules of an entry do is not known while one of them has an error.
        if rules.contains(where: order.hasError) { return }
        let opening = rules.filter { !$0.excludes }
        if opening.isEmpty {
            let closed = entry.apps.filter { order.openings[$0.value] == nil }
            if entry.apps.isEmpty || !closed.isEmpty {
                let what =
                    rules.count == 1
                    ? "the only rule of this entry excludes"
                    : "all \(rules.count) rules of this entry exclude"
                let whom =
                    closed.count == entry.apps.count
                    ? "the app" : closed.prefix(3).map(\.value).joined(separator: ", ")
                context.report(
                    "only-exclusions", at: first.reference.range, "\(what): no URL opens \(whom)")
            }
        }
        checkLastExclusions(number, entry, order, &context)
        if let open = opening.first,
            opening.allSatisfy({
                $0.isPathAlone && $0.path.symbols.isEmpty && !$0.path.source.isEmpty
            }),
            entry.apps.allSatisfy({ order.openings[$0.value]?.count ?? 0 <= 1 })
        {
            context.report("front-page-only", at: open.reference.range)
        }
    }

    /// Exclusions after which no rule of the app opens anything, in this entry or a later one.
    private static func checkLastExclusions(
        _ number: Int, _ entry: LinkEntry, _ order: RuleOrder, _ context: inout LintContext
    ) {
        let last = entry.rules.lastIndex { !$0.excludes } ?? -1
        // If nothing is opened at all, the finding is about the whole entry.
        guard last + 1 < entry.rules.count,
            entry.apps.allSatisfy({ app in
                order.openings[app.value].map { $0.last <= number } ?? false
            }) || (entry.apps.isEmpty && entry.rules.contains { !$0.excludes })
        else { return }
        let covered = Set(order.covered[number].flatMap(\.rules).map { ObjectIdentifier($0) })
        for rule in entry.rules[(last + 1)...]
        where !covered.contains(ObjectIdentifier(rule)) && number <= order.lastComparedEntry {
            context.report("exclude-without-effect", at: rule.reference.range, rule.label)
        }
    }

    /// Covered rules, grouped by the covering rule: one `*` before a long list is one finding.
    private static func report(
        _ covered: [RuleOrder.Covered], _ steps: Steps, _ context: inout LintContext
    ) {
        for group in covered {
            let (cause, first, more) = (group.by, group.rules[0], group.rules.count - 1)
            let others = more == 0 ? "" : " and \(counted(more, "more rule"))"
            let place = group.isElsewhere ? " (in an earlier entry of the app)" : ""
            let what = (first.excludes ? "the exclusion of " : "") + "\"\(first.label)\""
            context.report(
                group.isOpposite ? "rule-unreachable" : "rule-redundant", at: first.reference.range,
                group.isOpposite
                    ? "\(what)\(others) \(more == 0 ? "is" : "are") never reached: "
                        + "\"\(cause.label)\"\(place) matches first and "
                        + (cause.excludes ? "excludes" : "opens the app")
                    : "\(what)\(others) \(more == 0 ? "has" : "have") no effect: "
                        + "\"\(cause.label)\"\(place) already covers \(more == 0 ? "it" : "them")",
                remedy: remedy(cause, first, isOpposite: group.isOpposite, steps),
                related: [("this rule matches first", cause.reference.range)]
                    + group.rules.dropFirst().prefix(LintLimits.relatedPlaces).map {
                        ("also covered", $0.reference.range)
                    })
        }
    }

    /// Both ways out; nil for those of the rule. An earlier rule that covers more than it seems to
    /// is the mistake.
    private static func remedy(
        _ cause: Rule, _ covered: Rule, isOpposite: Bool, _ steps: Steps
    ) -> String? {
        let last = isOpposite ? "or move this rule before it" : "or remove this rule"
        // Asked only where it decides: it costs steps.
        func isMutual() -> Bool { covered.covers(cause, steps) }
        if let slip = slip(in: cause) {
            return
                "Correct the earlier rule (\(slip): write \"?*\"), \(isMutual() ? "or remove one of the two" : last)."
        }
        if cause.isCatchAll, cause.excludes {
            return "Narrow or remove the earlier rule, which excludes every URL"
                + (isOpposite ? ", \(last)." : ". Then you need this exclusion.")
        }
        if isMutual() {
            return isOpposite
                ? "Keep the one that is meant: both match the same URLs, and only one opens the app."
                : "Keep one of the two: both match the same URLs."
        }
        return cause.excludes && covered.excludes
            ? "Narrow the earlier rule if it excludes too much, \(last)." : nil
    }

    /// A `*` where something was meant to be there.
    private static func slip(in rule: Rule) -> String? {
        switch rule.query {
        case .items(let items):
            if let item = items.first(where: { $0.pattern.matchesEverything }) {
                return "\"\(item.name)\": \"*\" also matches if the item is missing"
            }
        case .text(let pattern) where pattern.matchesEverything:
            return "\"?\": \"*\" also matches if there is no query"
        case .text, nil: break
        }
        return rule.fragment?.matchesEverything == true
            ? "\"#\": \"*\" also matches if there is no fragment" : nil
    }
}
