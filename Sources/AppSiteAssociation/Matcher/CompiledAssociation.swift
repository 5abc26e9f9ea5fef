/// An association file, compiled once to decide many URLs.
///
/// ```swift
/// let file = try AssociationFile(reading: source)
/// let association = CompiledAssociation(file)
/// for answer in association.decide(url: "https://example.com/buy/42") ?? [] {
///     print(answer.app, answer.decision)
/// }
/// ```
///
/// The semantics are those of Apple's own tool if known, else of Apple's documentation: entries of
/// `details` in order, rules in order, the first matching rule decides; a rule with `exclude` (or
/// `NOT `) then excludes the URL from the app. Immutable and safe to share between threads; the
/// caller provides the memory for matching in ``MatchScratch``.
public struct CompiledAssociation: Sendable {
    struct Detail: Sendable {
        /// The `index` of the model's detail.
        var index: Int
        var rules: Range<Int>
        /// Neither `components` nor `paths`: every URL counts as a match.
        var takesEverything: Bool
        var range: Range<Int>
    }

    struct App: Sendable {
        var id: String
        /// The indices of the app's details, in order.
        var details: [Int]
    }

    let code: PatternCode
    let rules: [CompiledRule]
    let extras: [RuleExtras]
    let items: [CompiledItem]
    let details: [Detail]
    let references: [RuleReference]
    let appTable: [App]
    /// Kept for explanations.
    let model: AppLinks?

    /// All apps in `applinks`, without duplicates, in the order of the document, which is their
    /// priority.
    public var apps: [String] { appTable.map(\.id) }

    /// Compiles the `applinks` of a file. Never fails: it ignores what the model ignored.
    public init(_ file: AssociationFile) {
        self.init(file.applinks)
    }

    init(_ links: AppLinks?) {
        var builder = AssociationBuilder(links)
        let details = links?.details.map { builder.add($0) } ?? []
        var apps: [App] = []
        var known: [String: Int] = [:]
        for (number, detail) in (links?.details ?? []).enumerated() {
            for id in detail.appIDs {
                if let place = known[id.value] {
                    if apps[place].details.last != number { apps[place].details.append(number) }
                } else {
                    known[id.value] = apps.count
                    apps.append(App(id: id.value, details: [number]))
                }
            }
        }
        code = builder.compiler.finish()
        rules = builder.rules
        extras = builder.extras
        items = builder.items
        references = builder.references
        self.details = details
        appTable = apps
        model = links
    }

    /// The decision for one app, given by its index in ``apps``; allocates nothing once `scratch`
    /// has grown to the URL.
    ///
    /// Only patterns are evaluated: the caller checks whether the URL has the host of the file
    /// (``decide(url:app:domain:explain:)`` does this).
    /// - Precondition: `index` is within ``apps``.
    public func decision(
        for url: URLParts, appAt index: Int, scratch: MatchScratch
    ) -> LinkDecision {
        guard url.canBeUniversalLink else { return .none }
        return code.withView { view in
            var forms = URLForms(url: url, scratch: scratch)
            for detail in appTable[index].details {
                switch verdict(of: details[detail], view, &forms, scratch) {
                case .nothing: continue
                case .everything: return .match
                case .rule(let rule): return rules[rule].excludes ? .exclude : .match
                }
            }
            return .none
        }
    }

    /// The decisions for every app, or for one, with the deciding rules.
    ///
    /// - Parameters:
    ///   - url: the URL as text.
    ///   - app: an application identifier; compared as text, as the system does.
    ///   - domain: the host of the file; a URL of another host matches nothing. Nil skips this
    ///     check.
    ///   - explain: whether to find the nearest miss if nothing matched; slower.
    /// - Returns: nil if `url` is not a URL; otherwise one answer per app, in order of priority. An
    ///   app that is not in the file has no answer.
    public func decide(
        url: String, app: String? = nil, domain: String? = nil, explain: Bool = false
    ) -> [AppDecision]? {
        guard let parts = URLParts(url) else { return nil }
        return decide(parts, app: app, domain: domain, explain: explain)
    }

    /// Like ``decide(url:app:domain:explain:)``, for a parsed URL.
    public func decide(
        _ url: URLParts, app: String? = nil, domain: String? = nil, explain: Bool = false,
        scratch: MatchScratch = MatchScratch()
    ) -> [AppDecision] {
        let asked = appTable.filter { app == nil || $0.id == app }
        guard url.canBeUniversalLink, domain == nil || url.belongs(to: domain) else {
            return asked.map {
                AppDecision(app: $0.id, decision: .none, rule: nil, nearestMiss: nil)
            }
        }
        return code.withView { view in
            var forms = URLForms(url: url, scratch: scratch)
            // Apps share details: each is evaluated once.
            var known = [Verdict?](repeating: nil, count: details.count)
            var misses: [[Int]: NearestMiss?] = [:]
            var candidates: [Int: Candidate?] = [:]
            let work = ExplanationWork(model?.substitutionVariables ?? [])
            return asked.map { app in
                for number in app.details {
                    let found = known[number] ?? verdict(of: details[number], view, &forms, scratch)
                    known[number] = found
                    if let answer = answer(app, number, found) { return answer }
                }
                var miss: NearestMiss?
                if explain {
                    miss =
                        misses[app.details]
                        ?? nearestMiss(app, url, view, &forms, scratch, &candidates, work)
                    misses[app.details] = .some(miss)
                }
                return AppDecision(app: app.id, decision: .none, rule: nil, nearestMiss: miss)
            }
        }
    }

    /// The apps that open a URL, in the order of the document, and the decisions for the apps at
    /// some indices; nothing is created for the others.
    func opening(
        _ url: URLParts, domain: String?, asked: [Int?], scratch: MatchScratch
    ) -> (opening: [AppDecision], asked: [AppDecision]) {
        func none(_ place: Int) -> AppDecision {
            AppDecision(app: appTable[place].id, decision: .none, rule: nil, nearestMiss: nil)
        }
        let places = asked.compactMap { $0 }
        guard url.canBeUniversalLink, domain == nil || url.belongs(to: domain) else {
            return ([], places.map(none))
        }
        var opening: [AppDecision] = []
        var known = [Verdict?](repeating: nil, count: details.count)
        code.withView { view in
            var forms = URLForms(url: url, scratch: scratch)
            appTable.withUnsafeBufferPointer { apps in
                for place in apps.indices {
                    for number in apps[place].details {
                        let found =
                            known[number] ?? verdict(of: details[number], view, &forms, scratch)
                        known[number] = found
                        if case .nothing = found { continue }
                        if let answer = answer(apps[place], number, found),
                            answer.decision == .match
                        {
                            opening.append(answer)
                        }
                        break
                    }
                }
            }
        }
        let answers = places.map { place in
            for number in appTable[place].details {
                if let found = known[number], let answer = answer(appTable[place], number, found) {
                    return answer
                }
            }
            return none(place)
        }
        return (opening.byEntry, answers)
    }

    private func answer(_ app: App, _ detail: Int, _ verdict: Verdict) -> AppDecision? {
        switch verdict {
        case .nothing: return nil
        case .everything:
            let reference = RuleReference(
                detail: details[detail].index, rule: .everything, range: details[detail].range)
            return AppDecision(
                app: app.id, decision: .match, rule: reference, nearestMiss: nil)
        case .rule(let number):
            return AppDecision(
                app: app.id, decision: rules[number].excludes ? .exclude : .match,
                rule: references[Int(rules[number].reference)], nearestMiss: nil)
        }
    }
}
