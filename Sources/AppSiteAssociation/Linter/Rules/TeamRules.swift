/// Several teams in one document, or in the fragments of one host.
enum TeamRules {
    static let rules = [claimedBefore]

    static let claimedBefore = LintRule(
        "team-urls-claimed", .warning, "another team's app already takes these URLs",
        why:
            "Where several installed apps claim a URL, the order of details decides. An entry of "
            + "another "
            + "team in front takes every URL of this rule, so on a device with both apps this "
            + "one never "
            + "gets them.",
        fix: "agree on who opens them: make one rule narrower, or change the order", .documented,
        "Apple, applinks.Details (order is priority)",
        bad: LintExample(
            """
            { "applinks": { "details": [
              { "appIDs": ["9JA89QQLNQ.com.example.shop"], "components": [{ "/": "*" }] },
              { "appIDs": ["D3KQX62K1A.com.example.news"], "components": [{ "/": "/news/*" }] }
            ] } }

            """),
        good: LintExample(
            """
            { "applinks": { "details": [
              { "appIDs": ["D3KQX62K1A.com.example.news"], "components": [{ "/": "/news/*" }] },
              { "appIDs": ["9JA89QQLNQ.com.example.shop"], "components": [{ "/": "*" }] }
            ] } }

            """))
    /// - Parameter entries: every entry of the host in the order in which it is served.
    static func check(_ entries: [OutlinedEntry], _ context: inout LintContext) {
        var budget = CoverageBudget()
        for (index, later) in entries.enumerated() where later.source === context.source {
            // One broad rule of another team takes many narrow ones: that is one finding.
            var claims:
                [(by: Range<Int>, source: SourceText, rules: [OutlinedRule], text: String)] =
                    []
            for rule in later.rules where !rule.excludes {
                guard let claim = claim(on: rule, of: later, by: entries[..<index], &budget) else {
                    continue
                }
                let known = claims.firstIndex {
                    $0.by == claim.rule.range && $0.source === claim.entry.source
                }
                if let known {
                    claims[known].rules.append(rule)
                } else {
                    claims.append(
                        (
                            claim.rule.range, claim.entry.source, [rule],
                            "\"\(claim.rule.label)\" of \(names(claim.entry))"
                        ))
                }
            }
            for claim in claims {
                guard let first = claim.rules.first else { continue }
                let more =
                    claim.rules.count == 1
                    ? "" : " (and \(claim.rules.count - 1) more of its rules)"
                context.report(
                    claimedBefore, at: first.range,
                    "\"\(first.label)\" of \(names(later))\(more) is taken by \(claim.text)",
                    related: [
                        Diagnostic.Related(
                            message: "claimed here", source: claim.source, range: claim.by)
                    ])
            }
        }
    }

    private static func claim(
        on rule: OutlinedRule, of entry: OutlinedEntry, by earlier: ArraySlice<OutlinedEntry>,
        _ budget: inout CoverageBudget
    ) -> (entry: OutlinedEntry, rule: OutlinedRule)? {
        for other in earlier {
            // One bundle under two prefixes is one app in two builds (App Store and enterprise).
            guard other.teams.isDisjoint(with: entry.teams),
                other.bundles.isDisjoint(with: entry.bundles)
            else { continue }
            for candidate in other.rules {
                guard budget.spend() else { return nil }
                if candidate.excludes {
                    // It may keep some of these URLs out of the other app: no certain claim behind
                    // it.
                    if !candidate.isCertainlyApart(from: rule) { break }
                } else if candidate.covers(rule, &budget) {
                    return (other, candidate)
                }
            }
        }
        return nil
    }

    private static func names(_ entry: OutlinedEntry) -> String {
        guard let first = entry.apps.first?.value else { return "no app" }
        return entry.apps.count == 1 ? first : "\(first) and \(entry.apps.count - 1) more"
    }
}
