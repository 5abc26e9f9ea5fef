/// A project's settings for the linter's rules (`.aasa.json`).
///
/// ```json
/// { "failOn": "warning",
///   "rules": [
///     { "code": "catch-all", "severity": "off", "paths": ["site/legacy.example/**"],
///       "reason": "the old app shows every page" },
///     { "code": "legacy-paths", "severity": "warning" } ] }
/// ```
///
/// The last rule that matches a finding decides. A code may end with `*`.
public struct LintConfiguration: Sendable, Equatable {
    /// The setting for one code.
    public struct Rule: Sendable, Equatable {
        /// The code of the findings; a `*` at the end matches every code with this prefix.
        public let code: String
        /// Nil: not reported.
        public let severity: Severity?
        /// Path patterns relative to the configuration's folder; empty for all files.
        public let paths: [String]
        /// The reason; required to disable a finding.
        public let reason: String?
    }

    /// The lowest severity that fails a run; nil: the command's own.
    public let failOn: Severity?
    /// The rules, in the order of the file.
    public let rules: [Rule]

    /// Creates a configuration in memory.
    public init(failOn: Severity? = nil, rules: [Rule] = []) {
        self.failOn = failOn
        self.rules = rules
    }

    /// - Parameters:
    ///   - findings: from the linter.
    ///   - relative: a finding's file as a path relative to the configuration's folder; nil if it
    ///     is elsewhere.
    /// - Returns: the findings to report, and the number of disabled ones.
    public func apply(
        to findings: [Diagnostic], relative: (String) -> String?
    ) -> (findings: [Diagnostic], ignored: Int) {
        if rules.isEmpty { return (findings, 0) }
        var names: [String: String?] = [:]
        var kept: [Diagnostic] = []
        for finding in findings {
            let name = names[finding.file] ?? relative(finding.file)
            names[finding.file] = .some(name)
            let code = finding.omission?.code ?? finding.code
            guard let rule = rules.last(where: { $0.fits(code, name) }) else {
                kept.append(finding)
                continue
            }
            if let severity = rule.severity { kept.append(finding.rated(severity)) }
        }
        return (kept, findings.count - kept.count)
    }
}

extension LintConfiguration.Rule {
    fileprivate func fits(_ code: String, _ path: String?) -> Bool {
        let isCode =
            self.code.hasSuffix("*")
            ? code.hasPrefix(self.code.dropLast()) : code == self.code
        guard isCode else { return false }
        if paths.isEmpty { return true }
        guard let path else { return false }
        return paths.contains { PathPattern.matches($0, path) }
    }
}

/// `*` and `?` within one component of a path, `**` across components.
enum PathPattern {
    static func matches(_ pattern: String, _ path: String) -> Bool {
        let path = Array(path.utf8)
        var pattern = Array(pattern.utf8)[...]
        // The places of the path after a match of the pattern so far.
        var places: Set<Int> = [0]
        while let sign = pattern.popFirst() {
            if sign == UInt8(ascii: "*") {
                let crosses = pattern.first == sign
                if crosses { pattern.removeFirst() }
                // `**/x` also means x itself.
                if crosses, pattern.first == UInt8(ascii: "/") { pattern.removeFirst() }
                for index in path.indices where crosses || path[index] != UInt8(ascii: "/") {
                    if places.contains(index) { places.insert(index + 1) }
                }
            } else {
                let next = places.filter {
                    $0 < path.count
                        && (path[$0] == sign
                            || sign == UInt8(ascii: "?") && path[$0] != UInt8(ascii: "/"))
                }
                places = Set(next.map { $0 + 1 })
            }
        }
        return places.contains(path.count)
    }
}

// MARK: - Reading

extension LintConfiguration {
    /// The members of `.aasa.json`.
    public static let format = DocumentFormat(named: "lint")

    /// Parses `.aasa.json`; if there are errors, it must not be used.
    ///
    /// - Parameters:
    ///   - source: the file.
    ///   - isKnown: whether some command reports a code.
    public static func read(
        _ source: SourceText, isKnown: (String) -> Bool
    ) -> (configuration: LintConfiguration, problems: [Diagnostic]) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONReader.read(source)
        } catch {
            return (LintConfiguration(), [error.diagnostic])
        }
        var problems = format.problems(in: document)
        func report(_ value: JSONValue, _ message: String, _ remedy: String) {
            problems.append(
                Diagnostic(
                    code: format.code, severity: .error, message: message, remedy: remedy,
                    source: source, range: value.range))
        }
        let rules = (document.root["rules"]?.array ?? []).compactMap { value -> Rule? in
            guard let name = value["code"], let code = name.string else { return nil }
            if !code.hasSuffix("*"), !isKnown(code) {
                let hint = RuleCatalog.suggestion(for: code).map { "did you mean \($0)?" }
                report(
                    name, "there is no code \"\(code)\"", hint ?? "aasa lint --rules lists them")
            }
            let severity = value["severity"]?.string
            let reason = value["reason"]?.string
            if severity == "off", reason?.isEmpty ?? true {
                report(
                    value, "\(code) is switched off without a reason",
                    "Add \"reason\", so that later readers know why.")
            }
            return Rule(
                code: code, severity: severity.flatMap(Severity.init(parsing:)),
                paths: value["paths"]?.strings ?? [], reason: reason)
        }
        let failOn = document.root["failOn"]?.string.flatMap(Severity.init(parsing:))
        return (LintConfiguration(failOn: failOn, rules: rules), problems)
    }
}
