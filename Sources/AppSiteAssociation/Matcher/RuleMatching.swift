extension URLParts {
    /// Universal links use http or https; a path alone counts as part of one.
    var canBeUniversalLink: Bool {
        scheme == nil || scheme == "https" || scheme == "http"
    }

    /// Whether the URL belongs to `domain`; a path alone belongs to every domain. International
    /// names are compared in their DNS form.
    func belongs(to domain: String?) -> Bool {
        guard let host, let domain = domain?.lowercased() else { return host == nil }
        if host == domain { return true }
        guard let host = Punycode.ascii(host) else { return false }
        return host == Punycode.ascii(domain)
    }
}

extension CompiledAssociation {
    /// The result of a detail for a URL.
    enum Verdict {
        case nothing
        case everything
        /// The number of the first matching rule.
        case rule(Int)
    }

    func verdict(
        of detail: Detail, _ view: PatternView, _ forms: inout URLForms, _ scratch: MatchScratch
    ) -> Verdict {
        if detail.takesEverything { return .everything }
        guard let first = detail.rules.first else { return .nothing }
        return rules.withUnsafeBufferPointer { rules in
            var form = rules[first].form
            var text = forms.text(in: form)
            let matcher = PatternMatcher(code: view, scratch: scratch)
            // Consecutive rules with the same defaults share their pattern.
            var last: (first: UInt32, end: UInt32, isMatch: Bool) = (0, 0, false)
            for number in detail.rules {
                let rule = rules[number]
                if rule.form != form {
                    form = rule.form
                    text = forms.text(in: form)
                    last = (0, 0, false)
                }
                // Empty patterns have equal positions but are not the same.
                if last.first != rule.path.firstOp || last.end != rule.path.endOp
                    || last.first == last.end
                {
                    last = (
                        rule.path.firstOp, rule.path.endOp,
                        Self.pathMatches(rule.path, text.path, matcher)
                    )
                }
                if last.isMatch,
                    rule.extras == 0 || matches(extras[Int(rule.extras) - 1], text, matcher)
                {
                    return .rule(number)
                }
            }
            return .nothing
        }
    }

    @inline(__always)
    static func pathMatches(
        _ pattern: CompiledPattern, _ path: PathText, _ matcher: PatternMatcher
    ) -> Bool {
        let head = pattern.endsWithSlashRun ? path.headWithSlash : path.head
        if (head ^ pattern.head) & pattern.headMask != 0 { return false }
        return matcher.matches(pattern, pattern.endsWithSlashRun ? path.withSlash : path.core)
    }

    private func matches(
        _ extra: RuleExtras, _ text: URLText, _ matcher: PatternMatcher
    ) -> Bool {
        if let query = extra.query, !matcher.matches(query, text.query) { return false }
        if let fragment = extra.fragment, !matcher.matches(fragment, text.fragment) { return false }
        for number in extra.items where !Self.itemMatches(items[number], text, matcher) {
            return false
        }
        return true
    }

    /// Every occurrence of the name must match; a missing item, or one without `=`, counts as empty
    /// (swcutil).
    static func itemMatches(
        _ item: CompiledItem, _ text: URLText, _ matcher: PatternMatcher
    ) -> Bool {
        var occurs = false
        for place in text.places(of: matcher.literal(item.name)) {
            let candidate = text.items[place]
            guard matcher.matches(item.name, candidate.name) else { continue }
            occurs = true
            if !matcher.matches(item.value, candidate.value) { return false }
        }
        return occurs || matcher.matches(item.value, PatternText(base: text.query.base, count: 0))
    }
}
