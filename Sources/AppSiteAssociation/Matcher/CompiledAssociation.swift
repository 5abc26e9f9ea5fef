/// An association file, prepared once to decide many URLs.
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
/// `NOT `) then excludes the URL from the app. Immutable and safe to share between threads.
public struct CompiledAssociation: Sendable {
    let entries: [LinkEntry]
    /// The apps with the positions of their entries, in order.
    let appTable: [(id: String, entries: [Int])]
    let detailsForm: AppLinks.DetailsForm?

    /// All apps in `applinks`, without duplicates, in the order of the document, which is their
    /// priority.
    public var apps: [String] { appTable.map(\.id) }

    /// Prepares the `applinks` of a file. Never fails: it ignores what the model ignored.
    public init(_ file: AssociationFile) {
        self.init(file.applinks)
    }

    init(_ links: AppLinks?) {
        entries = LinkEntry.all(of: links)
        appTable = entries.byApp.map { ($0.app.value, $0.entries) }
        detailsForm = links?.detailsForm
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
        _ url: URLParts, app: String? = nil, domain: String? = nil, explain: Bool = false
    ) -> [AppDecision] {
        decide(url, domain: domain, explain: explain, Steps()) { id, _ in app == nil || id == app }
    }

    /// The same in a limited number of steps.
    /// - Parameter isWanted: whether an app has an answer.
    func decide(
        _ url: URLParts, domain: String?, explain: Bool = false, _ steps: Steps,
        where isWanted: (String, LinkDecision) -> Bool
    ) -> [AppDecision] {
        guard url.obstacle(to: domain) == nil else {
            return appTable.filter { isWanted($0.id, .none) }.map {
                AppDecision(app: $0.id, decision: .none, rule: nil, nearestMiss: nil)
            }
        }
        var run = EntryRun(entries, URLForms(url, steps))
        return appTable.compactMap { app in
            let rule = app.entries.lazy.compactMap { run.verdict(of: $0) }.first
            let decision = rule.map { $0.excludes ? LinkDecision.exclude : .match } ?? .none
            guard isWanted(app.id, decision) else { return nil }
            steps.spend(Self.stepsPerAnswer)
            return AppDecision(
                app: app.id, decision: decision, rule: rule?.reference,
                nearestMiss: explain && rule == nil ? run.nearestMiss(app.entries) : nil)
        }
    }

    /// The cost of making an answer, in steps.
    private static let stepsPerAnswer = 32

    /// The rules of apps that are evaluated for a URL, up to the deciding one of each, entry by
    /// entry; an entry that several apps share is evaluated once.
    /// - Returns: one list per app; empty if the app has no entry, or the URL is of another host or
    ///   scheme.
    public func traces(
        _ url: URLParts, apps: [String], domain: String? = nil
    ) -> [[EntryTrace]] {
        guard url.obstacle(to: domain) == nil else { return apps.map { _ in [] } }
        let places = Dictionary(
            appTable.map { ($0.id, $0.entries) }, uniquingKeysWith: { first, _ in first })
        var run = EntryRun(entries, URLForms(url, Steps()))
        return apps.map { app in
            var traces: [EntryTrace] = []
            for entry in places[app] ?? [] where traces.last?.decides != true {
                traces.append(run.trace(of: entry))
            }
            return traces
        }
    }
}

/// The entries of a document evaluated for one URL. Apps share entries: each is evaluated once.
private struct EntryRun {
    /// The rule that decides.
    typealias Verdict = (reference: RuleReference, excludes: Bool)

    /// A rule that did not match, and how close it came.
    struct Candidate {
        let rule: Rule
        let misses: Int
        let agreement: Int

        func isNearer(than other: Candidate?) -> Bool {
            guard let other else { return true }
            return (misses, -agreement) < (other.misses, -other.agreement)
        }
    }

    private let entries: [LinkEntry]
    private let url: URLForms
    private var verdicts: [Verdict??]
    private var candidates: [Int: Candidate?] = [:]
    private var traces: [Int: EntryTrace] = [:]
    /// A hint compares the URL with several other patterns.
    private let hints = Steps(1 << 20)

    init(_ entries: [LinkEntry], _ url: URLForms) {
        self.entries = entries
        self.url = url
        verdicts = Array(repeating: nil, count: entries.count)
    }

    mutating func verdict(of number: Int) -> Verdict? {
        if let known = verdicts[number] { return known }
        let entry = entries[number]
        let verdict: Verdict? =
            entry.takesEverything
            ? (entry.everything, false)
            : entry.rules.first { $0.matches(url) }.map { ($0.reference, $0.excludes) }
        verdicts[number] = .some(verdict)
        return verdict
    }

    mutating func trace(of number: Int) -> EntryTrace {
        if let known = traces[number] { return known }
        let entry = entries[number]
        var rules = entry.takesEverything ? [RuleTrace(everything: entry.everything)] : []
        for rule in entry.rules {
            let evaluation = rule.evaluate(url)
            rules.append(RuleTrace(rule, evaluation, hints: hints))
            if evaluation.isMatch { break }
        }
        let trace = EntryTrace(detail: entry.index, range: entry.range, rules: rules)
        traces[number] = trace
        return trace
    }

    /// The rule that came closest: with the fewest unmatched parts, then with the longest common
    /// prefix of path and pattern; the earlier rule wins a tie.
    mutating func nearestMiss(_ numbers: [Int]) -> RuleTrace? {
        var best: Candidate?
        for number in numbers {
            let found = candidates[number] ?? candidate(of: entries[number])
            candidates[number] = .some(found)
            if let found, found.isNearer(than: best) { best = found }
        }
        return best.map { RuleTrace($0.rule, $0.rule.evaluate(url), hints: hints) }
    }

    /// A path that does not match outweighs the rest: a rule for another page is no near miss.
    private static let pathMiss = 1 << 20

    private func candidate(of entry: LinkEntry) -> Candidate? {
        var best: Candidate?
        // A rule that keeps URLs out is not what the author of the URL missed.
        for rule in entry.rules where !rule.excludes {
            let evaluation = rule.evaluate(url)
            let misses = evaluation.furtherMisses + (evaluation.path.isMatch ? 0 : Self.pathMiss)
            if let best, best.misses < misses { continue }
            let agreement = agreement(rule)
            // A pattern that begins with a variable has no literal to agree with.
            if misses >= Self.pathMiss, agreement == 0, rule.path.beginsWithLiteral { continue }
            let candidate = Candidate(rule: rule, misses: misses, agreement: agreement)
            if candidate.isNearer(than: best) { best = candidate }
        }
        return best
    }

    /// The length of the common prefix of the path and the pattern's first literals, ignoring case.
    private func agreement(_ rule: Rule) -> Int {
        let path = url.text(for: rule).path.symbols
        return zip(rule.path.symbols, path).prefix { wanted, symbol in
            guard case .literal = wanted else { return false }
            return wanted == symbol || wanted.folded == symbol.folded
        }.count
    }
}

extension Pattern {
    /// Whether it begins with a character; the empty pattern of the front page counts.
    fileprivate var beginsWithLiteral: Bool {
        guard let first = symbols.first else { return true }
        if case .literal = first { return true }
        return false
    }
}
