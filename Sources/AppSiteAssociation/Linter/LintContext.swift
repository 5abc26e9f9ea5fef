/// The input of a rule for one document, and the list of its findings.
///
/// A rule is named by its code; severity and suggested fix are those of the catalogue.
struct LintContext {
    let source: SourceText
    let options: LintOptions
    private(set) var findings: [Diagnostic] = []
    private var tallies: [String: Tally] = [:]
    /// Where the errors are, listed or not: what follows from them is no finding of its own.
    private var errors: [Int] = []
    /// Findings that are reported once, however often they occur: the first message, all places.
    private var gatherings: [String: (message: String, places: [Range<Int>])] = [:]

    /// The findings of one code.
    private struct Tally {
        let severity: Severity
        var listed = 0
        var omitted = 0

        /// Counts one more. The first of each code is always listed, so that many notes cannot hide
        /// an error.
        mutating func count(hasRoom: Bool) -> (isError: Bool, isListed: Bool) {
            let isListed = listed == 0 || hasRoom && listed < LintLimits.findingsOfOneCode
            if isListed { listed += 1 } else { omitted += 1 }
            return (severity == .error, isListed)
        }
    }

    init(source: SourceText, options: LintOptions = LintOptions()) {
        self.source = source
        self.options = options
    }

    /// Reports a finding at `range` (bytes of the source; nil: the file as a whole).
    ///
    /// Messages and places are created only for listed findings: a hostile document has more.
    ///
    /// - Parameters:
    ///   - subject: what the finding is about, in the words of the catalogue; the whole message if
    ///     the catalogue has none.
    ///   - remedy: for this particular case; otherwise that of the catalogue.
    ///   - general: where neither this case nor the catalogue says what to do.
    ///   - fix: the edits that carry it out, if it leaves no choice.
    ///   - related: other places of the document.
    ///   - places: places of other files.
    mutating func report(
        _ code: String, at range: Range<Int>?, _ subject: @autoclosure () -> String = "",
        remedy: @autoclosure () -> String? = nil, or general: @autoclosure () -> String? = nil,
        fix: @autoclosure () -> [TextEdit]? = nil,
        related: @autoclosure () -> [(message: String, range: Range<Int>)] = [],
        places: @autoclosure () -> [Diagnostic.Related] = []
    ) {
        guard admits(code, at: range) else { return }
        let source = source
        let related = related().map {
            Diagnostic.Related(message: $0.message, source: source, range: $0.range)
        }
        let rule = RuleCatalog.rule(code)
        findings.append(
            Diagnostic(
                code: code, severity: rule?.severity ?? .error,
                message: rule?.message(subject()) ?? subject(),
                remedy: remedy() ?? rule?.remedy ?? general(), fix: fix(), source: source,
                range: range, related: related + places()))
    }

    /// Reports a key that stands twice in one object.
    mutating func report(_ duplicate: JSONDuplicateKey) {
        report(
            "duplicate-key", at: duplicate.second, duplicate.key,
            related: [("first here", duplicate.first)])
    }

    /// Reports what was seen before, with its first place; what was not is remembered.
    /// - Returns: whether it was.
    @discardableResult
    mutating func reportRepeat<Key: Hashable>(
        _ code: String, of key: Key, at range: Range<Int>, in seen: inout [Key: Range<Int>],
        _ subject: @autoclosure () -> String
    ) -> Bool {
        guard let first = seen[key] else {
            seen[key] = range
            return false
        }
        report(code, at: range, subject(), related: [("first here", first)])
        return true
    }

    /// Adds a finding created elsewhere (by the JSON parser, or by the merge).
    mutating func add(_ finding: Diagnostic) {
        if admits(finding.code, at: finding.range) { findings.append(finding) }
    }

    /// Reports a habit of the whole document rather than a single mistake: one finding at the first
    /// place, with the total number.
    mutating func gather(
        _ code: String, at range: Range<Int>, _ message: @autoclosure () -> String
    ) {
        gatherings[code, default: (message(), [])].places.append(range)
    }

    /// Where errors are, in order.
    var errorPlaces: [Int] { errors.sorted() }

    /// Whether to list one more finding of the code.
    private mutating func admits(_ code: String, at range: Range<Int>?) -> Bool {
        if !options.disabled.isEmpty, options.disabled.contains(code) { return false }
        let hasRoom = findings.count < LintLimits.findings
        let (isError, isListed) = tallies[
            code, default: Tally(severity: RuleCatalog.rule(code)?.severity ?? .error)
        ].count(hasRoom: hasRoom)
        if isError, let place = range?.lowerBound, errors.last != place { errors.append(place) }
        return isListed
    }

    /// Lists the collected findings, and reports how many were not listed.
    mutating func finish() {
        for (code, gathering) in gatherings.sorted(by: {
            $0.value.places[0].lowerBound < $1.value.places[0].lowerBound
        }) {
            let more = gathering.places.count - 1
            report(
                code, at: gathering.places[0],
                gathering.message
                    + (more == 0 ? "" : " (and \(counted(more, "more place")) in this file)"),
                related: gathering.places.dropFirst().prefix(LintLimits.relatedPlaces).map {
                    ("also here", $0)
                })
        }
        gatherings = [:]
        guard let rule = RuleCatalog.rule("findings-omitted"),
            !options.disabled.contains(rule.code)
        else { return }
        for (code, tally) in tallies.sorted(by: { $0.key < $1.key }) where tally.omitted > 0 {
            findings.append(
                Diagnostic(
                    code: rule.code, severity: rule.severity,
                    message: "\(tally.listed + tally.omitted) findings of \(code) in this file: "
                        + "aasa reports the first \(tally.listed)",
                    remedy: rule.remedy, file: source.name,
                    omission: Diagnostic.Omission(
                        code: code, severity: tally.severity, count: tally.omitted)))
        }
        tallies = [:]
    }
}
