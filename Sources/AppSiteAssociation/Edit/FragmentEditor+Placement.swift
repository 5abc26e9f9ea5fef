extension FragmentEditor {
    /// The position where a new rule takes effect among an app's rules.
    ///
    /// - Parameter number: requested by the caller: before the rule with this number.
    func place(
        of draft: RuleDraft, for app: String, at number: Int?
    ) throws(EditError) -> (detail: Int, index: Int) {
        let links = AssociationFile(document: document).applinks
        let rules = rules(of: app)
        // The app's entries with their rules.
        let entries = zip(links?.details ?? [], LinkEntry.all(of: links))
            .filter { $0.0.names(app) }.map { (detail: $0, rules: $1) }
        if let everything = entries.first(where: { $0.rules.takesEverything })?.rules {
            throw EditError(
                "\(app) takes every URL already: its entry has neither components nor paths",
                at: everything.range, document)
        }
        guard let last = entries.last else {
            throw EditError("\(app) has no universal links", document)
        }
        if let number, let rule = rules.first(where: { $0.number == number }) {
            return (rule.reference.detail, rule.index)
        }
        if let number, number != rules.count + 1 {
            throw EditError(
                "there is no place \(number): \(app) has \(rules.count) rules",
                remedy: "Name a place from 1 to \(rules.count + 1).", document)
        }
        // Prefer an entry of this app alone: changing it affects no others.
        let home = entries.last { $0.detail.appIDs.allSatisfy { $0.value == app } } ?? last
        let end = (home.detail.index, Int.max)
        guard number == nil else { return end }
        let new = Rule(
            LinkComponent(draft.members, 0..<0), of: home.detail.index, on: home.rules.template,
            home.rules.variables)
        if let decided = try decided(new, rules, of: app) { return decided }
        if let decided = Self.decidedOnTrial(new, rules, CompiledAssociation(links), app) {
            return decided
        }
        guard new.excludes else { return end }
        let opening = rules.first {
            $0.reference.detail == home.detail.index && !$0.excludes
        }
        return opening.map { ($0.reference.detail, $0.index) } ?? end
    }

    /// Before the rule that now decides the new rule's URLs; nil if none certainly does.
    private func decided(
        _ new: Rule, _ rules: [AppRule], of app: String
    ) throws(EditError) -> (detail: Int, index: Int)? {
        let steps = Steps(LintLimits.coverageSteps)
        for old in rules where old.rule.covers(new, steps) {
            let isSame = new.covers(old.rule, steps)
            if old.excludes == new.excludes {
                throw EditError(
                    isSame
                        ? "\(app) has this rule already: it is rule \(old.number)"
                        : "\"\(new.label)\" is not needed: rule \(old.number), \"\(old.label)\", "
                            + (old.excludes ? "excludes" : "opens") + " these URLs already",
                    at: old.reference.range, document)
            }
            if isSame {
                throw EditError(
                    "rule \(old.number) of \(app) says the opposite of \"\(new.label)\"",
                    remedy: "Change it: aasa app edit … \(old.number) "
                        + (new.excludes ? "--exclude" : "--no-exclude"),
                    at: old.reference.range, document)
            }
            return (old.reference.detail, old.index)
        }
        return nil
    }

    /// Before the first rule that now decides URLs of the new rule, if rules of the opposite sort
    /// decide all that are tried. Patterns cannot compare a variable with its values, nor rules
    /// with different `percentEncoded`; a new rule behind such a rule would be without effect.
    private static func decidedOnTrial(
        _ rule: Rule, _ rules: [AppRule], _ now: CompiledAssociation, _ app: String
    ) -> (detail: Int, index: Int)? {
        var first: AppRule?
        for url in LinkSamples.probes(rule) {
            guard let url = URLParts(url), rule.matches(URLForms(url, Steps())),
                let place = now.decide(url, app: app).first?.rule,
                let old = rules.first(where: { $0.reference.range == place.range }),
                old.excludes != rule.excludes
            else { return nil }
            if old.number < first?.number ?? .max { first = old }
        }
        return first.map { ($0.reference.detail, $0.index) }
    }
}
