/// What a rule sees while it looks at one document, and where it reports.
struct LintContext {
    let source: SourceText
    let options: LintOptions
    private(set) var findings: [Diagnostic] = []
    /// Shape problems that a rule has said better.
    private var superseded: Set<Superseded> = []

    private struct Superseded: Hashable {
        let code: String
        let range: Range<Int>
    }

    init(source: SourceText, options: LintOptions) {
        self.source = source
        self.options = options
    }

    /// Reports a breach of `rule` at `range` (bytes of the source; nil: the file as a whole).
    ///
    /// - Parameter remedy: what to do in this very case; the rule's general remedy otherwise.
    mutating func report(
        _ rule: LintRule, at range: Range<Int>?, _ message: String, remedy: String? = nil,
        related: [(message: String, range: Range<Int>)] = []
    ) {
        guard findings.count < LintLimits.findings else { return }
        let related = related.map {
            Diagnostic.Related(message: $0.message, source: source, range: $0.range)
        }
        report(rule, at: range, message, remedy: remedy, related: related)
    }

    /// Reports with places that may be in other files.
    mutating func report(
        _ rule: LintRule, at range: Range<Int>?, _ message: String, remedy: String? = nil,
        related: [Diagnostic.Related]
    ) {
        // Before the place is worked out: a hostile document has more findings than are reported.
        guard findings.count < LintLimits.findings, !options.disabled.contains(rule.code) else {
            return
        }
        let remedy = remedy ?? rule.remedy
        if let range {
            add(
                Diagnostic(
                    code: rule.code, severity: rule.severity, message: message, remedy: remedy,
                    source: source, range: range, related: related))
        } else {
            add(
                Diagnostic(
                    code: rule.code, severity: rule.severity, message: message, remedy: remedy,
                    file: source.name, related: related))
        }
    }

    /// Says that a rule has a better word for a problem that the model reports at `range`.
    mutating func supersede(_ rule: ShapeRule, at range: Range<Int>) {
        superseded.insert(Superseded(code: rule.rawValue, range: range))
    }

    /// Takes over the model's findings, except those superseded.
    mutating func addShape(_ problems: [Diagnostic]) {
        for problem in problems {
            if let range = problem.range,
                superseded.contains(Superseded(code: problem.code, range: range))
            {
                continue
            }
            add(problem)
        }
    }

    /// Takes over a finding made elsewhere (the JSON reader, an entitlement entry).
    mutating func add(_ finding: Diagnostic) {
        guard !options.disabled.contains(finding.code), findings.count < LintLimits.findings
        else { return }
        findings.append(finding)
    }
}
