/// Finds the position where a new rule takes effect among an app's rules.
struct RulePlacement {
    private let document: JSONDocument
    private let app: String
    private let draft: RuleDraft
    private let links: AppLinks?
    /// The app's entries with rules.
    private let details: [AppLinksDetail]

    init(_ document: JSONDocument, _ app: String, _ draft: RuleDraft) {
        self.document = document
        self.app = app
        self.draft = draft
        links = AssociationFile(document: document).applinks
        details = (links?.details ?? []).filter { $0.names(app) }
    }

    /// - Parameters:
    ///   - number: requested by the caller: before the rule with this number.
    ///   - rules: the app's current rules.
    func place(
        at number: Int?, _ rules: [AppRule]
    ) throws(EditError) -> (detail: Int, index: Int) {
        if let everything = details.first(where: { $0.components == nil && $0.paths == nil }) {
            throw EditError(
                "\(app) takes every URL already: its entry has neither components nor paths",
                at: everything.range, document)
        }
        guard let last = details.last else {
            throw EditError("\(app) has no universal links", document)
        }
        if let number, let rule = rules.first(where: { $0.number == number }) {
            return (rule.detail, rule.index)
        }
        if let number, number != rules.count + 1 {
            throw EditError(
                "there is no place \(number): \(app) has \(rules.count) rules",
                remedy: "Name a place from 1 to \(rules.count + 1).", document)
        }
        // Prefer an entry of this app alone: changing it affects no others.
        let home = details.last { $0.appIDs.allSatisfy { $0.value == app } } ?? last
        let end = (home.index, Int.max)
        guard number == nil, let new = resolved(home) else { return end }
        if let decided = try decided(new.rule, rules) { return decided }
        if let decided = decidedOnTrial(new.rule, new.alone, rules) { return decided }
        guard new.rule.excludes else { return end }
        let opening = rules.first {
            $0.detail == home.index && !$0.excludes
        }
        return opening.map { ($0.detail, $0.index) } ?? end
    }

    /// The new rule with the defaults of its future entry, and a document of it alone.
    private func resolved(_ home: AppLinksDetail) -> (rule: Rule, alone: CompiledAssociation)? {
        guard let links else { return nil }
        let entry: JSONValue = [
            "appIDs": [.text(app)], "defaults": entry(home)?["defaults"] ?? [:],
            "components": [draft.value],
        ]
        let whole: JSONValue = [
            "applinks": [
                "defaults": document.root["applinks"]?["defaults"] ?? [:], "details": [entry],
                "substitutionVariables": links.substitutionVariablesMember?.value ?? [:],
            ]
        ]
        let text = String(decoding: JSONWriter.minified(whole), as: UTF8.self)
        guard let read = try? JSONReader.read(text: text) else { return nil }
        let alone = CompiledAssociation(AssociationFile(document: read))
        return alone.entries.first?.rules.first.map { ($0, alone) }
    }

    private func entry(_ detail: AppLinksDetail) -> JSONValue? {
        let details = document.root["applinks"]?["details"]
        return details?.array?[detail.index] ?? details?.members?[detail.index].value
    }

    /// Before the rule that now decides the new rule's URLs; nil if none certainly does.
    private func decided(
        _ new: Rule, _ rules: [AppRule]
    ) throws(EditError) -> (detail: Int, index: Int)? {
        let steps = Steps(LintLimits.coverageSteps)
        var number = 0
        for (detail, entry) in zip(links?.details ?? [], LinkEntry.all(of: links))
        where detail.names(app) {
            for old in entry.rules {
                number += 1
                guard old.covers(new, steps) else { continue }
                let isSame = new.covers(old, steps)
                if old.excludes == new.excludes {
                    throw EditError(
                        isSame
                            ? "\(app) has this rule already: it is rule \(number)"
                            : "\"\(new.label)\" is not needed: rule \(number), \"\(old.label)\", "
                                + (old.excludes ? "excludes" : "opens") + " these URLs already",
                        at: old.reference.range, document)
                }
                if isSame {
                    throw EditError(
                        "rule \(number) of \(app) says the opposite of \"\(new.label)\"",
                        remedy: "Change it: aasa app edit … \(number) "
                            + (new.excludes ? "--exclude" : "--no-exclude"),
                        at: old.reference.range, document)
                }
                return rules.first { $0.number == number }.map { ($0.detail, $0.index) }
            }
        }
        return nil
    }

    /// Before the first rule that now decides URLs of the new rule, if rules of the opposite sort
    /// decide all that are tried. Patterns cannot compare a variable with its values, nor rules
    /// with different `percentEncoded`; a new rule behind such a rule would be without effect.
    private func decidedOnTrial(
        _ rule: Rule, _ alone: CompiledAssociation, _ rules: [AppRule]
    ) -> (detail: Int, index: Int)? {
        let now = CompiledAssociation(links)
        var first: AppRule?
        for url in LinkSamples.probes(rule) {
            guard alone.decide(url: url, app: app)?.first?.rule != nil,
                let place = now.decide(url: url, app: app)?.first?.rule,
                let old = rules.first(where: { $0.range == place.range }),
                old.excludes != rule.excludes
            else { return nil }
            if old.number < first?.number ?? .max { first = old }
        }
        return first.map { ($0.detail, $0.index) }
    }
}
