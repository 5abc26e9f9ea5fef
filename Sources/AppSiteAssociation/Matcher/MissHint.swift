extension RuleEvaluation.Part {
    /// The likely intention of a pattern that does not match.
    func hint(for rule: Rule, _ steps: Steps) -> String? {
        if isMatch { return nil }
        if case .queryItem(let name) = place {
            if occurrences == 0 { return "the URL has no item \"\(name)\", which counts as empty" }
            if occurrences > 1 { return "every occurrence of a repeated item has to match" }
        }
        // A long pattern may be that of the defaults of ten thousand rules.
        guard steps.spend(pattern.source.utf8.count + value.symbols.count) else { return nil }
        if pattern.matchesNothing { return "a variable of the pattern is not defined" }
        if folded(pattern.source).matches(text, steps) {
            return "only the case differs: \"caseSensitive\": false would match"
        }
        if place == .path, pattern.source.utf8.contains(UInt8(ascii: "#")) {
            return "a path never holds \"#\": the fragment has a pattern of its own, \"#\""
        }
        if rule.percentEncoded, pattern.source.utf8.contains(where: { !URLParts.mayStand($0) }) {
            return "the pattern holds characters that a URL has only percent-encoded: "
                + "\"percentEncoded\": false compares with the decoded URL"
        }
        if place == .path, pattern.matches(text + "/x", steps) {
            return "the pattern wants something behind this path"
        }
        return variableHint(steps)
    }

    private func folded(_ source: String) -> Pattern {
        Pattern(source, pattern.place, caseSensitive: false, pattern.variables)
    }

    /// A pattern with more variables than this gets no hint.
    private static let variablesMaximum = 8

    /// Whether a variable lacks a value for the text in its place.
    private func variableHint(_ steps: Steps) -> String? {
        for name in PatternPiece.names(in: pattern.source).prefix(Self.variablesMaximum) {
            guard steps.spend(pattern.source.utf8.count + value.symbols.count) else { return nil }
            let without = folded(pattern.source.replacing("$(\(name.text))", with: "*"))
            guard without.matches(text, steps) else { continue }
            guard let variable = pattern.variables.definition(of: name) else {
                return
                    "the built-in variable $(\(name.text)) does not cover what stands in its place"
            }
            return "the variable $(\(name.text)) has no value for what stands in its place: "
                + listed(variable.values.lazy.map { "\"\($0)\"" })
        }
        return nil
    }
}
