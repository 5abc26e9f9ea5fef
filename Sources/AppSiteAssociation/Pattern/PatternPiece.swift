/// A piece of a pattern as written: a `$(name)`, or text between them. The only scanner of
/// variables; names contain no `$`, `(` or `)`.
enum PatternPiece: Hashable {
    case text(Substring)
    case variable(String)

    /// The pieces of a pattern, in order.
    static func all(in pattern: String) -> [PatternPiece] {
        let bytes = pattern.utf8
        var pieces: [PatternPiece] = []
        var start = bytes.startIndex
        var search = start
        while let dollar = bytes[search...].firstIndex(of: UInt8(ascii: "$")) {
            search = bytes.index(after: dollar)
            guard let end = endOfName(bytes, from: search) else { continue }
            if start < dollar { pieces.append(.text(pattern[start..<dollar])) }
            pieces.append(.variable(String(pattern[bytes.index(after: search)..<end])))
            start = bytes.index(after: end)
            search = start
        }
        if start < bytes.endIndex { pieces.append(.text(pattern[start...])) }
        return pieces
    }

    /// The names that a pattern uses, without duplicates, in order.
    static func names(in pattern: String) -> [ExactText] {
        guard pattern.utf8.contains(UInt8(ascii: "$")) else { return [] }
        return all(in: pattern).compactMap { piece -> ExactText? in
            guard case .variable(let name) = piece else { return nil }
            return ExactText(name)
        }.unique(by: \.self)
    }

    /// Whether this text holds a `$(` whose bracket is not closed.
    var isUnclosed: Bool {
        guard case .text(let text) = self else { return false }
        return zip(text.utf8, text.utf8.dropFirst()).contains {
            $0 == UInt8(ascii: "$") && $1 == UInt8(ascii: "(")
        }
    }

    /// The closing bracket of the name whose opening bracket is at `start`; nil without a name.
    private static func endOfName(_ bytes: String.UTF8View, from start: String.Index)
        -> String.Index?
    {
        guard start < bytes.endIndex, bytes[start] == UInt8(ascii: "(") else { return nil }
        let end = bytes[bytes.index(after: start)...].firstIndex {
            $0 == UInt8(ascii: ")") || $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "$")
        }
        return end.flatMap { bytes[$0] == UInt8(ascii: ")") ? $0 : nil }
    }
}

extension JSONValue {
    /// The variables that occur in its strings and keys.
    var variableNames: Set<ExactText> {
        var names: Set<ExactText> = []
        forEachValue { value in
            let texts = value.string.map { [$0] } ?? (value.members ?? []).map(\.key)
            for text in texts { names.formUnion(PatternPiece.names(in: text)) }
        }
        return names
    }
}
