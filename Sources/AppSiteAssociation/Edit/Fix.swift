/// The edits that fix a finding: only for findings with exactly one remedy.
public struct Fix: Sendable, Hashable {
    /// The finding's code.
    public let code: String
    /// The edits, in ascending order and without overlap.
    public let edits: [TextEdit]
}

/// Fixes findings that need no decision.
public enum Fixer {
    /// Every pass reads the document again, and of findings side by side it mends every other one.
    /// What is left after so many passes is left: 50 for a document of 128 KB, 1,000 for one of
    /// 6 KB.
    private static func passesMaximum(_ bytes: Int) -> Int {
        max(50, min(1_000, 6_553_600 / max(1, bytes)))
    }

    /// Whether findings of this code can have a fix: all of them are asked for, where else some
    /// hundred of a code are listed.
    static func mends(_ code: String) -> Bool { codes.contains(code) || isMisspelt(code) }

    private static func isMisspelt(_ code: String) -> Bool { code.hasSuffix("-misspelt") }

    private static let codes: Set<String> = [
        "json-byte-order-mark", "json-trailing-comma", "json-comment", "json-unquoted-key",
        "json-unquoted-string", "json-invalid-literal", "json-single-quote", "json-smart-quote",
        "json-unicode-space", "json-missing-comma", "json-outer-braces-missing", "path-not-prefix",
        "flag-not-boolean", "apps-not-array", "app-ids-not-array", "paths-not-array",
        "variable-not-array", "entitlement-upper-case", "security-contact-uri",
        "assetlinks-fingerprint-case", "fragment-with-hash", "query-with-mark", "app-id-blank",
        "app-listed-twice", "exclude-without-effect", "rule-redundant", "variable-unused",
        "variable-value-twice", "webauthn-origin-twice", "query-empty", "app-id-array",
        "components-not-array", "assetlinks-not-array", "json-missing-value", "json-missing-colon",
        "json-unexpected-byte", "json-extra-content",
    ]

    /// Fixes that take away what nothing reaches or uses.
    private static let removals: Set<String> = [
        "exclude-without-effect", "rule-redundant", "variable-unused",
    ]

    /// Findings about what is not read as it was meant, besides misspelt keys and wrong types.
    private static let misreadings: Set<String> = [
        "app-id-array", "component-with-not", "component-without-pattern", "entry-rules-missing",
        "key-misplaced", "path-not-prefix", "variable-unclosed", "variable-undefined",
    ]

    /// Whether what rules reach and use is not known yet.
    private static func tellsOfMisreading(_ finding: Diagnostic) -> Bool {
        isMisspelt(finding.code) || misreadings.contains(finding.code)
            || ShapeRule(rawValue: finding.code)?.severity == .error
    }

    /// The fix of one finding; nil where a person has to decide.
    ///
    /// - Parameters:
    ///   - finding: from ``Linter``.
    ///   - source: the document of the finding.
    public static func fix(for finding: Diagnostic, in source: SourceText) -> Fix? {
        guard let range = finding.range, range.upperBound <= source.bytes.count else { return nil }
        var places: FixPlaces??
        return fix(for: finding, range, in: source, &places)
    }

    /// - Parameter places: what the source holds, read when the first fix needs it; `.some(nil)`
    ///   where that is no JSON.
    private static func fix(
        for finding: Diagnostic, _ range: Range<Int>, in source: SourceText,
        _ places: inout FixPlaces??
    ) -> Fix? {
        guard mends(finding.code) else { return nil }
        let edits =
            textEdits(finding.code, range, source.bytes)
            ?? JSONSlipFix.edits(finding.code, range, source.bytes)
            ?? elementEdits(finding, range, source, &places)
        return edits.map { Fix(code: finding.code, edits: $0) }
    }

    /// A document with all possible fixes.
    ///
    /// - Parameters:
    ///   - source: the current document.
    ///   - isWanted: whether a finding is to be mended: what is switched off is meant.
    ///   - lint: returns the findings of a text; called after every pass, because a fix may reveal
    ///     others, as after a comma that prevented parsing.
    /// - Returns: the text, and the codes of the fixed findings, in order.
    public static func fixed(
        _ source: SourceText, isWanted: (Diagnostic) -> Bool = { _ in true },
        lint: (SourceText) -> [Diagnostic]
    ) -> (bytes: [UInt8], codes: [String]) {
        var current = source
        var codes: [String] = []
        for _ in 0..<passesMaximum(source.bytes.count) {
            var edits: [TextEdit] = []
            var end = 0
            var places: FixPlaces??
            let findings = lint(current)
            let isMisread = findings.contains { Self.tellsOfMisreading($0) }
            let fixes = findings.compactMap { finding -> Fix? in
                // What seems dead beside a misspelt key may be needed once that is mended.
                if isMisread, Self.removals.contains(finding.code) { return nil }
                guard let range = finding.range, range.upperBound <= current.bytes.count,
                    isWanted(finding)
                else { return nil }
                return fix(for: finding, range, in: current, &places)
            }.sorted {
                ($0.edits.first?.range.lowerBound ?? 0) < ($1.edits.first?.range.lowerBound ?? 0)
            }
            var made: [String] = []
            for fix in fixes {
                // Only one fix per place and pass: the first may have moved the others.
                guard let first = fix.edits.first, let last = fix.edits.last,
                    first.range.lowerBound >= end, first.range.upperBound >= end
                else { continue }
                edits += fix.edits
                end = last.range.upperBound + 1
                made.append(fix.code)
            }
            guard !edits.isEmpty, let bytes = TextEdit.apply(edits, to: current.bytes),
                bytes != current.bytes
            else { break }
            codes += made
            current = SourceText(name: source.name, bytes: bytes)
        }
        return (current.bytes, codes)
    }

    // MARK: Text

    private static func textEdits(
        _ code: String, _ range: Range<Int>, _ bytes: [UInt8]
    ) -> [TextEdit]? {
        let text = bytes[range]
        switch code {
        case "json-byte-order-mark":
            guard bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return nil }
            return [TextEdit(0..<3, [])]
        case "json-trailing-comma":
            guard let comma = text.firstIndex(of: UInt8(ascii: ",")) else { return nil }
            return [TextEdit(comma..<comma + 1, [])]
        case "path-not-prefix": return exclusion(range, text)
        case "flag-not-boolean":
            let word = String(decoding: text, as: UTF8.self)
            return ["\"true\"", "\"false\""].contains(word.lowercased())
                ? [TextEdit(range, Array(word.lowercased().dropFirst().dropLast().utf8))] : nil
        case "apps-not-array", "app-ids-not-array", "paths-not-array", "variable-not-array":
            return text.first == UInt8(ascii: "\"") ? bracketed(range) : nil
        case "entitlement-upper-case": return replaced(range, bytes, with: lowercased(text))
        case "security-contact-uri":
            guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let value = text[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
            // Must be an e-mail address: other text may be a page or a telephone number.
            guard value.contains(UInt8(ascii: "@")), !value.contains(UInt8(ascii: ":")) else {
                return nil
            }
            return [TextEdit(value.startIndex..<value.startIndex, Array("mailto:".utf8))]
        case "json-comment": return comment(at: range.lowerBound, bytes)
        case "assetlinks-fingerprint-case": return replaced(range, bytes, with: uppercased(text))
        case "fragment-with-hash": return dropping(UInt8(ascii: "#"), range, bytes)
        case "query-with-mark": return dropping(UInt8(ascii: "?"), range, bytes)
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
        guard path.first == UInt8(ascii: "/") || path.first == UInt8(ascii: "*") else { return nil }
        return [TextEdit(range, Array("\"NOT ".utf8) + Array(path) + [UInt8(ascii: "\"")])]
    }

    /// To the end of the line, or of the comment; including the blanks before it.
    private static func comment(at start: Int, _ bytes: [UInt8]) -> [TextEdit]? {
        let rest = bytes[start...]
        var begin = start
        while begin > 0, bytes[begin - 1] == 0x20 || bytes[begin - 1] == 0x09 { begin -= 1 }
        if rest.starts(with: "//".utf8) || rest.starts(with: "#".utf8) {
            let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
            return [TextEdit(begin..<end, [])]
        }
        guard rest.starts(with: "/*".utf8) else { return nil }
        var index = start + 2
        while index + 1 < bytes.count {
            if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
                return [TextEdit(begin..<index + 2, [])]
            }
            index += 1
        }
        return nil
    }

    private static func lowercased(_ text: ArraySlice<UInt8>) -> [UInt8] {
        text.map(\.asciiLowercased)
    }

    private static func uppercased(_ text: ArraySlice<UInt8>) -> [UInt8] {
        text.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    }

    /// Removes the first character of a string.
    private static func dropping(
        _ byte: UInt8, _ range: Range<Int>, _ bytes: [UInt8]
    ) -> [TextEdit]? {
        let place = range.lowerBound + 1
        guard range.count > 2, bytes[place] == byte else { return nil }
        return [TextEdit(place..<place + 1, [])]
    }

    // MARK: Elements

    private static func elementEdits(
        _ finding: Diagnostic, _ range: Range<Int>, _ source: SourceText,
        _ places: inout FixPlaces??
    ) -> [TextEdit]? {
        let code = finding.code
        let edit: (FixPlaces) -> [TextEdit]?
        switch code {
        case "app-listed-twice", "exclude-without-effect", "rule-redundant", "variable-unused",
            "variable-value-twice", "webauthn-origin-twice":
            edit = { $0.removal(of: range) }
        case "query-empty":
            // It may be there to switch off the query of the defaults around it.
            edit = { $0.defaultsHoldQuery ? nil : $0.removal(of: range, byValue: true) }
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
