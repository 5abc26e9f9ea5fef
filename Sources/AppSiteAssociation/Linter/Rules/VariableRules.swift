/// `substitutionVariables` and their uses `$(name)`.
enum VariableRules {
    static let undefined = LintRule("variable-undefined")
    static let unused = LintRule("variable-unused")
    static let redefined = LintRule("variable-built-in")
    static let illegalName = LintRule("variable-name")
    static let nested = LintRule("variable-nested")
    static let noValues = LintRule("variable-empty")
    static let unclosed = LintRule("variable-unclosed")
    static let emptyValue = LintRule("variable-value-empty")
    static let repeatedValue = LintRule("variable-value-twice")

    static func check(_ applinks: AppLinks, _ context: inout LintContext) {
        let defined = applinks.substitutionVariables
        // Nearly all documents have none: skip the patterns. (An escape may be a dollar.)
        let signs = [UInt8(ascii: "$"), UInt8(ascii: "\\")]
        if defined.isEmpty, !signs.contains(where: context.source.bytes.contains) { return }
        // Each name is hashed once where it is defined and once where it is used.
        lazy var places = Dictionary(
            defined.enumerated().map { (ExactText($0.element.name.value), $0.offset) },
            uniquingKeysWith: max)
        var isUsed = [Bool](repeating: false, count: defined.count)
        let words = WordList(
            Vocabulary.builtInVariables
                + defined.prefix(LintLimits.suggestedNames).map(\.name.value).filter(isLegalName))
        applinks.forEachPattern { pattern in
            let text = pattern.value
            // Most patterns have no variable.
            guard text.utf8.contains(UInt8(ascii: "$")) else { return }
            let pieces = PatternPiece.all(in: text)
            for case .variable(let name) in pieces {
                if let place = places[ExactText(name)] {
                    isUsed[place] = true
                } else if !Vocabulary.isBuiltInVariable(name) {
                    context.report(
                        undefined, at: pattern.range, "$(\(name)) is not defined",
                        remedy: words.correction(of: name).map { "write $(\($0))" })
                }
            }
            if pieces.contains(where: \.isUnclosed) {
                context.report(
                    unclosed, at: pattern.range, "\"\(text)\" has a $( without a closing bracket")
            }
        }
        // Variables inside values are one finding, at the value.
        for variable in defined {
            for value in variable.values where value.value.utf8.contains(UInt8(ascii: "$")) {
                for case .variable(let name) in PatternPiece.all(in: value.value) {
                    if let place = places[ExactText(name)] { isUsed[place] = true }
                }
            }
        }
        let isEncoded = !isDecodedSomewhere(applinks)
        for (variable, isUsed) in zip(defined, isUsed) {
            checkDefinition(variable, isUsed: isUsed, &context)
            guard isUsed, isEncoded else { continue }
            for value in variable.values {
                PatternRules.checkCharacters(
                    value.value, PatternSigns(value.value), at: value.range, isEncoded: true,
                    &context)
            }
        }
    }

    /// Whether some rule uses the decoded URL: its variables may contain any character.
    private static func isDecodedSomewhere(_ applinks: AppLinks) -> Bool {
        applinks.defaults.percentEncoded?.value == false
            || applinks.details.contains { detail in
                detail.defaults.percentEncoded?.value == false
                    || (detail.components ?? []).contains { $0.percentEncoded?.value == false }
            }
    }

    private static func checkDefinition(
        _ variable: SubstitutionVariable, isUsed: Bool, _ context: inout LintContext
    ) {
        let name = variable.name.value
        if !isLegalName(name) {
            context.report(
                illegalName, at: variable.name.range, "\"\(name)\" cannot be the name of a variable"
            )
        } else if !isUsed {
            context.report(
                unused, at: variable.name.range, "no pattern uses $(\(name))")
        }
        if Vocabulary.isBuiltInVariable(name) {
            context.report(
                redefined, at: variable.name.range, "$(\(name)) is a built-in variable")
        }
        // Decoded URLs come in composed and in decomposed form, and each matches its own alone.
        var seen: [ExactText: Range<Int>] = [:]
        for value in variable.values {
            if value.value.isEmpty {
                context.report(
                    emptyValue, at: value.range, "$(\(name)) also matches nothing with this value")
            }
            if variable.values.count == 1 { break }
            let text = ExactText(value.value)
            if let first = seen.updateValue(value.range, forKey: text) {
                seen[text] = first
                context.report(
                    repeatedValue, at: value.range,
                    "\"\(value.value)\" appears twice in $(\(name))",
                    related: [("first here", first)])
            }
        }
        if variable.values.isEmpty, isUsed {
            context.report(noValues, at: variable.range, "$(\(name)) has no values")
        }
        for value in variable.values where usesVariable(value.value) {
            context.report(
                nested, at: value.range,
                "\"\(value.value)\" contains a variable, which values cannot")
        }
    }

    private static func usesVariable(_ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: "$"))
            && PatternPiece.all(in: text).contains {
                if case .variable = $0 { return true }
                return $0.isUnclosed
            }
    }

    private static func isLegalName(_ name: String) -> Bool {
        !name.isEmpty && !name.utf8.contains { "$()".utf8.contains($0) }
    }
}
