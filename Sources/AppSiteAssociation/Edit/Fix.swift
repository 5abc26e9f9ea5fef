extension Diagnostic {
    /// The edits that fix the finding, in ascending order and without overlap; none without a fix.
    var edits: [TextEdit] { fix ?? [] }
}

/// Writes the fixes that are safe, and no others.
///
/// A slip of the JSON is fixed only if one reading of it exists, and only if the document can be
/// read afterwards. `FixCheck` then holds every other fix to what it may change.
public enum Fixer {
    /// Passes of one document: a fix may reveal another finding. What is left then is left.
    private static let passesMaximum = 50
    /// Bytes of a document that are parsed for its slips: each needs a pass from the beginning.
    private static let slipBytes = 64 << 20
    /// Checks of fixes in one document, each of which lints it.
    private static let checksMaximum = 200

    /// Whether a fix of this code exists in order to change what the document means: it corrects
    /// how a thing is spelt (`appIds`, `exlude`, `"exclude": "true"`, `!/a`, a list without
    /// brackets, a pattern in place of a component). All other fixes leave the meaning alone.
    public static func changesMeaning(_ code: String) -> Bool {
        isMisspelt(code) || corrections.contains(code)
    }

    private static let corrections: Set<String> = [
        "app-id-array", "app-id-blank", "app-ids-not-array", "apps-not-array",
        "component-not-object", "components-not-array", "flag-not-boolean", "path-not-prefix",
        "paths-not-array", "variable-not-array",
    ]

    private static func isMisspelt(_ code: String) -> Bool { code.hasSuffix("-misspelt") }

    /// A document with all safe fixes.
    ///
    /// - Parameters:
    ///   - source: the current document.
    ///   - isWanted: whether a finding is to be fixed: what is switched off is meant.
    ///   - lint: returns the findings of a text; called after every pass, because a fix may reveal
    ///     others.
    /// - Returns: the text, and the codes of the fixed findings, in order.
    public static func fixed(
        _ source: SourceText, isWanted: (Diagnostic) -> Bool = { _ in true },
        lint: (SourceText) -> [Diagnostic]
    ) -> (bytes: [UInt8], codes: [String]) {
        var current = FixState(source, lint(source))
        var codes: [String] = []
        if current.isUnreadable {
            guard let read = readable(source, isWanted, lint) else { return (source.bytes, []) }
            (current, codes) = read
        }
        var checks = checksMaximum
        for _ in 0..<passesMaximum {
            let fixes = safe(candidates(current, isWanted)[...], current, &checks, lint)
            guard let next = FixState(current, fixes, lint) else { break }
            codes += fixes.map(\.code)
            current = next
        }
        return (current.source.bytes, codes)
    }

    /// The document without its slips, fixed one after the other.
    /// - Returns: nil if one of them has no fix, or several readings.
    private static func readable(
        _ source: SourceText, _ isWanted: (Diagnostic) -> Bool, _ lint: (SourceText) -> [Diagnostic]
    ) -> (FixState, [String])? {
        var current = source
        var codes: [String] = []
        var words: [Range<Int>] = []
        for _ in 0..<max(1, slipBytes / max(1, source.bytes.count)) {
            do throws(JSONError) {
                _ = try JSONReader.read(current)
                let state = FixState(current, lint(current))
                // Quotes around a word are wrong where the word then is.
                let isWrong = state.findings.contains { finding in
                    finding.severity >= .warning
                        && words.contains { finding.range?.overlaps($0) ?? false }
                }
                return isWrong ? nil : (state, codes)
            } catch {
                let code = error.code
                guard isWanted(error.diagnostic), let range = error.diagnostic.range,
                    let edits = error.diagnostic.fix,
                    let bytes = TextEdit.apply(edits, to: current.bytes)
                else { return nil }
                let places = TextEdit.Shift(edits)
                words = words.map(places.shifted)
                if ["json-unquoted-string", "json-invalid-literal"].contains(code) {
                    words.append(places.shifted(range))
                }
                codes.append(code)
                current = SourceText(name: source.name, bytes: bytes)
            }
        }
        return nil
    }

    /// The findings with fixes that do not overlap, in order.
    private static func candidates(
        _ state: FixState, _ isWanted: (Diagnostic) -> Bool
    ) -> [Diagnostic] {
        // Readers keep one of two members with one key, and not all the same: a guess.
        if state.findings.contains(where: { $0.code == "duplicate-key" }) {
            return []
        }
        var end = 0
        return state.findings.filter { $0.fix != nil && isWanted($0) }.sorted {
            ($0.edits.first?.range.lowerBound ?? 0) < ($1.edits.first?.range.lowerBound ?? 0)
        }.filter { fix in
            // Only one fix per place and pass: the first may have moved the others.
            guard let first = fix.edits.first, let last = fix.edits.last,
                first.range.lowerBound >= end, first.range.upperBound >= end
            else { return false }
            end = last.range.upperBound + 1
            return true
        }
    }

    /// The fixes that are safe together: all, or what is left of either half.
    private static func safe(
        _ fixes: ArraySlice<Diagnostic>, _ state: FixState, _ checks: inout Int,
        _ lint: (SourceText) -> [Diagnostic]
    ) -> [Diagnostic] {
        guard !fixes.isEmpty, checks > 0 else { return [] }
        checks -= 1
        if FixCheck.allows(Array(fixes), state, lint) { return Array(fixes) }
        if fixes.count == 1 { return [] }
        let middle = fixes.startIndex + fixes.count / 2
        let left = safe(fixes[..<middle], state, &checks, lint)
        let right = safe(fixes[middle...], state, &checks, lint)
        if left.isEmpty || right.isEmpty { return left + right }
        checks -= 1
        return FixCheck.allows(left + right, state, lint) ? left + right : left
    }
}
