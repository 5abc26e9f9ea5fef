/// The input of a rule for one document, and the list of its findings.
struct LintContext {
    let source: SourceText
    let options: LintOptions
    private(set) var findings: [Diagnostic] = []
    /// Findings per code, listed or not.
    private var tallies: [String: Tally] = [:]
    /// Findings that are reported once, however often they occur.
    private var gatherings: [String: Gathering] = [:]
    /// Structural problems that a rule has reported more precisely.
    private var superseded: Set<Superseded> = []

    private struct Tally {
        let severity: Severity
        var made = 0
        var listed = 0

        mutating func admitsOneMore(hasRoom: Bool) -> Bool {
            made += 1
            guard listed == 0 || (hasRoom && listed < LintLimits.findingsOfOneCode) else {
                return false
            }
            listed += 1
            return true
        }
    }

    private struct Gathering {
        let rule: LintRule
        let first: Range<Int>
        let message: String
        var more: [Range<Int>] = []
        var count = 1
    }

    private struct Superseded: Hashable {
        let rule: ShapeRule
        let range: Range<Int>
    }

    init(source: SourceText, options: LintOptions) {
        self.source = source
        self.options = options
    }

    /// Reports a violation of `rule` at `range` (bytes of the source; nil: the file as a whole).
    ///
    /// Messages and places are created only for listed findings: a hostile document has more.
    ///
    /// - Parameters:
    ///   - remedy: for this particular case; otherwise the rule's general remedy.
    ///   - fix: the edits that carry it out, if it leaves no choice.
    @inline(__always)  // Else the closures are made for findings that are only counted.
    mutating func report(
        _ rule: LintRule, at range: Range<Int>?, _ message: @autoclosure () -> String,
        remedy: @autoclosure () -> String? = nil, fix: @autoclosure () -> [TextEdit]? = nil,
        related: @autoclosure () -> [(message: String, range: Range<Int>)] = []
    ) {
        guard admits(rule.code, rule.severity) else { return }
        let places = related().map {
            Diagnostic.Related(message: $0.message, source: source, range: $0.range)
        }
        append(rule, range, message(), remedy() ?? rule.remedy, fix(), places)
    }

    /// Reports a finding with related places, possibly in other files.
    mutating func report(
        _ rule: LintRule, at range: Range<Int>?, _ message: @autoclosure () -> String,
        remedy: @autoclosure () -> String? = nil, places: @autoclosure () -> [Diagnostic.Related]
    ) {
        guard admits(rule.code, rule.severity) else { return }
        append(rule, range, message(), remedy() ?? rule.remedy, nil, places())
    }

    private mutating func append(
        _ rule: LintRule, _ range: Range<Int>?, _ message: String, _ remedy: String,
        _ fix: [TextEdit]?, _ related: [Diagnostic.Related]
    ) {
        if let range {
            findings.append(
                Diagnostic(
                    code: rule.code, severity: rule.severity, message: message, remedy: remedy,
                    fix: fix, source: source, range: range, related: related))
        } else {
            findings.append(
                Diagnostic(
                    code: rule.code, severity: rule.severity, message: message, remedy: remedy,
                    file: source.name, related: related))
        }
    }

    /// Reports a habit of the whole document rather than a single mistake: one finding at the first
    /// place, with the total number.
    mutating func gather(
        _ rule: LintRule, at range: Range<Int>, _ message: @autoclosure () -> String
    ) {
        guard var gathering = gatherings[rule.code] else {
            gatherings[rule.code] = Gathering(rule: rule, first: range, message: message())
            return
        }
        gathering.count += 1
        if gathering.more.count < LintLimits.relatedPlaces { gathering.more.append(range) }
        gatherings[rule.code] = gathering
    }

    /// Whether to list one more finding of the code. The first of each code is always listed, so
    /// that many notes cannot hide an error.
    private mutating func admits(_ code: String, _ severity: Severity) -> Bool {
        if !options.disabled.isEmpty, options.disabled.contains(code) { return false }
        let hasRoom = findings.count < LintLimits.findings
        return tallies[code, default: Tally(severity: severity)].admitsOneMore(hasRoom: hasRoom)
    }

    /// Lists the collected findings, and reports how many were not listed.
    mutating func finish() {
        for gathering in gatherings.values.sorted(by: { $0.first.lowerBound < $1.first.lowerBound })
        {
            let more = gathering.count - 1
            report(
                gathering.rule, at: gathering.first,
                gathering.message
                    + (more == 0
                        ? ""
                        : " (and \(more) more \(more == 1 ? "place" : "places") in this file)"),
                related: gathering.more.map { ("also here", $0) })
        }
        gatherings = [:]
        for (code, tally) in tallies.sorted(by: { $0.key < $1.key }) where tally.made > tally.listed
        {
            let rule = LimitRules.omitted
            guard !options.disabled.contains(rule.code) else { continue }
            let count = tally.made - tally.listed
            findings.append(
                Diagnostic(
                    code: rule.code, severity: rule.severity,
                    message: "\(count) more \(count == 1 ? "finding" : "findings") of \(code): "
                        + "aasa lists \(tally.listed) of \(tally.made) in this file",
                    remedy: rule.remedy, file: source.name,
                    omission: Diagnostic.Omission(
                        code: code, severity: tally.severity, count: count)))
        }
        tallies = [:]
    }

    /// Replaces a problem that the model reports at `range` by a rule's better message.
    mutating func supersede(_ rule: ShapeRule, at range: Range<Int>) {
        superseded.insert(Superseded(rule: rule, range: range))
    }

    /// Adds the model's findings, except replaced ones.
    ///
    /// - Parameter omitted: how many more of a rule the model counted but did not list.
    mutating func addShape(_ problems: [Diagnostic], omitted: [ShapeRule: Int] = [:]) {
        var spoken: [ShapeRule: Int] = [:]
        for item in superseded { spoken[item.rule, default: 0] += 1 }
        for problem in problems {
            if let range = problem.range, let rule = ShapeRule(rawValue: problem.code),
                superseded.contains(Superseded(rule: rule, range: range))
            {
                spoken[rule, default: 0] -= 1
                continue
            }
            add(problem)
        }
        for (rule, count) in omitted {
            let count = count - (spoken[rule] ?? 0)
            guard count > 0, !options.disabled.contains(rule.rawValue) else { continue }
            tallies[rule.rawValue, default: Tally(severity: rule.severity)].made += count
        }
    }

    /// Adds findings that were counted elsewhere but not listed.
    mutating func count(_ omitted: [String: Int]) {
        for (code, count) in omitted where !options.disabled.contains(code) {
            let severity = RuleCatalog.rule(code)?.severity ?? .error
            tallies[code, default: Tally(severity: severity)].made += count
        }
    }

    /// Adds a finding created elsewhere (by the JSON parser, or for an entitlement entry).
    mutating func add(_ finding: Diagnostic) {
        if admits(finding.code, finding.severity) { findings.append(finding) }
    }
}
