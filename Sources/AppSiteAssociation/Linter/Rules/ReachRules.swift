/// What the order of rules does: rules that are never reached, and what an entry opens.
enum ReachRules {
    static let rules = [
        unreachable, redundant, excludeWithoutEffect, onlyExcludes, catchAll, frontPageOnly,
    ]
    private static let apple = "Apple, applinks.Details.Components"
    private static let good = LintExample.components(
        "{ \"/\": \"/help/*\", \"exclude\": true }, { \"/\": \"*\" }")

    static let unreachable = LintRule(
        "rule-unreachable", .error, "a rule that an earlier one always decides, and otherwise",
        why:
            "Rules are tried in order and the first that matches decides. Here an earlier rule "
            + "matches "
            + "every URL of this one and says the opposite, so this one never takes effect.",
        fix: "put the narrower rule in front", .documented, apple,
        bad: .components("{ \"/\": \"*\" }, { \"/\": \"/help/*\", \"exclude\": true }"), good: good)
    static let redundant = LintRule(
        "rule-redundant", .warning, "a rule that an earlier one makes superfluous",
        why: "An earlier rule matches every URL of this one and decides the same.",
        fix: "remove it, or the broader one if that is too broad", .documented, apple,
        bad: .components("{ \"/\": \"/buy/*\" }, { \"/\": \"/buy/shoes\" }"),
        good: .components("{ \"/\": \"/buy/*\" }, { \"/\": \"/sell/*\" }"))
    static let excludeWithoutEffect = LintRule(
        "exclude-without-effect", .info, "an exclusion with no rule behind it",
        why:
            "What no rule matches stays in the browser anyway. An exclusion is needed only in "
            + "front of a "
            + "broader rule that would match.",
        fix: "remove it, or put it in front of the rule it is an exception to", .documented, apple,
        bad: .components("{ \"/\": \"/buy/*\" }, { \"/\": \"/help/*\", \"exclude\": true }"),
        good: good)
    static let onlyExcludes = LintRule(
        "only-exclusions", .warning, "every rule of an entry excludes",
        why: "What no rule matches is not opened either, so the entry opens nothing.",
        fix: "add a rule behind them for what the app opens, for instance { \"/\": \"*\" }",
        .documented,
        apple, bad: .components("{ \"/\": \"/help/*\", \"exclude\": true }"), good: good)
    static let catchAll = LintRule(
        "catch-all", .info, "an app takes every URL of the site",
        why:
            "Also pages that the app has no screen for: imprint, unsubscribe links, password "
            + "reset, "
            + "paths of tomorrow. Often meant; worth knowing.",
        fix: "list what the app can show, or exclude what it cannot", .advice, apple,
        bad: .components("{ \"/\": \"*\" }"), good: .components("{ \"/\": \"/buy/*\" }"))
    static let frontPageOnly = LintRule(
        "front-page-only", .info, "the entry opens the front page and nothing else",
        why: "\"/\" matches the path / only. Many read it as everything below it.",
        fix: "write \"*\" if the whole site is meant", .appleTool, "domain.md 2.3",
        bad: .components("{ \"/\": \"/\" }"), good: .components("{ \"/\": \"/buy/*\" }"))

    static func check(_ entries: [OutlinedEntry], _ context: inout LintContext) {
        var budget = CoverageBudget()
        for entry in entries { check(entry.rules, &budget, &context) }
    }

    private static func check(
        _ rules: [OutlinedRule], _ budget: inout CoverageBudget, _ context: inout LintContext
    ) {
        checkOrder(rules, &budget, &context)
        let opening = rules.filter { !$0.excludes }
        if opening.isEmpty {
            if let first = rules.first {
                context.report(
                    onlyExcludes, at: first.range,
                    rules.count == 1
                        ? "the only rule of this entry excludes: no URL opens the app"
                        : "all \(rules.count) rules of this entry exclude: no URL opens the app")
            }
            return
        }
        if let last = rules.lastIndex(where: { !$0.excludes }) {
            for index in (last + 1)..<rules.count {
                let rule = rules[index]
                // Those that an earlier rule covers are reported as unreachable already.
                guard !budget.isSpent,
                    !rules[..<index].contains(where: { $0.covers(rule, &budget) })
                else { continue }
                context.report(
                    excludeWithoutEffect, at: rule.range,
                    "\"\(rule.label)\" excludes, but no rule behind it would open it")
            }
        }
        var before = 0
        for rule in rules {
            if rule.excludes {
                before += 1
            } else if rule.isCatchAll {
                context.report(
                    catchAll, at: rule.range,
                    "this rule takes every URL of the site into the app"
                        + (before == 0
                            ? ""
                            : ", apart from \(before) \(before == 1 ? "exclusion" : "exclusions") "
                                + "before it"))
            }
        }
        if opening.allSatisfy({ $0.path.symbols.isEmpty }), let first = opening.first {
            context.report(
                frontPageOnly, at: first.range,
                "\"/\" is the front page only, not what lies below it"
            )
        }
    }

    /// Covered rules, gathered by the rule that covers them: one `*` in front of a long list is one
    /// finding.
    private static func checkOrder(
        _ rules: [OutlinedRule], _ budget: inout CoverageBudget, _ context: inout LintContext
    ) {
        var covered: [(by: Int, rules: [Int], opposite: Bool)] = []
        for later in rules.indices {
            if budget.isSpent { break }
            guard
                let earlier = rules[..<later].firstIndex(where: {
                    $0.covers(rules[later], &budget)
                })
            else { continue }
            let opposite = rules[earlier].excludes != rules[later].excludes
            if let group = covered.firstIndex(where: { $0.by == earlier && $0.opposite == opposite }
            ) {
                covered[group].rules.append(later)
            } else {
                covered.append((earlier, [later], opposite))
            }
        }
        for group in covered {
            guard let first = group.rules.first else { continue }
            let cause = rules[group.by]
            let more =
                group.rules.count == 1
                ? "" : ", nor are \(group.rules.count - 1) more rules behind it"
            let what =
                (rules[first].excludes ? "the exclusion of " : "") + "\"\(rules[first].label)\""
            context.report(
                group.opposite ? unreachable : redundant, at: rules[first].range,
                group.opposite
                    ? "\(what) is never reached\(more): \"\(cause.label)\" decides before, and "
                        + (cause.excludes ? "excludes" : "opens the app")
                    : "\(what) is not needed\(more): \"\(cause.label)\" covers it",
                related: [("this rule decides", cause.range)]
                    + group.rules.dropFirst().prefix(8).map { ("also covered", rules[$0].range) })
        }
    }
}
