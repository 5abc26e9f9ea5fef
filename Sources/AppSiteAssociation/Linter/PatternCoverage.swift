/// A pattern as a sequence of symbols, to test whether one pattern matches everything that another
/// does.
///
/// The test is sound but not complete: yes is certain, no may mean that it could not be shown
/// (values of variables are not expanded). A linter may miss a finding, but must not be wrong.
struct PatternOutline: Hashable {
    let symbols: [PatternSymbol]

    /// Whether it matches everything.
    var isEverything: Bool { symbols.count == 1 && symbols[0] == .run }

    /// Whether it holds a variable, whose values the document may give.
    var hasVariable: Bool { symbols.contains(where: \.isVariable) }

    static let everything = PatternOutline(symbols: [.run])

    init(symbols: [PatternSymbol]) { self.symbols = symbols }

    /// - Parameter isPath: in paths, leading slashes are optional and trailing ones ignored.
    init(_ text: String, isPath: Bool, folded: Bool) {
        var text = folded ? Self.folded(text) : text
        let slash = UInt8(ascii: "/")
        symbols = text.withUTF8 { bytes in
            var bytes = bytes[...]
            if isPath {
                while bytes.last == slash { bytes = bytes.dropLast() }
                bytes = bytes.drop { $0 == slash }
            }
            var symbols: [PatternSymbol] = []
            symbols.reserveCapacity(bytes.count)
            var index = bytes.startIndex
            while index < bytes.endIndex {
                switch bytes[index] {
                case UInt8(ascii: "*"):
                    if symbols.last != .run { symbols.append(.run) }
                    index += 1
                case UInt8(ascii: "?"):
                    symbols.append(.one)
                    index += 1
                case UInt8(ascii: "$"):
                    if let end = Self.endOfVariable(bytes, at: index) {
                        PatternSymbol.append(variable: bytes[(index + 2)..<end], to: &symbols)
                        index = end + 1
                    } else {
                        symbols.append(.literal("$"))
                        index += 1
                    }
                case let byte where byte < 0x80:
                    symbols.append(.literal(Unicode.Scalar(byte)))
                    index += 1
                default: PatternSymbol.append(scalarAt: &index, of: bytes, to: &symbols)
                }
            }
            return symbols
        }
    }

    /// In lower case, except for names of variables: these are always case-sensitive.
    private static func folded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return text.lowercased() }
        var output = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "$"),
            let end = rest[start...].firstIndex(of: ")")
        {
            output += rest[..<start].lowercased() + rest[start...end]
            rest = rest[rest.index(after: end)...]
        }
        return output + rest.lowercased()
    }

    private static func endOfVariable(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>, at start: Int
    ) -> Int? {
        guard start + 1 < bytes.endIndex, bytes[start + 1] == UInt8(ascii: "(") else { return nil }
        let end = bytes[(start + 2)...].firstIndex {
            $0 == UInt8(ascii: ")") || $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "$")
        }
        guard let end, bytes[end] == UInt8(ascii: ")") else { return nil }
        return end
    }

    /// `/buy/*` also matches `/buy` (swcutil): the length of the second form, if there is one.
    private var lengthWithoutSlashRun: Int? {
        guard symbols.count >= 2, symbols[symbols.count - 1] == .run,
            symbols[symbols.count - 2] == .literal("/")
        else { return nil }
        return symbols.count - 2
    }

    /// The prefix that any covered pattern must have, too: literals and the document's variables
    /// before the first wildcard, without the slash of a final `/*`, which is optional; at most
    /// `maximum`.
    func exactPrefix(_ maximum: Int) -> ArraySlice<PatternSymbol> {
        let exact = symbols.prefix(maximum).prefix(while: \.isExact)
        return lengthWithoutSlashRun.map { exact.prefix($0) } ?? exact
    }

    /// Whether this pattern certainly matches every path that `other` matches.
    func coversPath(_ other: PatternOutline, _ budget: inout CoverageBudget) -> Bool {
        if isEverything { return true }
        if isCertainlyApart(from: other) { return false }
        let short = lengthWithoutSlashRun
        func takes(_ theirs: ArraySlice<PatternSymbol>, _ budget: inout CoverageBudget) -> Bool {
            if Self.covers(symbols[...], theirs, &budget) { return true }
            return short.map { Self.covers(symbols[..<$0], theirs, &budget) } ?? false
        }
        guard takes(other.symbols[...], &budget) else { return false }
        return other.lengthWithoutSlashRun.map { takes(other.symbols[..<$0], &budget) } ?? true
    }

    /// Whether this pattern certainly matches every text that `other` matches.
    ///
    /// `other` is treated as a text over a larger alphabet, in which its `*` and variables are
    /// symbols that only a `*` here (or the same variable) can match. Greedy, with one backtracking
    /// point per `*`.
    func covers(_ other: PatternOutline, _ budget: inout CoverageBudget) -> Bool {
        Self.covers(symbols[...], other.symbols[...], &budget)
    }

    private static func covers(
        _ symbols: ArraySlice<PatternSymbol>, _ text: ArraySlice<PatternSymbol>,
        _ budget: inout CoverageBudget
    ) -> Bool {
        var i = 0
        var j = 0
        var star: (pattern: Int, text: Int)?
        while j < text.count {
            guard budget.spend() else { return false }
            if i < symbols.count, symbols[i] == .run {
                star = (i, j)
                i += 1
            } else if i < symbols.count, symbols[i].takes(text[j]) {
                i += 1
                j += 1
            } else if let back = star {
                star = (back.pattern, back.text + 1)
                i = back.pattern + 1
                j = back.text + 1
            } else {
                return false
            }
        }
        while i < symbols.count, symbols[i] == .run { i += 1 }
        return i == symbols.count
    }

    /// Whether certainly no text matches both; false if uncertain. Compares only the prefixes
    /// before the first wildcard, which is enough for most pairs of rules.
    func isCertainlyApart(from other: PatternOutline) -> Bool {
        for (a, b) in zip(symbols, other.symbols) {
            guard a.scalar != nil, b.scalar != nil else { return false }
            if a != b { return true }
        }
        return false
    }
}

/// The remaining steps to compare patterns of one document.
///
/// Comparing two patterns costs at most the product of their lengths; a hostile document of 131,072
/// bytes could cause billions of steps. When the budget is spent, every further result is "not
/// shown", and the linter reports this.
struct CoverageBudget {
    private(set) var steps: Int

    init(steps: Int = LintLimits.coverageSteps) { self.steps = steps }

    var isSpent: Bool { steps <= 0 }

    mutating func spend(_ count: Int = 1) -> Bool {
        steps = max(-1, steps - count)
        return steps >= 0
    }
}

/// One symbol of a ``PatternOutline``: a number, so that arrays of them are copied and freed in one
/// operation; a document has hundreds of thousands.
///
/// A variable of the document is a sequence of symbols: a start, the letters of its name, which
/// equal no literal, and an end. Only a `*` or the same variable matches it.
struct PatternSymbol: Hashable {
    private let code: UInt32

    /// `?`
    static let one = PatternSymbol(code: 0x0020_0000)
    /// `*`
    static let run = PatternSymbol(code: 0x0020_0001)
    private static let variableBegins = PatternSymbol(code: 0x0020_0002)
    private static let variableEnds = PatternSymbol(code: 0x0020_0003)
    /// The first of the built-in variables for one ASCII character, in the order of ``classes``.
    private static let firstClass: UInt32 = 0x0020_0010
    private static let nameLetter: UInt32 = 0x0040_0000

    private init(code: UInt32) { self.code = code }

    static func literal(_ scalar: Unicode.Scalar) -> PatternSymbol {
        PatternSymbol(code: scalar.value)
    }

    /// The literal character; nil for other symbols.
    var scalar: Unicode.Scalar? { code < 0x0011_0000 ? Unicode.Scalar(code) : nil }

    /// Appends the scalar at `index` and advances `index`.
    static func append(
        scalarAt index: inout Int, of bytes: Slice<UnsafeBufferPointer<UInt8>>,
        to symbols: inout [PatternSymbol]
    ) {
        let lead = bytes[index]
        let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var value = UInt32(lead) & (length == 1 ? 0x7F : UInt32(0xFF) >> UInt32(length + 1))
        for offset in 1..<max(1, length) {
            value = value << 6 | UInt32(bytes[index + offset] & 0x3F)
        }
        symbols.append(PatternSymbol(code: value))
        index += length
    }

    /// Appends the symbols of the variable with this name.
    static func append(
        variable name: Slice<UnsafeBufferPointer<UInt8>>, to symbols: inout [PatternSymbol]
    ) {
        if let index = classes.firstIndex(where: { $0.name.utf8.elementsEqual(name) }) {
            symbols.append(PatternSymbol(code: firstClass + UInt32(index)))
            return
        }
        symbols.append(variableBegins)
        for byte in name { symbols.append(PatternSymbol(code: nameLetter + UInt32(byte))) }
        symbols.append(variableEnds)
    }

    /// Whether this symbol of a covering pattern matches one of the covered.
    func takes(_ other: PatternSymbol) -> Bool {
        if code == other.code { return self != .run }
        // Beyond ASCII one character may be several scalars.
        if self == .one { return other.code < 0x80 || other.isClass }
        guard isClass, let scalar = other.scalar else { return false }
        return Self.classes[Int(code - Self.firstClass)].holds(scalar)
    }

    /// Whether it matches only itself: a literal, or a part of a variable.
    var isExact: Bool {
        code < 0x0011_0000 || code == Self.variableBegins.code || code == Self.variableEnds.code
            || code >= Self.nameLetter
    }

    /// Whether a variable begins here; a document may give a class's name to one of its own.
    var isVariable: Bool { code == Self.variableBegins.code || isClass }

    /// Its code, ignoring case.
    var foldedCode: UInt32 {
        guard let scalar else { return code }
        if scalar.isASCII {
            return ("A"..."Z").contains(scalar) ? scalar.value | 0x20 : scalar.value
        }
        // Checked first: a mapping creates a string, and most letters beyond ASCII have no case.
        guard scalar.properties.changesWhenLowercased else { return scalar.value }
        let lower = scalar.properties.lowercaseMapping.unicodeScalars
        return lower.count == 1 ? lower[lower.startIndex].value : scalar.value
    }

    private var isClass: Bool {
        code >= Self.firstClass && code < Self.firstClass + UInt32(Self.classes.count)
    }

    /// Built-in variables of one ASCII character.
    private static let classes: [(name: String, holds: @Sendable (Unicode.Scalar) -> Bool)] = [
        ("digit", { ("0"..."9").contains($0) }),
        ("upper", { ("A"..."Z").contains($0) }),
        ("lower", { ("a"..."z").contains($0) }),
        ("alpha", { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }),
        (
            "alnum",
            { ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) }
        ),
        (
            "xdigit",
            { ("a"..."f").contains($0) || ("A"..."F").contains($0) || ("0"..."9").contains($0) }
        ),
    ]
}
