/// `substitutionVariables` and their uses `$(name)`.
enum VariableRules {
    /// - Parameter root: the document. What a misplaced or misspelt member defines or uses is
    ///   neither undefined nor unused: that member has a finding.
    static func check(
        _ applinks: AppLinks, _ entries: [LinkEntry], _ root: JSONValue,
        _ context: inout LintContext
    ) {
        let defined = applinks.substitutionVariables
        // Nearly all documents have none: skip the patterns. (An escape may be a dollar.)
        let signs = [UInt8(ascii: "$"), UInt8(ascii: "\\")]
        if defined.isEmpty, !signs.contains(where: context.source.bytes.contains) { return }
        // The names that strings anywhere use, and those that members called
        // `substitutionVariables`, or nearly so, define.
        var used: Set<ExactText> = []
        var written: Set<ExactText> = []
        root.forEachValue { value in
            if let text = value.string { used.formUnion(PatternPiece.names(in: text)) }
            for member in value.members ?? []
            where member.key == key || key == Spelling.correction(of: member.key, among: [key]) {
                written.formUnion((member.value.members ?? []).map { ExactText($0.key) })
            }
        }
        let words = WordList(
            Variables.builtIn
                + defined.prefix(LintLimits.suggestedNames).map(\.name.value).filter(isLegalName))
        // Documents that define none of thousands of names get no more suggestions than findings.
        var searched = 0
        applinks.forEachPattern { pattern in
            let text = pattern.value
            // Most patterns have no variable.
            guard text.utf8.contains(UInt8(ascii: "$")) else { return }
            let pieces = PatternPiece.all(in: text)
            for case .variable(let name) in pieces
            where !written.contains(ExactText(name)) && !Variables.builtIn.contains(name) {
                searched += 1
                let meant =
                    searched <= LintLimits.findings ? words.correction(of: name) : nil
                if let meant { used.insert(ExactText(meant)) }
                context.report(
                    "variable-undefined", at: pattern.range, name,
                    remedy: meant.map { "Write $(\($0))." })
            }
            if pieces.contains(where: \.isUnclosed) {
                context.report("variable-unclosed", at: pattern.range, text)
            }
        }
        // Where some rule uses the decoded URL, variables may contain any character.
        let isEncoded = entries.allSatisfy {
            $0.template.flags.percentEncoded && $0.rules.allSatisfy(\.percentEncoded)
        }
        for variable in defined {
            let isUsed = used.contains(ExactText(variable.name.value))
            checkDefinition(variable, isUsed: isUsed, &context)
            guard isUsed, isEncoded else { continue }
            for value in variable.values {
                PatternRules.checkCharacters(PatternSigns(value), isEncoded: true, &context)
            }
        }
    }

    private static let key = "substitutionVariables"

    private static func checkDefinition(
        _ variable: SubstitutionVariable, isUsed: Bool, _ context: inout LintContext
    ) {
        let name = variable.name.value
        if !isLegalName(name) {
            context.report("variable-name", at: variable.name.range, name)
        } else if !isUsed {
            context.report("variable-unused", at: variable.name.range, name)
        }
        if Variables.builtIn.contains(name) {
            context.report("variable-built-in", at: variable.name.range, name)
        }
        // Decoded URLs come in composed and in decomposed form, and each matches its own alone.
        var seen: [ExactText: Range<Int>] = [:]
        for value in variable.values {
            if value.value.isEmpty {
                context.report("variable-value-empty", at: value.range, name)
            }
            if variable.values.count == 1 { break }
            context.reportRepeat(
                "variable-value-twice", of: ExactText(value.value), at: value.range, in: &seen,
                "\"\(value.value)\" appears twice in $(\(name))")
        }
        if variable.values.isEmpty, isUsed {
            context.report("variable-empty", at: variable.range, name)
        }
        for value in variable.values where usesVariable(value.value) {
            context.report("variable-nested", at: value.range, value.value)
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
