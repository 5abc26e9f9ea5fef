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
struct FixCheck {
    private let fixes: [Diagnostic]
    private let before: FixState
    private let after: FixState
    /// Where the fixes move what they do not touch.
    private let places: TextEdit.Shift

    /// Evaluations of rules for the URLs of one check.
    private static let evaluationsMaximum = 1_000_000

    static func allows(
        _ fixes: [Diagnostic], _ before: FixState, _ lint: (SourceText) -> [Diagnostic]
    ) -> Bool {
        guard let after = FixState(before, fixes, lint), !after.isUnreadable,
            (before.root == nil) == (after.root == nil)
        else { return false }
        let check = FixCheck(
            fixes: fixes, before: before, after: after,
            places: TextEdit.Shift(fixes.flatMap(\.edits)))
        return check.keepsRules && check.keepsDecisions && check.causesNothing
    }

    /// What a correction is about: the string of `paths`, or the object that it stands in.
    private func scope(of edit: Range<Int>) -> Range<Int>? {
        let paths = before.association.entries.lazy.flatMap(\.rules).filter(\.isPath)
        if let path = paths.map(\.reference.range).first(where: { $0.overlaps(edit) }) {
            return path
        }
        var scope = before.root?.range
        var value = before.root
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

    private var keepsRules: Bool {
        func owned(_ state: FixState, _ place: (Range<Int>) -> Range<Int>?) -> Set<Owned> {
            var set: Set<Owned> = []
            for entry in state.association.entries {
                for place in entry.rules.compactMap({ place($0.reference.range) }) {
                    for app in entry.apps {
                        set.insert(Owned(app: app.value.filter { !$0.isWhitespace }, place: place))
                    }
                }
            }
            return set
        }
        return owned(before) { places.touches($0) ? nil : places.shifted($0) }
            .isSubset(of: owned(after) { $0 })
    }

    private var keepsDecisions: Bool {
        let (old, new) = (before.association, after.association)
        let scopes = fixes.filter { Fixer.changesMeaning($0.code) }.compactMap { fix in
            fix.edits.first.flatMap { scope(of: $0.range) }
        }
        let apps = Set(old.apps).union(new.apps)
        let rules = old.entries.flatMap(\.rules) + new.entries.flatMap(\.rules)
        let later = scopes.map(places.shifted)
        func isMeant(_ scopes: [Range<Int>], _ rule: RuleReference?) -> Bool {
            rule.map { rule in scopes.contains { $0.overlaps(rule.range) } } ?? false
        }
        let urls = max(1, Self.evaluationsMaximum / max(1, rules.count * 2))
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

    private var causesNothing: Bool {
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
        var revealed: [Range<Int>] = []
        before.root?.forEachValue { value in
            for member in value.members ?? [] where keys.contains(member.keyRange) {
                revealed.append(places.shifted(member.value.range))
            }
        }
        var fresh: [String] = []
        for finding in after.findings where finding.severity >= .warning {
            if let range = finding.range,
                revealed.contains(where: {
                    $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
                })
            {
                continue
            }
            counts[finding.code, default: 0] -= 1
            let found = Found(code: finding.code, place: finding.range?.lowerBound)
            if !known.contains(found) { fresh.append(finding.code) }
        }
        // A finding about several places may have moved to the next of them.
        return fresh.allSatisfy { counts[$0, default: 0] >= 0 }
    }
}
