/// What a finding's remedy says, as edits: only for findings whose remedy leaves no choice.
public struct Fix: Sendable, Hashable {
    /// The finding's code.
    public let code: String
    /// What replaces the faulty bytes, in ascending order and without overlap.
    public let edits: [TextEdit]
}

/// Mends what can be mended without asking anybody.
public enum Fixer {
    /// Every pass reads the document again; what is left after so many is left.
    private static let passesMaximum = 50

    /// The fix of one finding; nil where a person has to decide.
    ///
    /// - Parameters:
    ///   - finding: one of ``Linter``'s.
    ///   - source: the document in which it was found.
    public static func fix(for finding: Diagnostic, in source: SourceText) -> Fix? {
        guard let range = finding.range, range.upperBound <= source.bytes.count else { return nil }
        let edits =
            textEdits(finding.code, range, source.bytes)
            ?? elementEdits(finding.code, range, source)
        return edits.map { Fix(code: finding.code, edits: $0) }
    }

    /// A document with everything fixed that can be.
    ///
    /// - Parameters:
    ///   - source: the document as it is.
    ///   - lint: the findings of a text; asked again after every pass, because a fix may let others
    ///     come to light, as behind a comma that kept a file from being read.
    /// - Returns: the text, and the codes of what was fixed, in the order of the fixes.
    public static func fixed(
        _ source: SourceText, lint: (SourceText) -> [Diagnostic]
    ) -> (bytes: [UInt8], codes: [String]) {
        var current = source
        var codes: [String] = []
        for _ in 0..<passesMaximum {
            var edits: [TextEdit] = []
            var end = 0
            let fixes = lint(current).compactMap { fix(for: $0, in: current) }.sorted {
                ($0.edits.first?.range.lowerBound ?? 0) < ($1.edits.first?.range.lowerBound ?? 0)
            }
            var made: [String] = []
            for fix in fixes {
                // Fixes of one place wait for the next pass: the first may have moved the second.
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
        case "json-comment": return comment(at: range.lowerBound, bytes)
        case "assetlinks-fingerprint-case": return replaced(range, bytes, with: uppercased(text))
        case "pattern-lower-hex": return replaced(range, bytes, with: escapesUppercased(text))
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

    /// To the end of its line, or of the comment; with the blanks before it.
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

    private static func uppercased(_ text: ArraySlice<UInt8>) -> [UInt8] {
        text.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    }

    /// `%c3` becomes `%C3`.
    private static func escapesUppercased(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var output = Array(text)
        for index in output.indices.dropLast(2) where output[index] == UInt8(ascii: "%") {
            for digit in index + 1...index + 2 where (0x61...0x66).contains(output[digit]) {
                output[digit] -= 0x20
            }
        }
        return output
    }

    /// A character that stands first in a string.
    private static func dropping(
        _ byte: UInt8, _ range: Range<Int>, _ bytes: [UInt8]
    ) -> [TextEdit]? {
        let place = range.lowerBound + 1
        guard range.count > 2, bytes[place] == byte else { return nil }
        return [TextEdit(place..<place + 1, [])]
    }

    // MARK: Elements

    private static func elementEdits(
        _ code: String, _ range: Range<Int>, _ source: SourceText
    ) -> [TextEdit]? {
        switch code {
        case "app-listed-twice", "exclude-without-effect", "rule-redundant", "variable-unused",
            "webauthn-origin-twice":
            guard let document = try? JSONReader.read(source) else { return nil }
            return removal(of: range, in: document.root)
        default: return nil
        }
    }

    /// Takes the element with this range, or the member with this key, out of its container; the
    /// last of a container stays, since an empty one is another finding.
    private static func removal(of range: Range<Int>, in value: JSONValue) -> [TextEdit]? {
        var container = value
        while true {
            let inner: [(own: Range<Int>, key: Range<Int>, value: JSONValue)]
            switch container.kind {
            case .array(let values): inner = values.map { ($0.range, $0.range, $0) }
            case .object(let members):
                inner = members.map { ($0.range, $0.keyRange, $0.value) }
            case .null, .bool, .number, .string: return nil
            }
            if let place = inner.firstIndex(where: { $0.own == range || $0.key == range }) {
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
