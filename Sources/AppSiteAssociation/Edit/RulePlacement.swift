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
                .argument,
                "\(app) takes every URL already: its entry has neither components nor paths",
                at: everything.range, document)
        }
        guard let last = details.last else {
            throw EditError(
                .missing, "\(app) has no universal links", at: nil as Range<Int>?, document)
        }
        if let number, let rule = rules.first(where: { $0.number == number }) {
            return (rule.detail, rule.index)
        }
        if let number, number != rules.count + 1 {
            throw EditError(
                .missing, "there is no place \(number): \(app) has \(rules.count) rules",
                at: nil as Range<Int>?, document)
        }
        // Prefer an entry of this app alone: changing it affects no others.
        let home = details.last { $0.appIDs.allSatisfy { $0.value == app } } ?? last
        let end = (home.index, Int.max)
        guard number == nil, let new = try outlined(home) else { return end }
        if let decided = try decided(new.outline, rules) { return decided }
        if let decided = decidedOnTrial(new.alone, rules) { return decided }
        guard new.outline.excludes else { return end }
        let opening = rules.first {
            $0.detail == home.index && !$0.excludes
        }
        return opening.map { ($0.detail, $0.index) } ?? end
    }

    /// The new rule with the defaults of its future entry, and a document of it alone.
    private func outlined(
        _ home: AppLinksDetail
    ) throws(EditError) -> (outline: OutlinedRule, alone: AppLinks)? {
        guard let links else { return nil }
        let text = String(
            decoding: JSONWriter.minified(
                .object([
                    (
                        "applinks",
                        .object([
                            ("defaults", value(of: "defaults", in: document.root["applinks"])),
                            (
                                "details",
                                .list([
                                    .object([
                                        ("appIDs", .list([.text(app)])),
                                        ("defaults", value(of: "defaults", in: entry(home))),
                                        ("components", .list([draft.value])),
                                    ])
                                ])
                            ),
                            (
                                "substitutionVariables",
                                links.substitutionVariablesMember?.value ?? .object([])
                            ),
                        ])
                    )
                ])), as: UTF8.self)
        guard let read = try? JSONReader.read(text: text),
            let own = AssociationFile(document: read).applinks, let detail = own.details.first
        else { return nil }
        return OutlinedEntry(detail, of: own, in: read.source).rules.first.map { ($0, own) }
    }

    private func value(of key: String, in object: JSONValue?) -> JSONValue {
        object?[key] ?? .object([])
    }

    private func entry(_ detail: AppLinksDetail) -> JSONValue? {
        let details = document.root["applinks"]?["details"]
        return details?.array?[detail.index] ?? details?.members?[detail.index].value
    }

    /// Before the rule that now decides the new rule's URLs; nil if none certainly does.
    private func decided(
        _ new: OutlinedRule, _ rules: [AppRule]
    ) throws(EditError) -> (detail: Int, index: Int)? {
        guard let links else { return nil }
        var budget = CoverageBudget()
        var number = 0
        for detail in details {
            for old in OutlinedEntry(detail, of: links, in: document.source).rules {
                number += 1
                guard old.covers(new, &budget) else { continue }
                let isSame = new.covers(old, &budget)
                if old.excludes == new.excludes {
                    throw EditError(
                        .argument,
                        isSame
                            ? "\(app) has this rule already: it is rule \(number)"
                            : "\"\(new.label)\" is not needed: rule \(number), \"\(old.label)\", "
                                + (old.excludes ? "excludes" : "opens") + " these URLs already",
                        at: old.range, document)
                }
                if isSame {
                    throw EditError(
                        .argument,
                        "rule \(number) of \(app) says the opposite of \"\(new.label)\"",
                        remedy: "change it: aasa app edit … \(number) "
                            + (new.excludes ? "--exclude" : "--no-exclude"), at: old.range,
                        document)
                }
                return rules.first { $0.number == number }.map { ($0.detail, $0.index) }
            }
        }
        return nil
    }

    /// Before the first rule that now decides URLs of the new rule, if rules of the opposite sort
    /// decide all that are tried. Outlines cannot compare a variable with its values, nor rules
    /// with different `percentEncoded`; a new rule behind such a rule would be without effect.
    private func decidedOnTrial(
        _ alone: AppLinks, _ rules: [AppRule]
    ) -> (detail: Int, index: Int)? {
        guard let links, let detail = alone.details.first, let component = detail.components?.first
        else { return nil }
        let settings = RuleSettings(component, detail.defaults, alone.defaults)
        let new = CompiledAssociation(alone)
        let old = CompiledAssociation(links)
        var first: AppRule?
        for url in LinkSamples.probes(settings, links) {
            guard new.decide(url: url, app: app)?.first?.rule != nil,
                let place = old.decide(url: url, app: app)?.first?.rule,
                let rule = rules.first(where: { $0.range == place.range }),
                rule.excludes != settings.excludes
            else { return nil }
            if rule.number < first?.number ?? .max { first = rule }
        }
        return first.map { ($0.detail, $0.index) }
    }
}
