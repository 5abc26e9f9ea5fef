/// Findings about checks that were skipped: nothing is omitted silently.
enum LimitRules {
    static let rules = [omitted, incomplete]

    private static let good = LintExample.components("{ \"/\": \"/buy/*\" }")

    static let omitted = LintRule(
        "findings-omitted", .note, "more findings of one code than are listed",
        why: "Of one document \(LintLimits.findingsOfOneCode) findings of a code and "
            + "\(LintLimits.findings) in all are listed. The others are counted, here and in the "
            + "summary.",
        fix: "mend what is listed and look again; one cause often makes them all", .advice,
        "aasa, limits of the linter",
        bad: LintExample(
            "{ \"webcredentials\": { \"apps\": ["
                + (0..<150).map { "\"bad\($0)\"" }.joined(separator: ", ") + "] } }\n"),
        good: good)
    static let incomplete = LintRule(
        "comparison-incomplete", .note, "not every rule was compared with every other",
        why:
            "Whether a rule is unreachable, or its URLs are claimed twice, takes a comparison with "
            + "every rule before it. The steps of one document are bounded, and this one needs "
            + "more.",
        fix: "begin patterns with the part that tells them apart (/shop/*, not */shop), and say "
            + "lists of addresses in one rule with a variable", .advice,
        "aasa, limits of the linter",
        bad: LintExample.components(
            (0..<3_000).map { "{ \"/\": \"*-\($0)-*a*b\" }" }.joined(separator: ",")),
        good: good)
}
