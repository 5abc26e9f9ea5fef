/// The edits that fix a finding: only for findings with exactly one remedy.
public struct Fix: Sendable, Hashable {
    /// The finding's code.
    public let code: String
    /// The edits, in ascending order and without overlap.
    public let edits: [TextEdit]
}

/// Writes the fixes that are safe, and no others.
///
/// A slip of the JSON is fixed only if one reading of it exists, and only if the document can be
/// read afterwards. ``FixCheck`` then holds every other fix to what it may change.
public enum Fixer {
    /// Passes of one document: a fix may reveal another finding. What is left then is left.
    private static let passesMaximum = 50
    /// Bytes of a document that are parsed for its slips: each needs a pass from the beginning.
    private static let slipBytes = 64 << 20
    /// Checks of fixes in one document, each of which lints it.
    private static let checksMaximum = 200

    /// Whether a fix of this code exists in order to change what the document means: it corrects
    /// how a thing is spelt (`appIds`, `exlude`, `"exclude": "true"`, `!/a`, a list without
    /// brackets). All other fixes leave the meaning alone.
    public static func changesMeaning(_ code: String) -> Bool {
        isMisspelt(code) || corrections.contains(code)
    }

    private static let corrections: Set<String> = [
        "app-id-array", "app-id-blank", "app-ids-not-array", "apps-not-array",
        "components-not-array", "flag-not-boolean", "path-not-prefix", "paths-not-array",
        "variable-not-array",
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
                let code = error.reason.rawValue
                guard isWanted(error.diagnostic), let range = error.diagnostic.range,
                    let edits = JSONSlipFix.edits(code, range, current.bytes),
                    let bytes = TextEdit.apply(edits, to: current.bytes)
                else { return nil }
                let places = TextEdit.Shift(edits)
                words = words.map(places.shifted)
                if error.reason == .unquotedString || error.reason == .invalidLiteral {
                    words.append(places.shifted(range))
                }
                codes.append(code)
                current = SourceText(name: source.name, bytes: bytes)
            }
        }
        return nil
    }

    /// The fixes of a document's findings that do not overlap, in order.
    private static func candidates(
        _ state: FixState, _ isWanted: (Diagnostic) -> Bool
    ) -> [Fix] {
        // Readers keep one of two members with one key, and not all the same: a guess.
        if state.findings.contains(where: { $0.code == ShapeRule.duplicateKey.rawValue }) {
            return []
        }
        var places: FixPlaces??
        var end = 0
        return state.findings.compactMap { finding -> Fix? in
            guard let range = finding.range, range.upperBound <= state.source.bytes.count,
                isWanted(finding)
            else { return nil }
            return
                (textEdits(finding.code, range, state.source.bytes)
                ?? elementEdits(finding, range, state.source, &places)).map {
                    Fix(code: finding.code, edits: $0)
                }
        }.sorted {
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
        _ fixes: ArraySlice<Fix>, _ state: FixState, _ checks: inout Int,
        _ lint: (SourceText) -> [Diagnostic]
    ) -> [Fix] {
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

    // MARK: Text

    private static func textEdits(
        _ code: String, _ range: Range<Int>, _ bytes: [UInt8]
    ) -> [TextEdit]? {
        let text = bytes[range]
        switch code {
        case "path-not-prefix": return exclusion(range, text)
        case "flag-not-boolean":
            let word = String(decoding: text, as: UTF8.self)
            return ["\"true\"", "\"false\""].contains(word.lowercased())
                ? [TextEdit(range, Array(word.lowercased().dropFirst().dropLast().utf8))] : nil
        case "apps-not-array", "app-ids-not-array", "paths-not-array", "variable-not-array":
            // Several in one text are several readings.
            let isOne = !text.contains { $0 <= 0x20 || $0 == 0x2C || $0 == 0x3B }
            return text.first == UInt8(ascii: "\"") && isOne ? bracketed(range) : nil
        case "entitlement-upper-case": return replaced(range, bytes, with: lowercased(text))
        case "security-contact-uri":
            guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let value = text[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
            // Must be an e-mail address: other text may be a page or a telephone number.
            guard value.contains(UInt8(ascii: "@")), !value.contains(UInt8(ascii: ":")) else {
                return nil
            }
            return [TextEdit(value.startIndex..<value.startIndex, Array("mailto:".utf8))]
        case "assetlinks-fingerprint-case": return replaced(range, bytes, with: uppercased(text))
        case "app-id-blank":
            guard text.count > 2, text.first == UInt8(ascii: "\"") else { return nil }
            let inner = text.dropFirst().dropLast()
            var trimmed = inner.drop { $0 == 0x20 }
            while trimmed.last == 0x20 { trimmed.removeLast() }
            return replaced(
                range, bytes,
                with: [UInt8(ascii: "\"")] + Array(trimmed) + [UInt8(ascii: "\"")])
        default: return nil
        }
    }

    private static func replaced(
        _ range: Range<Int>, _ bytes: [UInt8], with text: [UInt8]
    ) -> [TextEdit]? {
        bytes[range].elementsEqual(text) ? nil : [TextEdit(range, text)]
    }

    private static func bracketed(_ range: Range<Int>) -> [TextEdit] {
        [
            TextEdit(range.lowerBound..<range.lowerBound, [UInt8(ascii: "[")]),
            TextEdit(range.upperBound..<range.upperBound, [UInt8(ascii: "]")]),
        ]
    }

    /// `"not  /x"` and `"!/x"` become `"NOT /x"`.
    private static func exclusion(_ range: Range<Int>, _ text: ArraySlice<UInt8>) -> [TextEdit]? {
        guard text.count > 2, text.first == UInt8(ascii: "\"") else { return nil }
        var path = text.dropFirst().dropLast().drop { $0 == 0x20 }
        if path.first == UInt8(ascii: "!") {
            path = path.dropFirst()
        } else if String(decoding: path.prefix(3), as: UTF8.self).uppercased() == "NOT" {
            path = path.dropFirst(3)
        } else {
            return nil
        }
        path = path.drop { $0 == 0x20 }
        if path.starts(with: "\\t".utf8) { path = path.dropFirst(2) }
        guard path.first == UInt8(ascii: "/") || path.first == UInt8(ascii: "*") else { return nil }
        return [TextEdit(range, Array("\"NOT ".utf8) + Array(path) + [UInt8(ascii: "\"")])]
    }

    private static func lowercased(_ text: ArraySlice<UInt8>) -> [UInt8] {
        text.map(\.asciiLowercased)
    }

    private static func uppercased(_ text: ArraySlice<UInt8>) -> [UInt8] {
        text.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    }

    // MARK: Elements

    private static func elementEdits(
        _ finding: Diagnostic, _ range: Range<Int>, _ source: SourceText,
        _ places: inout FixPlaces??
    ) -> [TextEdit]? {
        let code = finding.code
        let edit: (FixPlaces) -> [TextEdit]?
        switch code {
        case "app-id-array": edit = { renaming(range, to: "appIDs", in: $0) }
        case "components-not-array":
            edit = { places in
                let value = places.value(range)
                let isRule = ["/", "?", "#"].contains { value?[$0] != nil }
                return isRule ? bracketed(range) : nil
            }
        case "assetlinks-not-array":
            edit = { places in
                places.root.range == range && places.root["relation"] != nil
                    ? bracketed(range) : nil
            }
        case _ where isMisspelt(code):
            guard let key = meantKey(finding.remedy) else { return nil }
            edit = { renaming(range, to: key, in: $0, ifValue: fits(key)) }
        default: return nil
        }
        if places == nil {
            places = .some((try? JSONReader.read(source)).map { FixPlaces($0.root) })
        }
        return (places ?? nil).flatMap(edit)
    }

    /// The key in a remedy such as `write "appIDs"`, if it leaves no choice.
    private static func meantKey(_ remedy: String?) -> String? {
        guard let remedy, remedy.hasPrefix("write \""), remedy.hasSuffix("\"") else { return nil }
        let key = remedy.dropFirst(7).dropLast()
        return key.isEmpty || key.contains("\"") ? nil : String(key)
    }

    /// Whether the value has a valid type for this key: otherwise the name is not the only error.
    private static func fits(_ key: String) -> (JSONValue) -> Bool {
        { value in
            switch key {
            case "/", "#", "comment": value.string != nil
            case "?": value.string != nil || value.members != nil
            case "exclude", "caseSensitive", "percentEncoded": value.bool != nil
            default: true
            }
        }
    }

    /// A key by another name, unless that stands beside it already.
    private static func renaming(
        _ range: Range<Int>, to key: String, in places: FixPlaces,
        ifValue isFit: (JSONValue) -> Bool = { _ in true }
    ) -> [TextEdit]? {
        guard let place = places.member(range), isFit(place.value),
            places.takes(key, beside: place)
        else { return nil }
        return [TextEdit(range, Array("\"\(key)\"".utf8))]
    }
}
