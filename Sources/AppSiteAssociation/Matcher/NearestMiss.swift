extension CompiledAssociation {
    /// The app's rule that came closest: with the fewest unmatched parts, then with the longest
    /// common prefix of path and pattern; the earlier rule wins a tie.
    func nearestMiss(
        _ app: App, _ url: URLParts, _ view: PatternView, _ forms: inout URLForms,
        _ scratch: MatchScratch, _ known: inout [Int: Candidate?], _ work: ExplanationWork
    ) -> NearestMiss? {
        guard let model else { return nil }
        var best: Candidate?
        for detail in app.details {
            // Apps share entries: each is evaluated once.
            let found = known[detail] ?? candidate(of: detail, view, &forms, scratch)
            known[detail] = .some(found)
            if let found, found.isNearer(than: best) { best = found }
        }
        guard let best else { return nil }
        let reference = references[Int(rules[best.rule].reference)]
        guard let detail = model.detail(at: reference.detail),
            let settings = detail.settings(of: reference.rule, model.defaults)
        else { return nil }
        let text = forms.text(in: rules[best.rule].form)
        let explainer = MissExplainer(text: text, url: url, work: work)
        let parts = coveredParts(
            rules[best.rule], text, PatternMatcher(code: view, scratch: scratch))
        return NearestMiss(rule: reference, failures: explainer.failures(settings, parts))
    }

    /// Which parts of a URL a rule matches; unconstrained parts count as matched.
    func coveredParts(
        _ rule: CompiledRule, _ text: URLText, _ matcher: PatternMatcher
    ) -> CoveredParts {
        var parts = CoveredParts(path: Self.pathMatches(rule.path, text.path, matcher))
        if rule.extras == 0 { return parts }
        let extra = extras[Int(rule.extras) - 1]
        if let query = extra.query { parts.query = matcher.matches(query, text.query) }
        if let fragment = extra.fragment {
            parts.fragment = matcher.matches(fragment, text.fragment)
        }
        parts.items = extra.items.map { Self.itemMatches(items[$0], text, matcher) }
        return parts
    }

    /// A rule that did not match, and how close it came.
    struct Candidate {
        let rule: Int
        let failures: Int
        let agreement: Int

        func isNearer(than other: Candidate?) -> Bool {
            guard let other else { return true }
            return (failures, -agreement) < (other.failures, -other.agreement)
        }
    }

    private func candidate(
        of detail: Int, _ view: PatternView, _ forms: inout URLForms, _ scratch: MatchScratch
    ) -> Candidate? {
        let matcher = PatternMatcher(code: view, scratch: scratch)
        var best: Candidate?
        var last: (first: UInt32, end: UInt32, form: URLForm, agreement: Int)?
        // A rule that keeps URLs out is not what the author of the URL missed.
        for number in details[detail].rules where !rules[number].excludes {
            let text = forms.text(in: rules[number].form)
            let parts = coveredParts(rules[number], text, matcher)
            let failures = parts.failures + (parts.path ? 0 : Self.pathFailure)
            // Rules under the same defaults share their pattern, one behind the other.
            let path = rules[number].path
            var agreement = 0
            if let last, last.first == path.firstOp, last.end == path.endOp,
                last.form == rules[number].form
            {
                agreement = last.agreement
            } else {
                agreement = self.agreement(path, text.path, view)
                last = (path.firstOp, path.endOp, rules[number].form, agreement)
            }
            // A pattern that begins with a variable has no literal to agree with.
            if failures >= Self.pathFailure, agreement == 0,
                beginsWithLiteral(rules[number].path, view)
            {
                continue
            }
            let candidate = Candidate(rule: number, failures: failures, agreement: agreement)
            if candidate.isNearer(than: best) { best = candidate }
        }
        return best
    }

    /// A path that does not match outweighs the rest: a rule for another page is no near miss.
    private static let pathFailure = 1 << 20

    private func beginsWithLiteral(_ pattern: CompiledPattern, _ view: PatternView) -> Bool {
        // The front page's pattern is empty, which counts as a literal.
        pattern.firstOp == pattern.endOp || view.ops[Int(pattern.firstOp)].kind == .literal
    }

    /// The length in bytes of the common prefix of the path and the pattern's first literal,
    /// ignoring case.
    private func agreement(
        _ pattern: CompiledPattern, _ path: PathText, _ view: PatternView
    ) -> Int {
        guard pattern.firstOp < pattern.endOp else { return 0 }
        let op = view.ops[Int(pattern.firstOp)]
        guard op.kind == .literal else { return 0 }
        let count = min(Int(op.count), path.core.count)
        var index = 0
        while index < count,
            CaseFolding.folded(view.bytes[Int(op.offset) + index])
                == CaseFolding.folded(path.core.base[index])
        {
            index += 1
        }
        return index
    }
}

extension AppLinks {
    /// The entry at a position of `details` as written; entries are in order.
    func detail(at position: Int) -> AppLinksDetail? {
        details.element(at: position, by: \.index)
    }
}

/// The parts of a URL that a rule matches.
struct CoveredParts {
    var path: Bool
    var query = true
    var fragment = true
    /// In the order of the rule's query items.
    var items: [Bool] = []

    /// The number of unmatched parts besides the path.
    var failures: Int {
        (query ? 0 : 1) + (fragment ? 0 : 1) + items.reduce(0) { $0 + ($1 ? 0 : 1) }
    }
}

extension AppLinksDetail {
    /// A rule with all defaults; nil if there is no such rule, and for an entry that matches every
    /// URL.
    func settings(of rule: RuleReference.Rule, _ defaults: RuleDefaults) -> RuleSettings? {
        switch rule {
        case .everything: return nil
        case .path(let index):
            guard let paths, paths.indices.contains(index) else { return nil }
            return RuleSettings(
                pathEntry: PathEntry(paths[index].value),
                RuleSettings(.empty, self.defaults, defaults))
        case .component(let index):
            return component(at: index).map { RuleSettings($0, self.defaults, defaults) }
        }
    }

    /// The rule at a position of `components` as written; rules are in order.
    func component(at position: Int) -> LinkComponent? {
        components?.element(at: position, by: \.index)
    }
}

extension Array {
    /// The element with this number; the elements are sorted by number.
    fileprivate func element(at position: Int, by number: (Element) -> Int) -> Element? {
        let place = firstPlace { number($0) >= position }
        return place < count && number(self[place]) == position ? self[place] : nil
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first place from which on `isBehind` holds, in elements of which none fulfils it before
    /// one that does not; the end where none does.
    func firstPlace(where isBehind: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
