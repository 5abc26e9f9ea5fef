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

    /// The findings after applying a configuration.
    public struct Outcome: Sendable {
        /// The findings to report.
        public let findings: [Diagnostic]
        /// The number of disabled findings.
        public let ignored: Int
    }

    /// - Parameters:
    ///   - findings: from the linter.
    ///   - relative: a finding's file as a path relative to the configuration's folder; nil if it
    ///     is elsewhere.
    public func apply(
        to findings: [Diagnostic], relative: (String) -> String?
    ) -> Outcome {
        if rules.isEmpty { return Outcome(findings: findings, ignored: 0) }
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
        return Outcome(findings: kept, ignored: findings.count - kept.count)
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
        return paths.contains { PathPattern.matches(Array($0.utf8)[...], Array(path.utf8)[...]) }
    }
}

/// `*` and `?` within one component of a path, `**` across components.
enum PathPattern {
    static func matches(_ pattern: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>) -> Bool {
        var pattern = pattern
        var path = path
        var star: (pattern: ArraySlice<UInt8>, path: ArraySlice<UInt8>, crosses: Bool)?
        // The outer `**` is kept, so that a `*` after it can be tried at a later component.
        var outer: (pattern: ArraySlice<UInt8>, path: ArraySlice<UInt8>)?
        while !path.isEmpty {
            if pattern.first == UInt8(ascii: "*") {
                pattern.removeFirst()
                let crosses = pattern.first == UInt8(ascii: "*")
                if crosses {
                    pattern.removeFirst()
                    // `**/x` also means x itself.
                    if pattern.first == UInt8(ascii: "/") { pattern.removeFirst() }
                    outer = (pattern, path)
                }
                star = (pattern, path, crosses)
            } else if let sign = pattern.first,
                sign == path.first || (sign == UInt8(ascii: "?") && path.first != 0x2F)
            {
                pattern.removeFirst()
                path.removeFirst()
            } else if let back = star, back.crosses || back.path.first != 0x2F {
                path = back.path.dropFirst()
                pattern = back.pattern
                star = (back.pattern, path, back.crosses)
            } else if let back = outer, !back.path.isEmpty {
                path = back.path.dropFirst()
                pattern = back.pattern
                outer = (back.pattern, path)
                star = (back.pattern, path, true)
            } else {
                return false
            }
        }
        return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

// MARK: - Reading

extension LintConfiguration {
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
        var reader = Reader(source: source)
        let configuration = reader.configuration(document, isKnown)
        return (configuration, reader.problems)
    }

    private struct Reader {
        let source: SourceText
        private(set) var problems: [Diagnostic] = []

        init(source: SourceText) { self.source = source }

        private mutating func report(_ range: Range<Int>, _ message: String, _ remedy: String) {
            problems.append(
                Diagnostic(
                    code: "lint-configuration", severity: .error, message: message,
                    remedy: remedy, source: source, range: range))
        }

        mutating func configuration(
            _ document: JSONDocument, _ isKnown: (String) -> Bool
        ) -> LintConfiguration {
            var failOn: Severity?
            var rules: [Rule] = []
            for duplicate in document.duplicateKeys {
                report(duplicate.second, "\"\(duplicate.key)\" is given twice", "keep one")
            }
            guard let members = document.root.members else {
                report(
                    document.root.range, "the configuration is no object", "write { \"rules\": [] }"
                )
                return LintConfiguration()
            }
            for member in members {
                switch member.key {
                case "failOn":
                    failOn = member.value.string.flatMap(Severity.init(parsing:))
                    if failOn == nil {
                        report(
                            member.value.range, "failOn is none of error, warning and note",
                            "write one of them")
                    }
                case "rules":
                    guard let list = member.value.array else {
                        report(member.value.range, "rules is no array", "write [ { … } ]")
                        continue
                    }
                    rules = list.compactMap { rule($0, isKnown) }
                case "$schema": break
                default: unknown(member, LintConfiguration.members.map(\.key))
                }
            }
            return LintConfiguration(failOn: failOn, rules: rules)
        }

        private mutating func unknown(_ member: JSONMember, _ known: [String]) {
            report(
                member.keyRange, "unknown member \"\(member.key)\"",
                Spelling.correction(of: member.key, among: known).map { "did you mean \"\($0)\"?" }
                    ?? "known are \(known.joined(separator: ", "))")
        }

        private mutating func rule(_ value: JSONValue, _ isKnown: (String) -> Bool) -> Rule? {
            guard let members = value.members else {
                report(value.range, "a rule is no object", "write { \"code\": …, \"severity\": … }")
                return nil
            }
            let known = LintConfiguration.ruleMembers.map(\.key)
            for member in members where !known.contains(member.key) { unknown(member, known) }
            guard let code = value["code"]?.string else {
                report(value.range, "a rule without a code", "add \"code\"")
                return nil
            }
            if !code.hasSuffix("*"), !isKnown(code) {
                let hint = RuleCatalog.suggestion(for: code).map { "did you mean \($0)?" }
                report(
                    value["code"]?.range ?? value.range, "there is no code \"\(code)\"",
                    hint ?? "aasa lint --rules lists them")
            }
            let severity = value["severity"]?.string
            let isOff = severity == "off"
            let weight = severity.flatMap(Severity.init(parsing:))
            if !isOff, weight == nil {
                report(
                    value["severity"]?.range ?? value.range,
                    "severity is none of off, note, warning and error", "write one of them")
            }
            let reason = value["reason"]?.string
            if isOff, reason?.isEmpty ?? true {
                report(
                    value.range, "\(code) is switched off without a reason",
                    "Add \"reason\", so that later readers know why.")
            }
            let paths = value["paths"]
            if let paths, paths.array == nil {
                report(paths.range, "paths is no array", "write [\"site/example.com/**\"]")
            }
            return Rule(
                code: code, severity: weight,
                paths: (paths?.array ?? []).compactMap(\.string), reason: reason)
        }
    }
}
