/// Compiles patterns into instructions.
///
/// The language (*applinks.Details.Components*, *applinks.SubstitutionVariables*): `*` matches any
/// sequence of characters, `?` exactly one, `$(name)` one of a variable's values; there is no
/// escape. A value may contain `*` and `?` but no other variable.
struct PatternCompiler {
    /// A `substitutionVariables` entry: its name, exactly as written, and its values.
    typealias Definition = (name: String, values: [String])

    private(set) var code = PatternCode()
    private let definitions: [Definition]
    /// Positions by name; the first of equal names.
    private let places: [ExactText: Int]
    /// The number of the compiled variable per definition, twice: as written, and folded.
    private var compiled: [UInt32?]

    init(variables: [Definition], capacity: Int = 0) {
        definitions = variables
        places = Dictionary(
            variables.enumerated().map { (ExactText($0.element.name), $0.offset) },
            uniquingKeysWith: { first, _ in first })
        compiled = Array(repeating: nil, count: 2 * variables.count)
        code.ops.reserveCapacity(2 * capacity)
        code.bytes.reserveCapacity(16 * capacity)
    }

    /// Compiles a pattern for a query or a fragment.
    mutating func compile(_ pattern: String, caseSensitive: Bool) -> CompiledPattern {
        var pattern = pattern
        return pattern.withUTF8 {
            compile($0, of: 0..<$0.count, caseSensitive: caseSensitive, isPath: false)
        }
    }

    /// Compiles a pattern for a path: leading slashes are optional and trailing ones ignored, so
    /// both are removed here, as `URLText` removes them from the URL's path (swcutil: `abc` =
    /// `/abc`, `/buy` = `/buy/`).
    mutating func compilePath(_ pattern: String, caseSensitive: Bool) -> CompiledPattern {
        var pattern = pattern
        return pattern.withUTF8 {
            var first = 0
            var end = $0.count
            while end > 0, $0[end - 1] == UInt8(ascii: "/") { end -= 1 }
            while first < end, $0[first] == UInt8(ascii: "/") { first += 1 }
            return compile($0, of: first..<end, caseSensitive: caseSensitive, isPath: true)
        }
    }

    /// Compiles text without special characters: the name of a query item.
    mutating func literal(_ text: String, caseSensitive: Bool) -> CompiledPattern {
        var text = text
        return text.withUTF8 {
            let first = code.ops.count
            appendLiteral($0, 0..<$0.count, caseSensitive)
            return finish(first: first, isPath: false)
        }
    }

    private mutating func compile(
        _ text: UnsafeBufferPointer<UInt8>, of range: Range<Int>, caseSensitive: Bool, isPath: Bool
    ) -> CompiledPattern {
        let first = code.ops.count
        appendOps(text, of: range, caseSensitive: caseSensitive, variables: true)
        return finish(first: first, isPath: isPath)
    }

    private mutating func appendOps(
        _ text: UnsafeBufferPointer<UInt8>, of range: Range<Int>, caseSensitive: Bool,
        variables: Bool
    ) {
        let first = code.ops.count
        var literal = range.lowerBound
        var index = literal
        while index < range.upperBound {
            switch text[index] {
            case UInt8(ascii: "*"):
                appendLiteral(text, literal..<index, caseSensitive)
                // A repeated `*` has no effect.
                if code.ops.count == first || code.ops[code.ops.count - 1].kind != .anyRun {
                    code.ops.append(PatternOp(kind: .anyRun))
                }
                index += 1
                literal = index
            case UInt8(ascii: "?"):
                appendLiteral(text, literal..<index, caseSensitive)
                if code.ops.count > first, code.ops[code.ops.count - 1].kind == .anyCharacters {
                    code.ops[code.ops.count - 1].count += 1
                } else {
                    code.ops.append(PatternOp(kind: .anyCharacters, count: 1))
                }
                index += 1
                literal = index
            case UInt8(ascii: "$") where variables:
                guard let end = Self.endOfName(text, from: index, to: range.upperBound) else {
                    index += 1
                    continue
                }
                appendLiteral(text, literal..<index, caseSensitive)
                let name = String(decoding: text[(index + 2)..<end], as: UTF8.self)
                let op = variable(named: name, caseSensitive: caseSensitive)
                code.ops.append(op)
                index = end + 1
                literal = index
            default:
                index += 1
            }
        }
        appendLiteral(text, literal..<range.upperBound, caseSensitive)
    }

    /// The closing bracket of a `$(name)` that starts at `start`; names contain no `$`, `(` or `)`.
    private static func endOfName(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
    ) -> Int? {
        guard start + 1 < end, text[start + 1] == UInt8(ascii: "(") else { return nil }
        var index = start + 2
        while index < end {
            switch text[index] {
            case UInt8(ascii: ")"): return index
            case UInt8(ascii: "("), UInt8(ascii: "$"): return nil
            default: index += 1
            }
        }
        return nil
    }

    private mutating func appendLiteral(
        _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ caseSensitive: Bool
    ) {
        if range.isEmpty { return }
        let offset = code.bytes.count
        let literal = UnsafeBufferPointer(rebasing: text[range])
        if caseSensitive {
            code.bytes.append(contentsOf: literal)
        } else {
            CaseFolding.fold(literal) { code.bytes.append($0) }
        }
        code.ops.append(
            PatternOp(
                kind: .literal, offset: UInt32(offset), count: UInt32(code.bytes.count - offset)))
    }

    private mutating func variable(named name: String, caseSensitive: Bool) -> PatternOp {
        // A document's own variable takes precedence over a built-in one of the same name.
        if let index = places[ExactText(name)] {
            return PatternOp(
                kind: .variable, offset: compiledVariable(index, caseSensitive: caseSensitive))
        }
        if let characters = CharacterClass(variable: name[...].utf8) {
            let effective = caseSensitive ? characters : characters.folded
            return PatternOp(kind: .character, offset: effective.rawValue)
        }
        switch name {
        case "region": return PatternOp(kind: .region, offset: caseSensitive ? 1 : 0)
        case "lang": return PatternOp(kind: .language)
        default: return PatternOp(kind: .never)
        }
    }

    /// Compiles a variable's values once for all its uses. They are compiled into separate code
    /// first, because the instructions of the current pattern must be contiguous.
    private mutating func compiledVariable(_ index: Int, caseSensitive: Bool) -> UInt32 {
        let slot = 2 * index + (caseSensitive ? 0 : 1)
        if let number = compiled[slot] { return number }
        var values = PatternCompiler(variables: [])
        var ends: [Int] = []
        for var value in definitions[index].values {
            value.withUTF8 {
                values.appendOps(
                    $0, of: 0..<$0.count, caseSensitive: caseSensitive, variables: false)
            }
            ends.append(values.code.ops.count)
        }
        let number = UInt32(code.variables.count)
        pendingValues.append((values.code, ends))
        code.variables.append(PatternCode.Variable(firstAlternative: 0, endAlternative: 0))
        compiled[slot] = number
        return number
    }

    private var pendingValues: [(PatternCode, [Int])] = []

    /// The code compiled so far, with the variables' values after the patterns.
    mutating func finish() -> PatternCode {
        for (number, (values, ends)) in pendingValues.enumerated() {
            let firstOp = code.ops.count
            let firstByte = UInt32(code.bytes.count)
            code.bytes += values.bytes
            code.ops += values.ops.map {
                var op = $0
                if op.kind == .literal { op.offset += firstByte }
                return op
            }
            let firstAlternative = code.alternatives.count
            var start = firstOp
            for end in ends {
                code.alternatives.append(
                    PatternCode.Alternative(
                        firstOp: UInt32(start), endOp: UInt32(firstOp + end)))
                start = firstOp + end
            }
            code.variables[number] = PatternCode.Variable(
                firstAlternative: UInt32(firstAlternative),
                endAlternative: UInt32(code.alternatives.count))
        }
        pendingValues = []
        return code
    }

    private func finish(first: Int, isPath: Bool) -> CompiledPattern {
        let ops = code.ops[first...]
        var pattern = CompiledPattern(
            shape: .segments, endsWithSlashRun: false, firstOp: UInt32(first),
            endOp: UInt32(code.ops.count), head: 0, headMask: 0)
        let kinds = ops.lazy.map(\.kind)
        if kinds.contains(.never) {
            pattern.shape = .never
        } else if kinds.contains(where: { $0 == .variable || $0 == .language }) {
            pattern.shape = .sets
        } else if ops.isEmpty || (ops.count == 1 && ops[first].kind == .literal) {
            pattern.shape = .exact
        } else if ops[first].kind == .anyRun, ops.count == 1 {
            pattern.shape = .anything
        } else if ops.count == 2, ops[first].kind == .literal, ops[first + 1].kind == .anyRun {
            pattern.shape = .prefix
        }
        if let op = ops.first, op.kind == .literal {
            for index in 0..<min(8, Int(op.count)) {
                let byte = UInt64(code.bytes[Int(op.offset) + index])
                pattern.head |= byte << UInt64(8 * index)
                pattern.headMask |= 0xFF << UInt64(8 * index)
            }
        }
        if isPath, ops.count > 1, ops[code.ops.count - 1].kind == .anyRun {
            let before = ops[code.ops.count - 2]
            pattern.endsWithSlashRun =
                before.kind == .literal
                && code.bytes[Int(before.offset + before.count) - 1] == UInt8(ascii: "/")
        }
        return pattern
    }
}
