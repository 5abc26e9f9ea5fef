/// The edits that fix a finding: only for findings with exactly one remedy.
public struct Fix: Sendable, Hashable {
    /// The finding's code.
    public let code: String
    /// The edits, in ascending order and without overlap.
    public let edits: [TextEdit]
}

/// Fixes findings that need no decision.
public enum Fixer {
    /// Maximum of passes: each parses the document again and fixes one finding of a group. 50 for a
    /// document of 128 KB, 1,000 for one of 6 KB.
    private static func passesMaximum(_ bytes: Int) -> Int {
        max(50, min(1_000, 6_553_600 / max(1, bytes)))
    }

    /// The fix of a finding; nil if a person must decide.
    ///
    /// - Parameters:
    ///   - finding: from ``Linter``.
    ///   - source: the document of the finding.
    public static func fix(for finding: Diagnostic, in source: SourceText) -> Fix? {
        guard let range = finding.range, range.upperBound <= source.bytes.count else { return nil }
        var document: JSONDocument??
        return fix(for: finding, range, in: source, &document)
    }

    /// - Parameter document: the parsed source, on demand; `.some(nil)` if it is not JSON.
    private static func fix(
        for finding: Diagnostic, _ range: Range<Int>, in source: SourceText,
        _ document: inout JSONDocument??
    ) -> Fix? {
        let edits =
            textEdits(finding.code, range, source.bytes)
            ?? JSONSlipFix.edits(finding.code, range, source.bytes)
            ?? elementEdits(finding, range, source, &document)
        return edits.map { Fix(code: finding.code, edits: $0) }
    }

    /// A document with all possible fixes.
    ///
    /// - Parameters:
    ///   - source: the current document.
    ///   - lint: returns the findings of a text; called after every pass, because a fix may reveal
    ///     others, as after a comma that prevented parsing.
    /// - Returns: the text, and the codes of the fixed findings, in order.
    public static func fixed(
        _ source: SourceText, lint: (SourceText) -> [Diagnostic]
    ) -> (bytes: [UInt8], codes: [String]) {
        var current = source
        var codes: [String] = []
        for _ in 0..<passesMaximum(source.bytes.count) {
            var edits: [TextEdit] = []
            var end = 0
            var document: JSONDocument??
            let fixes = lint(current).compactMap { finding -> Fix? in
                guard let range = finding.range, range.upperBound <= current.bytes.count else {
                    return nil
                }
                return fix(for: finding, range, in: current, &document)
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
        _ document: inout JSONDocument??
    ) -> [TextEdit]? {
        let code = finding.code
        let edit: (JSONValue) -> [TextEdit]?
        switch code {
        case "app-listed-twice", "exclude-without-effect", "rule-redundant", "variable-unused",
            "variable-value-twice", "webauthn-origin-twice":
            edit = { removal(of: range, in: $0) }
        case "query-empty":
            // It may be there to disable the query of the defaults.
            edit = { root in
                defaultsHoldQuery(root) ? nil : removal(of: range, in: root, byValue: true)
            }
        case "app-id-array": edit = { renaming(range, to: "appIDs", in: $0) }
        case "components-not-array":
            edit = { root in
                let value = FixPlace.find(root) { $0.value.range == range }?.value.value
                let isRule = ["/", "?", "#"].contains { value?[$0] != nil }
                return isRule ? bracketed(range) : nil
            }
        case "assetlinks-not-array":
            edit = { $0.range == range && $0["relation"] != nil ? bracketed(range) : nil }
        case _ where code.hasSuffix("-misspelt"):
            guard let key = meantKey(finding.remedy) else { return nil }
            edit = { renaming(range, to: key, in: $0, ifValue: fits(key)) }
        default: return nil
        }
        if document == nil { document = .some(try? JSONReader.read(source)) }
        return (document ?? nil).flatMap { edit($0.root) }
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

    private static func defaultsHoldQuery(_ root: JSONValue) -> Bool {
        let applinks = root["applinks"]
        let entries = applinks?["details"]?.array ?? []
        return ([applinks] + entries).contains { $0?["defaults"]?["?"] != nil }
    }

    /// Renames a key, unless the new one exists already.
    private static func renaming(
        _ range: Range<Int>, to key: String, in root: JSONValue,
        ifValue isFit: (JSONValue) -> Bool = { _ in true }
    ) -> [TextEdit]? {
        guard let place = FixPlace.find(root, where: { $0.keyRange == range }),
            place.object.member(key) == nil, isFit(place.value.value)
        else { return nil }
        return [TextEdit(range, Array("\"\(key)\"".utf8))]
    }

    /// Removes the element with this range, or the member with this key, from its container. The
    /// last one stays, as an empty container is another finding.
    ///
    /// - Parameter byValue: whether the range is that of a member's value.
    private static func removal(
        of range: Range<Int>, in value: JSONValue, byValue: Bool = false
    ) -> [TextEdit]? {
        var container = value
        while true {
            let inner: [(own: Range<Int>, key: Range<Int>, value: JSONValue)]
            switch container.kind {
            case .array(let values): inner = values.map { ($0.range, $0.range, $0) }
            case .object(let members):
                inner = members.map { ($0.range, $0.keyRange, $0.value) }
            case .null, .bool, .number, .string: return nil
            }
            let place = inner.firstIndex {
                byValue ? $0.value.range == range : $0.own == range || $0.key == range
            }
            if let place {
                guard inner.count > 1 else { return nil }
                return JSONTextEditor.removals(of: [place], from: container)
            }
            guard
                let next = inner.first(where: {
                    $0.own.lowerBound <= range.lowerBound && range.upperBound <= $0.own.upperBound
                })
            else { return nil }
            container = next.value
        }
    }
}

/// A member of a document and its object.
private struct FixPlace {
    let object: JSONValue
    let value: JSONMember

    /// Searches recursively; documents are a few levels deep.
    static func find(
        _ root: JSONValue, where isWanted: (JSONMember) -> Bool
    ) -> FixPlace? {
        var waiting = [root]
        while let value = waiting.popLast() {
            switch value.kind {
            case .array(let values): waiting += values
            case .object(let members):
                if let member = members.first(where: isWanted) {
                    return FixPlace(object: value, value: member)
                }
                waiting += members.map(\.value)
            case .null, .bool, .number, .string: break
            }
        }
        return nil
    }
}
