/// What a code means that some command prints, the same for every file and host.
package struct CodeEntry: Sendable {
    package let code: String
    /// The usual severity.
    package let severity: Severity
    /// What was found, in one line without a full stop.
    package let title: String
    /// Why it matters.
    package let why: String
    package let remedy: String

    package init(
        _ code: String, _ severity: Severity, _ title: String, why: String, fix remedy: String
    ) {
        self.code = code
        self.severity = severity
        self.title = title
        self.why = why
        self.remedy = remedy
    }

    /// The same of a rule of the linter.
    package init(_ rule: LintRule) {
        self.init(
            rule.code, rule.severity, rule.title, why: rule.explanation, fix: rule.remedy)
    }

    /// Entries that belong together.
    package struct Family: Sendable {
        /// For headings.
        package let name: String
        package let entries: [CodeEntry]

        package init(_ name: String, _ entries: [CodeEntry]) {
            self.name = name
            self.entries = entries
        }
    }
}
