/// A pattern as a row of symbols, to ask whether one pattern matches everything another does.
///
/// The answer is sound but not complete: yes is certain, no may only mean that it could not be
/// shown (values of variables are not multiplied out). A linter may keep silent, but must not be
/// wrong.
struct PatternOutline: Hashable {
    enum Symbol: Hashable {
        case literal(Unicode.Scalar)
        /// `?`
        case one
        /// `*`
        case run
        /// `$(name)`
        case variable(String)
    }

    let symbols: [Symbol]

    /// Whether it matches whatever stands there.
    var isEverything: Bool {
        guard symbols.count == 1, case .run = symbols[0] else { return false }
        return true
    }

    static let everything = PatternOutline(symbols: [.run])

    init(symbols: [Symbol]) { self.symbols = symbols }

    /// - Parameter isPath: leading slashes are optional and trailing ones without meaning there.
    init(_ text: String, isPath: Bool, folded: Bool) {
        var scalars = Array((folded ? text.lowercased() : text).unicodeScalars)
        // Names of variables are case-sensitive also where patterns are not; lower case of both
        // sides keeps equal names equal, and names that differ in case alone are not worth a wrong
        // "covered".
        if isPath {
            while scalars.last == "/" { scalars.removeLast() }
            scalars = Array(scalars.drop { $0 == "/" })
        }
        var symbols: [Symbol] = []
        var index = 0
        while index < scalars.count {
            switch scalars[index] {
            case "*":
                if symbols.last != .run { symbols.append(.run) }
            case "?":
                symbols.append(.one)
            case "$":
                if let end = Self.endOfVariable(scalars, at: index) {
                    let name = String(
                        String.UnicodeScalarView(scalars[(index + 2)..<end]))
                    symbols.append(.variable(name))
                    index = end
                } else {
                    symbols.append(.literal("$"))
                }
            case let scalar:
                symbols.append(.literal(scalar))
            }
            index += 1
        }
        self.symbols = symbols
    }

    private static func endOfVariable(_ scalars: [Unicode.Scalar], at start: Int) -> Int? {
        guard start + 1 < scalars.count, scalars[start + 1] == "(" else { return nil }
        let end = scalars[(start + 2)...].firstIndex { $0 == ")" || $0 == "(" || $0 == "$" }
        guard let end, scalars[end] == ")" else { return nil }
        return end
    }

    /// `/buy/*` also matches `/buy` (swcutil): the length of the second form, if there is one.
    private var lengthWithoutSlashRun: Int? {
        guard symbols.count >= 2, case .run = symbols[symbols.count - 1],
            symbols[symbols.count - 2] == .literal("/")
        else { return nil }
        return symbols.count - 2
    }

    /// How many literals any pattern that is covered has to begin with as well: those in front of
    /// the first wildcard, without the slash that `/*` at the end does not insist on.
    var literalPrefix: ArraySlice<Symbol> {
        let literals = symbols.prefix {
            if case .literal = $0 { true } else { false }
        }
        return lengthWithoutSlashRun.map { literals.prefix($0) } ?? literals
    }

    /// Whether every path that `other` matches is certainly matched by this one.
    func coversPath(_ other: PatternOutline, _ budget: inout CoverageBudget) -> Bool {
        if isEverything { return true }
        if isCertainlyApart(from: other) { return false }
        let mine = [symbols.count, lengthWithoutSlashRun].compactMap { $0 }
        for theirs in [other.symbols.count, other.lengthWithoutSlashRun].compactMap({ $0 }) {
            guard
                mine.contains(where: {
                    Self.covers(symbols[..<$0], other.symbols[..<theirs], &budget)
                })
            else { return false }
        }
        return true
    }

    /// Whether every text that `other` matches is certainly matched by this one.
    ///
    /// `other` is read as a text over a larger alphabet in which its `*` and variables are signs
    /// that only a `*` here (or the same variable) can take. Greedy, with one step back per `*`.
    func covers(_ other: PatternOutline, _ budget: inout CoverageBudget) -> Bool {
        Self.covers(symbols[...], other.symbols[...], &budget)
    }

    private static func covers(
        _ symbols: ArraySlice<Symbol>, _ text: ArraySlice<Symbol>, _ budget: inout CoverageBudget
    ) -> Bool {
        var i = 0
        var j = 0
        var star: (pattern: Int, text: Int)?
        while j < text.count {
            guard budget.spend() else { return false }
            if i < symbols.count, case .run = symbols[i] {
                star = (i, j)
                i += 1
            } else if i < symbols.count, Self.takes(symbols[i], text[j]) {
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
        while i < symbols.count, case .run = symbols[i] { i += 1 }
        return i == symbols.count
    }

    /// Whether one symbol of the covering pattern takes one of the covered.
    private static func takes(_ mine: Symbol, _ theirs: Symbol) -> Bool {
        switch (mine, theirs) {
        case (.one, .one): true
        // Beyond ASCII one character may be several scalars.
        case (.one, .literal(let scalar)): scalar.isASCII
        case (.one, .variable(let name)): Self.classes[name] != nil
        case (.literal(let a), .literal(let b)): a == b
        case (.variable(let name), .literal(let scalar)):
            Self.classes[name].map { $0(scalar) } ?? false
        case (.variable(let a), .variable(let b)): a == b
        case (.variable, .one), (.literal, .one), (.literal, .variable), (_, .run), (.run, _):
            false
        }
    }

    /// Built-in variables of one ASCII character.
    private static let classes: [String: @Sendable (Unicode.Scalar) -> Bool] = [
        "digit": { ("0"..."9").contains($0) },
        "upper": { ("A"..."Z").contains($0) },
        "lower": { ("a"..."z").contains($0) },
        "alpha": { ("a"..."z").contains($0) || ("A"..."Z").contains($0) },
        "alnum": {
            ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
        },
        "xdigit": {
            ("a"..."f").contains($0) || ("A"..."F").contains($0) || ("0"..."9").contains($0)
        },
    ]

    /// Whether no text at all is matched by both; false when in doubt.
    /// Looks at the beginnings only, up to the first wildcard: most pairs of rules end here.
    func isCertainlyApart(from other: PatternOutline) -> Bool {
        for (a, b) in zip(symbols, other.symbols) {
            guard case .literal(let left) = a, case .literal(let right) = b else { return false }
            if left != right { return true }
        }
        return false
    }
}

/// Steps left for the question which pattern covers which, of one document.
///
/// Comparing two patterns costs at most the product of their lengths; a hostile document of 131,072
/// bytes could ask for billions of steps. When the budget is spent every further answer is "not
/// shown", and the linter says so.
struct CoverageBudget {
    private(set) var steps: Int

    init(steps: Int = LintLimits.coverageSteps) { self.steps = steps }

    var isSpent: Bool { steps <= 0 }

    mutating func spend(_ count: Int = 1) -> Bool {
        steps = max(-1, steps - count)
        return steps >= 0
    }
}
