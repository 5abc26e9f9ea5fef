/// One rule that was tried, part by part.
public struct RuleTrace: Sendable, Hashable {
    /// A pattern and what it was compared with.
    public struct Part: Sendable, Hashable {
        /// Which part of the URL.
        public let part: PartFailure.Part
        /// The pattern, as the rule writes it.
        public let pattern: String
        /// The part of the URL, in the form in which the rule compares it.
        public let value: String
        /// Whether the pattern covers the value.
        public let isMatch: Bool
        /// What is likely meant where it is no match.
        public let hint: String?
    }

    /// The rule that was tried.
    public let rule: RuleReference
    /// The parts that the rule or its defaults constrain; none: the rule takes every URL.
    public let parts: [Part]
    /// The flags that hold, defaults filled in.
    public let excludes: Bool
    /// Whether upper and lower case differ.
    public let caseSensitive: Bool
    /// Whether the URL is compared as it is written, percent signs and all.
    public let percentEncoded: Bool

    /// Whether every part matches: then this rule decides.
    public var isMatch: Bool { parts.allSatisfy(\.isMatch) }
}

extension CompiledAssociation {
    /// The rules of an app that are tried for a URL, up to the one that decides.
    /// - Returns: none where the URL is not looked at: another host, another scheme.
    public func trace(_ url: URLParts, app: String, domain: String? = nil) -> [RuleTrace] {
        guard let model, url.obstacle(to: domain)?.isDecisive != true else { return [] }
        let scratch = MatchScratch()
        var forms = URLForms(url: url, scratch: scratch)
        var traces: [RuleTrace] = []
        for detail in model.details where detail.names(app) {
            for (reference, settings) in detail.settings(model.defaults) {
                let explainer = MissExplainer(
                    text: forms.text(in: settings.form), variables: model.substitutionVariables,
                    url: url)
                let trace = explainer.trace(reference, settings)
                traces.append(trace)
                if trace.isMatch { return traces }
            }
        }
        return traces
    }
}

extension AppLinksDetail {
    /// Every rule with what it says after all defaults, in the order of trial.
    fileprivate func settings(
        _ defaults: RuleDefaults
    ) -> [(RuleReference, RuleSettings)] {
        if let components {
            return components.map { component in
                (
                    RuleReference(
                        detail: index, rule: .component(component.index), range: component.range),
                    RuleSettings(component, self.defaults, defaults)
                )
            }
        }
        guard let paths else {
            return [
                (
                    RuleReference(detail: index, rule: .everything, range: range),
                    RuleSettings(.empty, .empty, .empty)
                )
            ]
        }
        let settings = RuleSettings(.empty, self.defaults, defaults)
        return paths.enumerated().map { number, path in
            (
                RuleReference(detail: index, rule: .path(number), range: path.range),
                RuleSettings(pathEntry: PathEntry(path.value), settings)
            )
        }
    }
}

extension MissExplainer {
    /// Every part of a rule with whether it matches.
    fileprivate func trace(_ reference: RuleReference, _ settings: RuleSettings) -> RuleTrace {
        var parts: [RuleTrace.Part] = []
        func add(
            _ part: PartFailure.Part, _ pattern: String, _ value: String, _ failure: PartFailure?
        ) {
            parts.append(
                RuleTrace.Part(
                    part: part, pattern: pattern, value: failure?.value ?? value,
                    isMatch: failure == nil, hint: failure?.hint))
        }
        let failures = Dictionary(
            failures(
                path: settings.path, query: settings.query, fragment: settings.fragment, settings
            ).map { ($0.part, $0) }, uniquingKeysWith: { first, _ in first })
        if reference.rule != .everything, settings.path != "*" {
            add(.path, settings.path, pathValue, failures[.path])
        }
        switch settings.query {
        case .pattern(let pattern): add(.query, pattern, queryValue, failures[.query])
        case .items(let items):
            for item in items {
                let part = PartFailure.Part.queryItem(item.name.value)
                add(part, item.pattern.value, value(of: item, settings), failures[part])
            }
        case .dropped, nil: break
        }
        if let fragment = settings.fragment {
            add(.fragment, fragment, fragmentValue, failures[.fragment])
        }
        return RuleTrace(
            rule: reference, parts: parts, excludes: settings.excludes,
            caseSensitive: settings.caseSensitive, percentEncoded: settings.percentEncoded)
    }
}
