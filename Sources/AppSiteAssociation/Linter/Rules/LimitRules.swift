/// Findings about checks that were skipped: nothing is omitted silently.
enum LimitRules {
    static let omitted = LintRule("findings-omitted")
    static let incomplete = LintRule("comparison-incomplete")
}
