/// One evaluated rule, part by part.
public struct RuleTrace: Sendable, Hashable {
    /// A pattern and the compared text.
    public struct Part: Sendable, Hashable {
        /// Which part of the URL.
        public let part: PartFailure.Part
        /// The pattern, as the rule writes it.
        public let pattern: String
        /// The part of the URL, in the form that the rule compares.
        public let value: String
        /// Whether the pattern matches the value.
        public let isMatch: Bool
        /// The likely intention if it does not match.
        public let hint: String?
    }

    /// The evaluated rule.
    public let rule: RuleReference
    /// The parts constrained by the rule or its defaults; empty if the rule matches every URL.
    public let parts: [Part]
    /// Whether a match excludes the URL, after defaults.
    public let excludes: Bool
    /// Whether the comparison is case-sensitive.
    public let caseSensitive: Bool
    /// Whether the URL is compared as written, without percent-decoding.
    public let percentEncoded: Bool

    /// Whether every part matches, so that this rule decides.
    public var isMatch: Bool { parts.allSatisfy(\.isMatch) }
}

/// The rules of one entry that were evaluated for a URL, in order.
public struct EntryTrace: Sendable, Hashable {
    /// Position of the entry within `details` as written, counted from 0.
    public let detail: Int
    /// The entry's bytes in the document.
    public let range: Range<Int>
    /// The rules up to the deciding one; all of them if none decides.
    public let rules: [RuleTrace]

    /// Whether the last evaluated rule of the entry decides.
    public var decides: Bool { rules.last?.isMatch == true }
}

extension CompiledAssociation {
    /// The rules of an app that are evaluated for a URL, up to the deciding one.
    /// - Returns: empty if the URL is of another host or scheme.
    public func trace(_ url: URLParts, app: String, domain: String? = nil) -> [RuleTrace] {
        traces(url, apps: [app], domain: domain).first?.flatMap(\.rules) ?? []
    }

    /// The same for many apps, entry by entry; an entry that several apps share is evaluated once.
    /// - Returns: one list per app; empty if the app has no entry, or the URL is of another host or
    ///   scheme.
    public func traces(
        _ url: URLParts, apps: [String], domain: String? = nil
    ) -> [[EntryTrace]] {
        guard let model, url.obstacle(to: domain)?.isDecisive != true else {
            return apps.map { _ in [] }
        }
        let places = Dictionary(
            appTable.indices.map { (appTable[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
        let work = ExplanationWork(model.substitutionVariables)
        let scratch = MatchScratch()
        var known: [Int: EntryTrace] = [:]
        return code.withView { view in
            var forms = URLForms(url: url, scratch: scratch)
            let matcher = PatternMatcher(code: view, scratch: scratch)
            return apps.map { app in
                var traces: [EntryTrace] = []
                for number in places[app].map({ appTable[$0].details }) ?? [] {
                    let found =
                        known[number] ?? trace(of: number, url, &forms, matcher, model, work)
                    known[number] = found
                    traces.append(found)
                    if found.decides { break }
                }
                return traces
            }
        }
    }

    private func trace(
        of number: Int, _ url: URLParts, _ forms: inout URLForms, _ matcher: PatternMatcher,
        _ model: AppLinks, _ work: ExplanationWork
    ) -> EntryTrace {
        let detail = details[number]
        var traces: [RuleTrace] = []
        if detail.takesEverything {
            let reference = RuleReference(
                detail: detail.index, rule: .everything, range: detail.range)
            traces = [
                RuleTrace(
                    rule: reference, parts: [], excludes: false, caseSensitive: true,
                    percentEncoded: true)
            ]
        }
        for place in detail.rules {
            let rule = rules[place]
            let reference = references[Int(rule.reference)]
            guard
                let settings = model.details[number].settings(of: reference.rule, model.defaults)
            else { continue }
            let text = forms.text(in: rule.form)
            let parts = coveredParts(rule, text, matcher)
            let trace = MissExplainer(text: text, url: url, work: work)
                .trace(reference, settings, parts)
            traces.append(trace)
            if trace.isMatch { break }
        }
        return EntryTrace(detail: detail.index, range: detail.range, rules: traces)
    }
}

extension MissExplainer {
    /// Every part of a rule with its result.
    fileprivate func trace(
        _ reference: RuleReference, _ settings: RuleSettings, _ covered: CoveredParts
    ) -> RuleTrace {
        var parts: [RuleTrace.Part] = []
        let failures = Dictionary(
            failures(settings, covered).map { ($0.part, $0) },
            uniquingKeysWith: { first, _ in first })
        func add(
            _ part: PartFailure.Part, _ pattern: String, _ value: String, _ isMatch: Bool
        ) {
            let failure = isMatch ? nil : failures[part]
            parts.append(
                RuleTrace.Part(
                    part: part, pattern: pattern, value: failure?.value ?? value,
                    isMatch: isMatch, hint: failure?.hint))
        }
        if settings.path != "*" { add(.path, settings.path, pathValue, covered.path) }
        switch settings.query {
        case .pattern(let pattern): add(.query, pattern, queryValue, covered.query)
        case .items(let items):
            for (item, isCovered) in zip(items, covered.items) {
                add(
                    .queryItem(item.name.value), item.pattern.value, value(of: item, settings),
                    isCovered)
            }
        case .dropped, nil: break
        }
        if let fragment = settings.fragment {
            add(.fragment, fragment, fragmentValue, covered.fragment)
        }
        return RuleTrace(
            rule: reference, parts: parts, excludes: settings.excludes,
            caseSensitive: settings.caseSensitive, percentEncoded: settings.percentEncoded)
    }
}
