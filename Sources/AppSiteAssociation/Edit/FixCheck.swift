/// A document between two fixes: its bytes, what they mean, and what is wrong with them.
struct FixState {
    let source: SourceText
    let findings: [Diagnostic]
    let root: JSONValue?
    let association: CompiledAssociation

    init(_ source: SourceText, _ findings: [Diagnostic]) {
        self.source = source
        self.findings = findings
        let document = try? JSONReader.read(source)
        root = document?.root
        association = CompiledAssociation(
            document.flatMap { AssociationFile(document: $0).applinks })
    }

    /// The document with these fixes; nil without a change.
    init?(_ state: FixState, _ fixes: [Diagnostic], _ lint: (SourceText) -> [Diagnostic]) {
        guard let bytes = TextEdit.apply(fixes.flatMap(\.edits), to: state.source.bytes),
            bytes != state.source.bytes
        else { return nil }
        let source = SourceText(name: state.source.name, bytes: bytes)
        self.init(source, lint(source))
    }

    /// Whether a slip keeps the document from being read as JSON.
    var isUnreadable: Bool {
        findings.contains { $0.severity == .error && $0.code.hasPrefix("json-") }
    }
}

/// Holds fixes to what they may change, whatever they are for.
///
/// The document can still be read. Every rule that an app had, it has. The decision about every URL
/// is the same, except where a correction's own object decides. No warning and no error is new,
/// except inside of what a corrected key names, which was not read before.
enum FixCheck {
    /// Evaluations of rules for the URLs of one check.
    private static let evaluationsMaximum = 1_000_000

    static func allows(
        _ fixes: [Diagnostic], _ before: FixState, _ lint: (SourceText) -> [Diagnostic]
    ) -> Bool {
        guard let after = FixState(before, fixes, lint) else { return false }
        if after.isUnreadable || (before.root == nil) != (after.root == nil) { return false }
        let edits = fixes.flatMap(\.edits)
        let scopes = fixes.filter { Fixer.changesMeaning($0.code) }.compactMap { fix in
            fix.edits.first.flatMap { scope(of: $0.range, in: before) }
        }
        return keepsRules(edits, before, after) && keepsDecisions(edits, scopes, before, after)
            && causesNothing(edits, fixes, before, after)
    }

    /// What a correction is about: the string of `paths`, or the object that it stands in.
    private static func scope(of edit: Range<Int>, in state: FixState) -> Range<Int>? {
        let paths = state.association.entries.lazy.flatMap(\.rules).filter(\.isPath)
        if let path = paths.map(\.reference.range).first(where: { $0.overlaps(edit) }) {
            return path
        }
        var scope = state.root?.range
        var value = state.root
        while let current = value {
            if current.members != nil { scope = current.range }
            // Variables and defaults are about the rules of all that is around them.
            value =
                current.array?.first { $0.range.contains(edit.lowerBound) }
                ?? current.members?.first {
                    $0.value.range.contains(edit.lowerBound)
                        && !["defaults", "substitutionVariables"].contains($0.key)
                }?.value
        }
        return scope
    }

    // MARK: Rules

    private struct Owned: Hashable {
        let app: String
        let place: Range<Int>
    }

    private static func keepsRules(_ edits: [TextEdit], _ before: FixState, _ after: FixState)
        -> Bool
    {
        func owned(_ state: FixState, _ place: (Range<Int>) -> Range<Int>?) -> Set<Owned> {
            var set: Set<Owned> = []
            for entry in state.association.entries {
                for rule in entry.rules {
                    guard let place = place(rule.reference.range) else { continue }
                    for app in entry.apps {
                        set.insert(Owned(app: app.value.filter { !$0.isWhitespace }, place: place))
                    }
                }
            }
            return set
        }
        let places = TextEdit.Shift(edits)
        return owned(before) { places.touches($0) ? nil : places.shifted($0) }
            .isSubset(of: owned(after) { $0 })
    }

    private static func keepsDecisions(
        _ edits: [TextEdit], _ scopes: [Range<Int>], _ before: FixState, _ after: FixState
    ) -> Bool {
        let (old, new) = (before.association, after.association)
        let apps = Set(old.apps).union(new.apps)
        let rules = old.entries.flatMap(\.rules) + new.entries.flatMap(\.rules)
        let places = TextEdit.Shift(edits)
        let later = scopes.map(places.shifted)
        func isMeant(_ scopes: [Range<Int>], _ rule: RuleReference?) -> Bool {
            rule.map { rule in scopes.contains { $0.overlaps(rule.range) } } ?? false
        }
        let urls = max(1, evaluationsMaximum / max(1, rules.count * 2))
        let step = max(1, rules.count * 4 / urls)
        for rule in stride(from: 0, to: rules.count, by: step).map({ rules[$0] }) {
            for url in LinkSamples.probes(rule) + [LinkSamples.unrelated] {
                func answers(_ association: CompiledAssociation) -> [String: AppDecision] {
                    Dictionary(
                        (association.decide(url: url) ?? []).map { ($0.app, $0) },
                        uniquingKeysWith: { first, _ in first })
                }
                let (was, now) = (answers(old), answers(new))
                for app in apps
                where (was[app]?.decision ?? LinkDecision.none)
                    != (now[app]?.decision ?? LinkDecision.none)
                    && !isMeant(scopes, was[app]?.rule) && !isMeant(later, now[app]?.rule)
                {
                    return false
                }
            }
        }
        return true
    }

    // MARK: Findings

    private struct Found: Hashable {
        let code: String
        let place: Int?
    }

    private static func causesNothing(
        _ edits: [TextEdit], _ fixes: [Diagnostic], _ before: FixState, _ after: FixState
    ) -> Bool {
        let places = TextEdit.Shift(edits)
        var counts: [String: Int] = [:]
        var known: Set<Found> = []
        for finding in before.findings {
            counts[finding.code, default: 0] += 1
            known.insert(
                Found(
                    code: finding.code, place: finding.range.map { places.shifted($0).lowerBound }))
        }
        // What a misspelt key held was not read.
        let keys = Set(fixes.compactMap { $0.edits.first?.range })
        let revealed = values(of: keys, in: before.root).map(places.shifted)
        var fresh: [String] = []
        for finding in after.findings where finding.severity >= .warning {
            let isRevealed =
                finding.range.map { range in
                    revealed.contains {
                        $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
                    }
                } ?? false
            if isRevealed { continue }
            counts[finding.code, default: 0] -= 1
            let found = Found(code: finding.code, place: finding.range?.lowerBound)
            if !known.contains(found) { fresh.append(finding.code) }
        }
        // A finding about several places may have moved to the next of them.
        return fresh.allSatisfy { counts[$0, default: 0] >= 0 }
    }

    /// The values of the members with these keys.
    private static func values(of keys: Set<Range<Int>>, in root: JSONValue?) -> [Range<Int>] {
        var found: [Range<Int>] = []
        root?.forEachValue { value in
            let members = (value.members ?? []).filter { keys.contains($0.keyRange) }
            found += members.map(\.value.range)
        }
        return found
    }
}
