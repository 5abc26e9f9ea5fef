/// One pattern of an association file: which texts it matches, and which patterns it covers.
///
/// ```swift
/// let pattern = Pattern("/$(lang)/*")
/// pattern.matches("/en/news")  // true
/// ```
///
/// The language (*applinks.Details.Components*, *applinks.SubstitutionVariables*): `*` matches any
/// sequence of characters, `?` exactly one, `$(name)` one of a variable's values; there is no
/// escape. Whole documents are matched with ``CompiledAssociation``, which also handles order,
/// defaults and percent-encoding.
public struct Pattern: Sendable {
    /// The part of a URL for the pattern.
    public enum Place: Sendable, Hashable {
        /// A path: leading slashes are optional, trailing ones ignored.
        case path
        /// A query, a query item's value, or a fragment.
        case text
    }

    /// The pattern as written.
    public let source: String
    /// The part of a URL that it is compared with.
    public let place: Place
    /// Whether the comparison is case-sensitive.
    public let caseSensitive: Bool
    /// Whether nothing can match, because a variable is undefined.
    public let matchesNothing: Bool
    let symbols: [PatternSymbol]
    let variables: Variables

    /// `*`, which matches every path.
    static let everyPath = Pattern("*")

    /// - Parameters:
    ///   - source: the pattern: `*`, `?` and `$(name)` are special; there is no escape.
    ///   - place: the part of the URL.
    ///   - caseSensitive: whether `A` and `a` differ.
    ///   - variables: the document's `substitutionVariables`; the built-in ones are always
    ///     available.
    public init(
        _ source: String, place: Place = .path, caseSensitive: Bool = true,
        variables: [(name: String, values: [String])] = []
    ) {
        self.init(
            source, place, caseSensitive: caseSensitive,
            variables.isEmpty ? .none : Variables(variables))
    }

    init(_ source: String, _ place: Place, caseSensitive: Bool, _ variables: Variables) {
        self.source = source
        self.place = place
        self.caseSensitive = caseSensitive
        self.variables = variables
        let symbols = Self.symbols(
            of: PatternPiece.all(in: source), folds: !caseSensitive, variables)
        self.symbols = place == .path ? Self.path(symbols) : symbols
        matchesNothing = symbols.contains(.undefined)
    }

    /// The symbols of pieces; without variables, as in values, `$(name)` stands for itself.
    static func symbols(
        of pieces: [PatternPiece], folds: Bool, _ variables: Variables? = nil
    ) -> [PatternSymbol] {
        var symbols: [PatternSymbol] = []
        for piece in pieces {
            switch piece {
            case .variable(let name):
                symbols.append(variables?.symbol(named: name, folds: folds) ?? .undefined)
            case .text(let text):
                symbols.reserveCapacity(symbols.count + text.utf8.count)
                for scalar in text.unicodeScalars {
                    switch scalar {
                    // A repeated `*` has no effect.
                    case "*": if symbols.last != .run { symbols.append(.run) }
                    case "?": symbols.append(.one)
                    default:
                        if folds {
                            symbols += PatternSymbol.folded(scalar)
                        } else {
                            symbols.append(.literal(scalar))
                        }
                    }
                }
            }
        }
        return symbols
    }

    private static let slash = PatternSymbol.literal("/")

    /// Leading slashes are optional and trailing ones ignored (swcutil: `abc` = `/abc`, `/buy` =
    /// `/buy/`), so both are removed, from pattern and path.
    static func path(_ symbols: [PatternSymbol]) -> [PatternSymbol] {
        let end = (symbols.lastIndex { $0 != slash } ?? -1) + 1
        var path = Array(symbols[..<end].drop { $0 == slash })
        if path.count > 1, path[path.count - 1] == .run, path[path.count - 2] == slash {
            path.removeLast(2)
            path.append(.below)
        }
        return path
    }

    /// Whether everything matches, as with `*`.
    public var matchesEverything: Bool { symbols == [.run] }

    /// Whether it depends on a variable, whose values the document may give.
    var hasVariable: Bool { symbols.contains(where: \.isVariable) }

    /// Whether the pattern matches the whole of `text`, which is not decoded.
    public func matches(_ text: String) -> Bool { matches(text, Steps()) }

    /// Like ``matches(_:)``, in a limited number of steps: false when they are spent.
    func matches(_ text: String, _ steps: Steps) -> Bool {
        let symbols = PatternSymbol.literals(of: text, folds: !caseSensitive)
        return ComparedText(place == .path ? Self.path(symbols) : symbols, steps).matches(self)
    }

    /// Whether this pattern certainly matches every text that `other` matches.
    ///
    /// `other` is taken for a text over a larger alphabet: its `*` and variables are symbols that
    /// only a `*` here (or the same variable) matches. The test is sound but not complete: the
    /// values of its variables are not expanded. A linter may miss a finding, but must not be
    /// wrong.
    func covers(_ other: Pattern, _ steps: Steps) -> Bool {
        if matchesEverything { return true }
        // A case-sensitive pattern cannot cover one that is not.
        if caseSensitive, !other.caseSensitive { return false }
        // Rules share the patterns of their defaults.
        if caseSensitive == other.caseSensitive, symbols == other.symbols { return !matchesNothing }
        guard caseSensitive == other.caseSensitive else {
            guard steps.spend(other.symbols.count) else { return false }
            return ComparedText(other.symbols.flatMap(\.folded), steps, isPattern: true)
                .matches(self)
        }
        return ComparedText(other.symbols, steps, isPattern: true).matches(self)
    }

    /// Whether certainly no text matches both; false if uncertain. Compares only the literals
    /// before the first wildcard, which is enough for most pairs of rules.
    func isCertainlyApart(from other: Pattern) -> Bool {
        for (mine, theirs) in zip(symbols, other.symbols) {
            guard case .literal = mine, case .literal = theirs else { return false }
            if mine != theirs { return true }
        }
        return false
    }

    /// The same text with other names of variables.
    static func renaming(_ source: String, _ renames: [ExactText: String]) -> String {
        PatternPiece.all(in: source).map { piece in
            switch piece {
            case .text(let text): String(text)
            case .variable(let name): "$(\(renames[ExactText(name)] ?? name))"
            }
        }.joined()
    }
}
